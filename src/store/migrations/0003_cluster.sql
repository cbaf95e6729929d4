-- Who else is there (cluster/pods.h) and what pods tell each other (cluster/events.h). Times: milliseconds since 1970, UTC.

CREATE TABLE pods (
    boot_id TEXT PRIMARY KEY,            -- 32 hex digits: one life of a server process
    label TEXT NOT NULL,                 -- for people; may repeat
    version TEXT NOT NULL,
    started_at_ms BIGINT NOT NULL,
    heartbeat_at_ms BIGINT NOT NULL,
    standing TEXT NOT NULL,
    facts TEXT NOT NULL,                 -- JSON object of strings
    roots TEXT NOT NULL                  -- JSON object: path in hex -> seen
);
CREATE INDEX pods_by_heartbeat ON pods (heartbeat_at_ms);

CREATE TABLE events (
    sequence {bigserial},                -- in the order of commit: appended under one lock
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,               -- JSON object
    at_ms BIGINT NOT NULL,
    pod TEXT NOT NULL
);
CREATE INDEX events_by_time ON events (at_ms);
