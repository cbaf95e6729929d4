-- The scan leader's lease where no Redis is configured (Jellyfin:ScanLeader:Provider = Database): one row for each LeaseKey.
-- An absent row and one past expires_at_ms mean the same: nobody holds. ttl_ms is what the holder asked for: a row that
-- claims to live longer than that is the work of a stepped clock, and is cut back to it.
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    label TEXT NOT NULL,
    ttl_ms BIGINT NOT NULL,
    expires_at_ms BIGINT NOT NULL
);
