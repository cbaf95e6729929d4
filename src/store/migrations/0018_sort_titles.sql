-- By what a person wants an item sorted (`<sorttitle>` of its NFO file), as written: clients show it beside the name it is
-- sorted by. Items that were described before have it once they are described again. Additive: pods of the version before
-- leave it empty.
ALTER TABLE item_descriptions ADD COLUMN sort_title TEXT NOT NULL DEFAULT '';
