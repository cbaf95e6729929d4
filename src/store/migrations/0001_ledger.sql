-- The run ledger: slots, runs, epochs. Times are milliseconds since 1970 by the database's clock, ids 32 hex digits.
-- Locks are taken in this order: task_groups, task_definitions, task_state, task_runs, task_beats.

CREATE TABLE cluster_state (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    timers_paused BIGINT NOT NULL,
    cluster_started_at BIGINT NOT NULL
);

-- Claims of tasks that exclude each other queue at this row.
CREATE TABLE task_groups (
    name TEXT PRIMARY KEY
);
INSERT INTO task_groups (name) VALUES ('exclusive');

-- What stands once per task. Claims read it under their task_state row; edits lock it, then all rows of the task.
CREATE TABLE task_definitions (
    task {text_c} PRIMARY KEY,
    task_group TEXT NOT NULL,
    enabled BIGINT NOT NULL,
    triggers TEXT NOT NULL
);

-- The row every claim locks. scope: 'cluster', or the pod's label for a task that each pod has for itself.
CREATE TABLE task_state (
    task {text_c} NOT NULL,
    scope {text_c} NOT NULL,
    version BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    next_slot BIGINT,
    next_trigger BIGINT,
    slots_after BIGINT,
    pending_options TEXT,
    pending_not_before BIGINT,
    pending_attempt BIGINT,
    last_end BIGINT,
    last_start BIGINT,
    PRIMARY KEY (task, scope)
);

-- A slot starts at most once, whatever anyone believes; a takeover repoints it.
CREATE TABLE task_slots (
    task {text_c} NOT NULL,
    scope {text_c} NOT NULL,
    slot_at BIGINT NOT NULL,
    run_id TEXT NOT NULL,
    PRIMARY KEY (task, scope, slot_at)
);
CREATE INDEX task_slots_of_run ON task_slots (run_id);

CREATE TABLE task_runs (
    run_id TEXT PRIMARY KEY,
    task {text_c} NOT NULL,
    scope {text_c} NOT NULL,
    kind TEXT NOT NULL,
    slot_at BIGINT,
    options TEXT NOT NULL,
    pod TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    state TEXT NOT NULL,
    progress DOUBLE PRECISION NOT NULL,
    cursor TEXT NOT NULL,
    cursor_seq BIGINT NOT NULL,
    start_cursor TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    stuck_takeovers BIGINT NOT NULL,
    resumed_from TEXT,
    cancel_requested BIGINT NOT NULL,
    cancel_reason TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    heartbeat_at BIGINT,
    beat BIGINT NOT NULL,
    max_runtime_ms BIGINT,
    error TEXT NOT NULL,
    counts TEXT NOT NULL,
    warnings TEXT NOT NULL
);
CREATE UNIQUE INDEX task_runs_epoch ON task_runs (task, scope, epoch);
CREATE UNIQUE INDEX task_runs_live ON task_runs (task, scope) WHERE state IN ('running', 'cancelling');
CREATE INDEX task_runs_started ON task_runs (started_at);

-- A row of its own while the run lives, so that a writer never blocks a beat.
CREATE TABLE task_beats (
    run_id TEXT PRIMARY KEY,
    beat BIGINT NOT NULL,
    beat_at BIGINT NOT NULL,
    progress DOUBLE PRECISION NOT NULL,
    counts TEXT NOT NULL
);

CREATE TABLE task_skips (
    sequence {bigserial},
    task {text_c} NOT NULL,
    slot_at BIGINT NOT NULL,
    pod TEXT NOT NULL,
    skipped_at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    holder TEXT NOT NULL
);
CREATE UNIQUE INDEX task_skips_once ON task_skips (task, slot_at, pod, reason);
