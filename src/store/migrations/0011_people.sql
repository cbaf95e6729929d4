-- People and what they did in items (store/people.h).

CREATE TABLE people (
    id {bytes} PRIMARY KEY,
    name TEXT NOT NULL,
    name_key {text_c} NOT NULL,          -- without case, blanks single: what duplicates share, whatever they did
    sort_name TEXT NOT NULL,
    provider_ids TEXT NOT NULL,          -- JSON object; two with different ids of one provider are two people
    overview TEXT NOT NULL,
    image {bytes},                       -- hash of a blob; null: none
    created_at_ms BIGINT NOT NULL,
    refreshed_at_ms BIGINT NOT NULL      -- 0: never
);
CREATE INDEX people_by_name ON people (name_key, id);
CREATE INDEX people_by_refresh ON people (refreshed_at_ms, id);
CREATE INDEX people_by_image ON people (image) WHERE image IS NOT NULL;

CREATE TABLE credits (
    item_id {bytes} NOT NULL,
    position INTEGER NOT NULL,           -- as the source lists them
    person_id {bytes} NOT NULL,
    kind {text_c} NOT NULL,              -- actor, guest_star, director, …
    role TEXT NOT NULL,                  -- whom an actor plays; empty: not said
    PRIMARY KEY (item_id, position)
) {without_rowid};
CREATE INDEX credits_by_person ON credits (person_id, item_id);
