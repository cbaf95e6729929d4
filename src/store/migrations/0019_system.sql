-- What administrators set for all pods, how clients show things, and whom an entry of the activity log is about
-- (store/configurations.h, store/display_preferences.h, tasks/activity_log.h). Additive: pods of the version before write
-- entries without a user.
ALTER TABLE activity_log ADD COLUMN user_id {bytes};     -- null: nobody in particular

CREATE TABLE configurations (
    name {text_c} PRIMARY KEY,           -- system, network, …
    value TEXT NOT NULL,                 -- JSON object
    changed_at_ms BIGINT NOT NULL
);

CREATE TABLE display_preferences (
    user_id {bytes} NOT NULL,
    client {text_c} NOT NULL,
    name {text_c} NOT NULL,              -- of a view: an item's id, usersettings, …
    value TEXT NOT NULL,                 -- JSON object
    changed_at_ms BIGINT NOT NULL,
    PRIMARY KEY (user_id, client, name)
) {without_rowid};
