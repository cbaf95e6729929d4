-- Blobs of the provider `Database`, and which folder the provider `Folder` uses (store/blobs.h).

CREATE TABLE blobs (
    hash {bytes} PRIMARY KEY,            -- BLAKE2b-256
    size_bytes BIGINT NOT NULL,
    touched_at_ms BIGINT NOT NULL        -- last put
);

CREATE TABLE blob_chunks (               -- 1 MiB each: PostgreSQL answers whole values, and its parameters have limits
    hash {bytes} NOT NULL,
    number INTEGER NOT NULL,
    bytes {bytes} NOT NULL,
    PRIMARY KEY (hash, number)
);

CREATE TABLE blob_folder (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    token TEXT NOT NULL                  -- what the marker file in it says
);
