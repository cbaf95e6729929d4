-- Which logins have an event socket open, and in which life of a pod: commands can reach those (store/open_sockets.h). Rows of
-- pods that are gone do not count; they are cleared away when a pod starts. Additive: pods of the version before have no sockets.

CREATE TABLE open_sockets (
    session_id {bytes} NOT NULL,
    boot_id TEXT NOT NULL,
    PRIMARY KEY (session_id, boot_id)
);
