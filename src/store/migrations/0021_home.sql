-- What home screens ask: what is new in a library, what comes, and where a special is shown among the other episodes. Specials
-- that were described before say where once they are described again. Additive: pods of the version before leave it empty.

ALTER TABLE item_descriptions ADD COLUMN airs_before_season INTEGER;
ALTER TABLE item_descriptions ADD COLUMN airs_before_episode INTEGER;
ALTER TABLE item_descriptions ADD COLUMN airs_after_season INTEGER;
CREATE INDEX item_descriptions_by_premiere ON item_descriptions (premiered_ms, item_id) WHERE premiered_ms IS NOT NULL;
-- The newest of a kind in a library are then a look at its end.
CREATE INDEX items_by_created ON items (library_id, kind, created_at_ms, id);
