-- How fast a run works and how long it has left, as its pod last told (tasks/pace.h). Pods of an older version leave them alone.
ALTER TABLE task_beats ADD COLUMN pace_unit TEXT NOT NULL DEFAULT '';
ALTER TABLE task_beats ADD COLUMN pace_per_second DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE task_beats ADD COLUMN left_ms BIGINT;
