-- Libraries, what is in them, and what the last scan saw of their files (library.md §4).
-- Ids of libraries and items are 16 bytes: keys and their indexes are half the size of hex text; people read hex(id),
-- encode(id, 'hex'). Times: milliseconds since 1970, UTC; flags: 0 or 1.
-- No foreign keys below an item: PostgreSQL checks them row by row (10 us each, as much as the insert itself). Rows under an
-- item are written and removed only together with it (store/sql/item_rows.h), under the fence.

CREATE TABLE libraries (
    id {bytes} PRIMARY KEY,
    name TEXT NOT NULL,
    name_key {text_c} NOT NULL UNIQUE,   -- the name without case; frees the name once `removing` is set
    kind TEXT NOT NULL,                  -- movies, tvshows, music
    options TEXT NOT NULL,               -- JSON as clients sent it
    remove_missing_after_ms BIGINT,      -- null: never
    created_at_ms BIGINT NOT NULL,
    scanned_at_ms BIGINT,
    removing INTEGER NOT NULL            -- 1: gone for everyone, its rows are being deleted in portions
);

CREATE TABLE library_paths (
    path {bytes} PRIMARY KEY,            -- one library a path
    library_id {bytes} NOT NULL,
    position INTEGER NOT NULL
);
CREATE INDEX library_paths_by_library ON library_paths (library_id, position);

CREATE TABLE library_roots (             -- the roots as the last scan found them
    library_id {bytes} NOT NULL,
    path {bytes} NOT NULL,
    online INTEGER NOT NULL,
    reason TEXT NOT NULL,
    since_ms BIGINT NOT NULL,
    device BIGINT NOT NULL,
    PRIMARY KEY (library_id, path)
) {without_rowid};

CREATE TABLE items (
    id {bytes} PRIMARY KEY,
    library_id {bytes} NOT NULL,
    kind {text_c} NOT NULL,              -- movie, series, season, episode, artist, album, track
    parent_id {bytes},                   -- null: top level
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    name_key {text_c} NOT NULL,          -- for search: without case
    sort_key {text_c} NOT NULL,          -- for order: sort_name without case
    original_key {bytes} NOT NULL,       -- what the resolver calls it; may hold path bytes
    year INTEGER,
    season_number INTEGER,
    episode_number INTEGER,
    episode_number_end INTEGER,
    track_number INTEGER,
    disc_number INTEGER,
    album TEXT NOT NULL,
    album_artist TEXT NOT NULL,
    album_key {text_c} NOT NULL,
    artists TEXT NOT NULL,               -- JSON array
    genres TEXT NOT NULL,                -- JSON array
    provider_ids TEXT NOT NULL,          -- JSON object
    duration_ms BIGINT NOT NULL,
    available INTEGER NOT NULL,
    created_at_ms BIGINT NOT NULL
);
CREATE INDEX items_by_parent ON items (parent_id);
CREATE INDEX items_by_library ON items (library_id, kind, sort_key, id);
CREATE INDEX items_by_kind ON items (kind, sort_key, id);

CREATE TABLE media_sources (
    item_id {bytes} NOT NULL,
    number INTEGER NOT NULL,             -- 0, 1, …: versions of the item in order
    path {bytes} NOT NULL,
    size_bytes BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,               -- 64 bits, as the signed number with the same bits; device too
    device BIGINT NOT NULL,
    version_name TEXT NOT NULL,
    container TEXT NOT NULL,
    duration_ms BIGINT NOT NULL,
    bitrate_bps BIGINT NOT NULL,
    has_embedded_picture INTEGER NOT NULL,
    content_sample TEXT NOT NULL,
    probed_size_bytes BIGINT NOT NULL,
    probed_mtime_ns BIGINT NOT NULL,
    tags TEXT NOT NULL,                  -- JSON object, {} where there are none
    PRIMARY KEY (item_id, number)
);

CREATE TABLE media_streams (
    item_id {bytes} NOT NULL,
    source INTEGER NOT NULL,             -- media_sources.number
    number INTEGER NOT NULL,             -- order in the source
    kind INTEGER NOT NULL,               -- 0 video, 1 audio, 2 subtitle, 3 attachment, 4 data
    stream_index INTEGER NOT NULL,
    codec TEXT NOT NULL,
    profile TEXT NOT NULL,
    level INTEGER NOT NULL,
    bitrate_bps BIGINT NOT NULL,
    language TEXT NOT NULL,
    title TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    frame_rate DOUBLE PRECISION NOT NULL,
    hdr TEXT NOT NULL,
    bit_depth INTEGER NOT NULL,
    pixel_format TEXT NOT NULL,
    channels INTEGER NOT NULL,
    channel_layout TEXT NOT NULL,
    sample_rate_hz INTEGER NOT NULL,
    flags INTEGER NOT NULL,              -- 1 default, 2 forced, 4 attached picture, 8 for the hearing impaired
    PRIMARY KEY (item_id, source, number)
) {without_rowid};

CREATE TABLE media_chapters (
    item_id {bytes} NOT NULL,
    source INTEGER NOT NULL,
    number INTEGER NOT NULL,
    start_ms BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (item_id, source, number)
) {without_rowid};

CREATE TABLE files (
    library_id {bytes} NOT NULL,
    path {bytes} NOT NULL,
    size_bytes BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    device BIGINT NOT NULL,
    item_id {bytes},                     -- null: yields no item
    content_sample TEXT NOT NULL,
    available INTEGER NOT NULL,
    failure TEXT NOT NULL,               -- empty: none
    failed_since_ms BIGINT NOT NULL,
    PRIMARY KEY (library_id, path)
) {without_rowid};
CREATE INDEX files_failed ON files (library_id, path) WHERE failure <> '';

CREATE TABLE directories (
    library_id {bytes} NOT NULL,
    path {bytes} NOT NULL,
    device BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (library_id, path)
) {without_rowid};
