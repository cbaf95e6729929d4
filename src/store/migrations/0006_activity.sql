-- What an administrator reads about the past; CleanActivityLog removes what is old.
CREATE TABLE activity_log (
    id {bigserial},
    at_ms BIGINT NOT NULL,
    kind TEXT NOT NULL,                  -- ScheduledTaskFailed, …
    severity TEXT NOT NULL,              -- Information, Warning, Error
    title TEXT NOT NULL,
    overview TEXT NOT NULL
);
CREATE INDEX activity_log_by_time ON activity_log (at_ms);
