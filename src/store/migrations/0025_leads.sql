-- Who led when (cluster/lead_history.h). Times: milliseconds since 1970, UTC, by the database's clock.

CREATE TABLE leads (
    boot_id TEXT NOT NULL,               -- 32 hex digits: one life of a server process
    term BIGINT NOT NULL,                -- counts the terms of that life
    pod TEXT NOT NULL,                   -- label
    began_at_ms BIGINT NOT NULL,
    seen_at_ms BIGINT NOT NULL,          -- the pod's last word of it
    ended_at_ms BIGINT,                  -- null: it goes on, or the pod could not say that it ended
    PRIMARY KEY (boot_id, term)
);
CREATE INDEX leads_by_begin ON leads (began_at_ms);
