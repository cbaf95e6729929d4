-- What was learned of files by decoding them (store/analyses.h), and what follows from it for items (store/media_facts.h).

-- By content, so that a rename or move costs nothing. A source that has no row of a kind with its content_sample and mtime_ns
-- is pending for that kind; a row with a failure remembers that it was tried.
CREATE TABLE analyses (
    kind {text_c} NOT NULL,              -- keyframes, loudness, pictures:w400:jpeg, …
    content_sample TEXT NOT NULL,        -- as in media_sources, same collation
    mtime_ns BIGINT NOT NULL,
    size_bytes BIGINT NOT NULL,
    task TEXT NOT NULL,                  -- key of the task that wrote it, for people
    payload {bytes} NOT NULL,
    failure TEXT NOT NULL,               -- empty: none
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (kind, content_sample, mtime_ns)
);
CREATE INDEX analyses_failed ON analyses (content_sample, mtime_ns) WHERE failure <> '';

-- Both ends of the anti-join between sources and analyses are then read from indexes alone.
CREATE INDEX media_sources_by_content ON media_sources (content_sample, mtime_ns, item_id, number);

CREATE TABLE chapter_pictures (          -- by content too: of all items that have these bytes
    content_sample TEXT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    number INTEGER NOT NULL,             -- of the chapter, from 0
    blob {bytes} NOT NULL,               -- its hash (store/blobs.h)
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    format TEXT NOT NULL,                -- jpeg, webp
    PRIMARY KEY (content_sample, mtime_ns, number)
) {without_rowid};
CREATE INDEX chapter_pictures_by_blob ON chapter_pictures (blob);

-- What was tried for an item: found segments are in media_segments, none found is a row here and none there.
CREATE TABLE segment_searches (
    provider {text_c} NOT NULL,          -- chapters, edl, fingerprint, …
    item_id {bytes} NOT NULL,
    basis TEXT NOT NULL,                 -- what the provider looked at; another basis means look again
    PRIMARY KEY (item_id, provider)
) {without_rowid};

CREATE TABLE media_segments (
    item_id {bytes} NOT NULL,
    provider {text_c} NOT NULL,
    number INTEGER NOT NULL,             -- by start
    kind {text_c} NOT NULL,              -- intro, outro, recap, preview, commercial
    start_ms BIGINT NOT NULL,
    end_ms BIGINT NOT NULL CHECK (end_ms > start_ms),
    PRIMARY KEY (item_id, provider, number)
) {without_rowid};

CREATE TABLE item_loudness (             -- tracks and albums
    item_id {bytes} PRIMARY KEY,
    origin {text_c} NOT NULL,            -- measured, replaygain, r128
    basis TEXT NOT NULL,                 -- what it was computed from
    lufs DOUBLE PRECISION,               -- null: silence, or only a gain is known
    peak DOUBLE PRECISION,               -- linear, 1.0 is full scale
    gain_db DOUBLE PRECISION             -- null: leave it as it is
) {without_rowid};
