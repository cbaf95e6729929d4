-- Entries and folders that the last scans could not use, so that each is named once and shown until it is mended.
-- A file that was read and failed is not here: files.failure remembers it with the size and time it failed at.
CREATE TABLE scan_problems (
    library_id {bytes} NOT NULL,
    path {bytes} NOT NULL,
    reason TEXT NOT NULL,
    since_ms BIGINT NOT NULL,
    PRIMARY KEY (library_id, path)
) {without_rowid};
