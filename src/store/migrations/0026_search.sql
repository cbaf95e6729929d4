-- Searches and the order of lists know no accents (core/search_fold.h): items.name_key and items.sort_key are folded so from
-- here on, names and people, whose name_key says who is one with whom, have a key beside it. Rows that are there are folded
-- by the migration (store/sql/search_keys.h), those alone in which it changes something; items before the tables below are
-- locked for it. Additive: pods of the version before go on; they find only what is written without accents, and what they
-- write with accents while both run is found by its other letters alone until it is written anew.

ALTER TABLE names ADD COLUMN search_key {text_c};   -- null: as name_key
ALTER TABLE people ADD COLUMN search_key {text_c};  -- null: as name_key
DROP INDEX names_by_kind;
CREATE INDEX names_in_order ON names (kind, COALESCE(search_key, name_key), id);
CREATE INDEX people_in_order ON people (COALESCE(search_key, name_key), id);
