-- What items share by name (store/names.h): genres, studios, artists, tags, as rows, so that a list can be filtered by them
-- and they can be listed. Rows that are there are filled in by the migration (store/sql/name_rows.h), then with each item
-- that is written. Additive: pods of the version before go on; what they write meanwhile is found by its names once it is
-- scanned as changed, and rows that they leave without an item are purged by OptimizeDatabaseTask.

CREATE TABLE names (
    id {bytes} PRIMARY KEY,              -- made of kind and name_key: store/names.h
    kind INTEGER NOT NULL,               -- 0 genre, 1 genre of music, 2 studio, 3 artist, 4 tag
    name TEXT NOT NULL,                  -- as first written
    name_key {text_c} NOT NULL           -- without case, blanks single
);
CREATE INDEX names_by_kind ON names (kind, name_key, id);

CREATE TABLE item_names (                -- items.beside has bit 8 where an item has some
    item_id {bytes} NOT NULL,
    role INTEGER NOT NULL,               -- 0 genre, 1 studio, 2 tag, 3 artist, 4 album artist, 5 it is that artist
    name_id {bytes} NOT NULL,
    PRIMARY KEY (item_id, role, name_id)
) {without_rowid};
CREATE INDEX item_names_by_name ON item_names (name_id, role, item_id);

ALTER TABLE items ADD COLUMN saved_at_ms BIGINT NOT NULL DEFAULT 0;  -- when a scan last wrote it; 0: as created_at_ms

-- The whole catalogue page by page, one kind of it, and by year. With what every list looks at, so that counting and the
-- pages that are passed over read the index alone: the 200th page of 100 costs a third.
DROP INDEX items_by_kind;
CREATE INDEX items_by_kind ON items (kind, sort_key, id, library_id);
CREATE INDEX items_in_order ON items (sort_key, id, library_id, kind) WHERE kind <> 'extra';
CREATE INDEX items_by_year ON items (year, kind, library_id) WHERE year IS NOT NULL;
CREATE INDEX item_descriptions_by_rating ON item_descriptions (official_rating) WHERE official_rating <> '';
