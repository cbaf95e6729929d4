-- Facts of the cluster that are made once: the server's id, and room for the settings of later versions.
CREATE TABLE server_facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
