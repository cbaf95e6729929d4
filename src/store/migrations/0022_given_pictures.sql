-- Pictures that people give to themselves (store/users.h). Additive: pods of the version before leave it as it is.

ALTER TABLE users ADD COLUMN image {bytes};    -- a blob's hash (store/blobs.h); null: none
