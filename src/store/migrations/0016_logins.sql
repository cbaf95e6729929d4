-- Logins: passwords and rights of users, who is logged in where, keys of programs, failed logins (store/users.h, sessions.h,
-- login_attempts.h). What the start wizard asks is in server_facts. Times: milliseconds since 1970, UTC.

ALTER TABLE users ADD COLUMN is_admin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN password_hash TEXT NOT NULL DEFAULT '';    -- Argon2id as text; empty: none is set
ALTER TABLE users ADD COLUMN policy TEXT NOT NULL DEFAULT '{}';         -- JSON objects
ALTER TABLE users ADD COLUMN configuration TEXT NOT NULL DEFAULT '{}';
ALTER TABLE users ADD COLUMN last_login_at_ms BIGINT;
ALTER TABLE users ADD COLUMN last_activity_at_ms BIGINT;

CREATE TABLE sessions (                  -- one user on one device
    token_hash {bytes} PRIMARY KEY,      -- BLAKE2b-256; the token itself is nowhere
    session_id {bytes} NOT NULL UNIQUE,
    user_id {bytes} NOT NULL,
    device_id {text_c} NOT NULL,
    client TEXT NOT NULL,
    version TEXT NOT NULL,
    device TEXT NOT NULL,
    address TEXT NOT NULL,
    capabilities TEXT NOT NULL,          -- JSON object
    created_at_ms BIGINT NOT NULL,
    last_activity_at_ms BIGINT NOT NULL
);
CREATE UNIQUE INDEX sessions_by_device ON sessions (device_id, user_id);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE device_names (
    device_id {text_c} PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE TABLE api_keys (
    sequence {bigserial},
    key_hash {bytes} NOT NULL UNIQUE,
    api_key TEXT NOT NULL,               -- readable: see docs/adr/0007-tokens-and-keys.md
    app TEXT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    last_activity_at_ms BIGINT NOT NULL
);

CREATE TABLE login_failures (
    subject {text_c} PRIMARY KEY,        -- a user, or an address
    failures INTEGER NOT NULL,
    failed_at_ms BIGINT NOT NULL         -- the last one
);
CREATE INDEX login_failures_by_time ON login_failures (failed_at_ms);

-- Who has used the server already is not asked who may administer it: the wizard would be open to anybody.
INSERT INTO server_facts (name, value)
    SELECT 'wizard_completed', 'true' WHERE EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM libraries);
