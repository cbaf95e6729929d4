-- Pictures inside media files (store/covers.h). Additive: pods of the version before go on; rows that they leave without an
-- item are purged by OptimizeDatabaseTask.

CREATE TABLE covers (                    -- by content, as analyses are: a rename costs nothing
    content_sample TEXT NOT NULL,        -- as in media_sources, same collation
    mtime_ns BIGINT NOT NULL,
    blob {bytes} NOT NULL,               -- its hash (store/blobs.h)
    size_bytes BIGINT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    PRIMARY KEY (content_sample, mtime_ns)
) {without_rowid};
CREATE INDEX covers_by_blob ON covers (blob);

CREATE TABLE item_covers (               -- which of them an item shows: a film or episode its own, an album one track's
    item_id {bytes} PRIMARY KEY,
    content_sample TEXT NOT NULL,
    mtime_ns BIGINT NOT NULL
) {without_rowid};

-- A library without pictures in its files is then looked through without reading its sources.
CREATE INDEX media_sources_with_picture ON media_sources (item_id) WHERE has_embedded_picture = 1;
