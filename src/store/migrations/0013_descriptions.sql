-- What a scan learns from files beside the media (model/description.h): NFO files, pictures, subtitles, extras.
-- Rows only where there is something, and items.beside says where: a music library pays one look a batch for all of it.
-- Additive: pods of the version before go on; rows that they leave without an item are purged by OptimizeDatabaseTask.

ALTER TABLE items ADD COLUMN folder {bytes};                           -- of series, seasons, artists, albums: path bytes; null: none
ALTER TABLE items ADD COLUMN extra_type {text_c} NOT NULL DEFAULT '';  -- of extras: trailer, …
ALTER TABLE items ADD COLUMN beside INTEGER NOT NULL DEFAULT 0;        -- 1 a description, 2 pictures, 4 external streams are below
CREATE INDEX items_extras ON items (parent_id) WHERE kind = 'extra';

CREATE TABLE item_descriptions (
    item_id {bytes} PRIMARY KEY,
    original_title TEXT NOT NULL,
    overview TEXT NOT NULL,
    tagline TEXT NOT NULL,
    official_rating TEXT NOT NULL,
    status TEXT NOT NULL,
    community_rating DOUBLE PRECISION,   -- 0 .. 10; null: not said
    premiered_ms BIGINT,
    ended_ms BIGINT,
    studios TEXT NOT NULL,               -- JSON array; the three below too
    tags TEXT NOT NULL,
    countries TEXT NOT NULL,
    trailers TEXT NOT NULL               -- URLs
);

CREATE TABLE item_images (
    item_id {bytes} NOT NULL,
    number INTEGER NOT NULL,             -- in the order of the item's pictures
    kind INTEGER NOT NULL,               -- 0 primary, 1 backdrop, 2 logo, 3 art, 4 banner, 5 thumb, 6 disc
    path {bytes} NOT NULL,
    size_bytes BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    PRIMARY KEY (item_id, number)
) {without_rowid};

CREATE TABLE media_external_streams (    -- subtitles and sound in files of their own: what a name can say of them
    item_id {bytes} NOT NULL,
    source INTEGER NOT NULL,             -- media_sources.number
    number INTEGER NOT NULL,             -- order in the source
    path {bytes} NOT NULL,
    size_bytes BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    kind INTEGER NOT NULL,               -- as media_streams.kind
    stream_index INTEGER NOT NULL,       -- in its file
    codec TEXT NOT NULL,
    language TEXT NOT NULL,
    title TEXT NOT NULL,
    flags INTEGER NOT NULL,              -- as media_streams.flags
    PRIMARY KEY (item_id, source, number)
) {without_rowid};
