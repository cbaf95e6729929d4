-- Users, what they did with items (store/user_data.h), collections and playlists (store/collections.h).

CREATE TABLE users (                     -- passwords and rights come as columns of later migrations
    id {bytes} PRIMARY KEY,
    name TEXT NOT NULL,
    name_key {text_c} NOT NULL UNIQUE,   -- the name without case
    created_at_ms BIGINT NOT NULL
);

CREATE TABLE user_data (
    user_id {bytes} NOT NULL,
    item_id {bytes} NOT NULL,
    played INTEGER NOT NULL,
    play_count INTEGER NOT NULL,
    position_ms BIGINT NOT NULL,
    favourite INTEGER NOT NULL,
    rating DOUBLE PRECISION,             -- 0 .. 10; null: none
    last_played_at_ms BIGINT,            -- null: never
    audio_index INTEGER,                 -- of the stream chosen; null: none chosen
    subtitle_index INTEGER,              -- -1: off
    PRIMARY KEY (user_id, item_id)
) {without_rowid};
CREATE INDEX user_data_by_item ON user_data (item_id);

-- Items that are gone but somebody's data or collections still name: their rows stay as they are under the old id, and a new
-- item with one of the identities takes them over.
CREATE TABLE vanished_items (
    item_id {bytes} PRIMARY KEY,
    vanished_at_ms BIGINT NOT NULL
) {without_rowid};
CREATE INDEX vanished_items_by_time ON vanished_items (vanished_at_ms, item_id);

CREATE TABLE vanished_identities (
    identity {text_c} NOT NULL,          -- see store/sql/vanished_items.h
    item_id {bytes} NOT NULL,
    PRIMARY KEY (identity, item_id)
) {without_rowid};
CREATE INDEX vanished_identities_by_item ON vanished_identities (item_id);

CREATE TABLE collections (               -- beside the row of the same id in items (kind box_set or playlist)
    item_id {bytes} PRIMARY KEY,
    owner_id {bytes},                    -- a user; null: nobody's own
    is_public INTEGER NOT NULL,
    origin {bytes},                      -- what it was made from: the path of a playlist file, or set:NAME; null: by a person
    origin_library_id {bytes}
);
CREATE UNIQUE INDEX collections_by_origin ON collections (origin, origin_library_id) WHERE origin IS NOT NULL;

CREATE TABLE collection_members (
    collection_id {bytes} NOT NULL,
    position BIGINT NOT NULL,            -- with gaps, so that a move is one row
    entry_id {bytes} NOT NULL,           -- a playlist may hold an item twice
    item_id {bytes} NOT NULL,
    library_id {bytes} NOT NULL,         -- the item's: while it is offline the member stays, whatever became of the item
    PRIMARY KEY (collection_id, position)
) {without_rowid};
CREATE UNIQUE INDEX collection_members_by_entry ON collection_members (entry_id);
CREATE INDEX collection_members_by_item ON collection_members (item_id);
