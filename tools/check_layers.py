#!/usr/bin/env python3
"""Who may include whom: the table of ARCHITECTURE.md, checked against every #include below src/.

A new edge is a reviewed line here. Foreign libraries have one home each. Run: tools/check_layers.py [REPO]
"""
import pathlib
import re
import sys

# room -> rooms whose headers it may name (its own always). The longest matching room counts: lease/redis before lease.
ROOMS = {
    "core": [],
    "model": ["core"],
    "lease": ["core"],
    "lease/null": ["lease", "core"],
    "lease/redis": ["lease", "redis", "core"],
    "lease/database": ["lease", "store/sql", "core"],
    "cluster": ["core"],
    "cluster/local": ["cluster", "core"],
    "cluster/database": ["cluster", "store/sql", "core"],
    "tasks": ["tasks/zones", "lease", "cluster", "core"],
    "tasks/zones": ["core"],
    "tasks/database": ["tasks", "tasks/zones", "store/sql", "core"],
    "tasks/pod": ["tasks", "tasks/zones", "cluster", "core"],
    "media": ["model", "core"],
    "media/ffmpeg": ["media", "model", "core"],
    "media/taglib": ["media", "model", "core"],
    "media/worker": ["media", "media/ffmpeg", "media/taglib", "model", "core"],
    "store": ["model", "core"],
    "store/blobs": ["store", "model", "core"],
    "store/sql": ["store", "store/blobs", "model", "core"],
    "store/memory": ["store", "model", "core"],
    "library": ["library/naming", "library/nfo", "library/playlists", "library/segments", "tasks", "tasks/zones", "media", "store", "model", "core"],
    "library/naming": ["model", "core"],
    "library/nfo": ["library/naming", "model", "core"],
    "library/playlists": ["library/nfo", "library/naming", "core"],
    "library/segments": ["model", "core"],
    "redis": ["core"],
    "http": ["http/auth", "http/admin", "http/pictures", "tasks", "tasks/zones", "lease", "cluster", "store", "model", "core"],
    "http/auth": ["http", "http/jellyfin/dto", "store", "core"],
    "http/openapi": ["http", "core"],
    "http/pictures": ["http", "media", "store", "core"],
    "http/dashboard": ["http"],
    "http/admin": ["http", "http/auth", "http/pictures", "http/socket", "library", "tasks", "tasks/zones", "lease", "cluster", "store", "media", "model", "core"],
    # the reference's API: what is written, what is asked and what is told below, the handlers of each noun above
    "http/jellyfin/dto": ["http", "tasks", "tasks/zones", "store", "model", "core"],
    "http/jellyfin/events": ["http", "tasks", "model", "core"],
    "http/jellyfin/requests": ["http/jellyfin/dto", "http", "store", "model", "core"],
    "http/jellyfin/items": ["http/jellyfin/requests", "http/jellyfin/events", "http/jellyfin/dto", "http", "library", "store", "model", "core"],
    "http/jellyfin/home": ["http/jellyfin/items", "http/jellyfin/requests", "http/jellyfin/dto", "http", "store", "model", "core"],
    "http/jellyfin/collections": ["http/jellyfin/items", "http/jellyfin/requests", "http/jellyfin/dto", "http", "store", "model", "core"],
    "http/jellyfin/pictures": ["http/pictures", "http/jellyfin/system", "http/jellyfin/requests", "http/jellyfin/dto", "http", "media", "store", "model", "core"],
    "http/jellyfin/libraries": ["http/jellyfin/requests", "http/jellyfin/events", "http", "library", "store", "model", "core"],
    "http/jellyfin/users": ["http/jellyfin/requests", "http/jellyfin/events", "http/jellyfin/dto", "http/auth", "http", "store", "core"],
    "http/jellyfin/sessions": ["http/jellyfin/requests", "http/jellyfin/events", "http/jellyfin/dto", "http/auth", "http", "store", "core"],
    "http/jellyfin/system": ["http/jellyfin/requests", "http/auth", "http", "media", "tasks", "tasks/zones", "store", "core"],
    "http/jellyfin/tasks": ["http/jellyfin/dto", "http", "tasks", "core"],
    # where sockets are: the only rooms that know Asio and Beast
    "http/socket": ["http/jellyfin/sessions", "http/jellyfin/requests", "http/jellyfin/events", "http/jellyfin/dto", "http/auth", "http", "cluster", "store", "core"],
    "http/server": ["http/socket", "http", "core"],
    "app": ["*"],
}

# foreign header pattern -> rooms that may name it (in .cpp and .h alike, but never in a port)
HOMES = {
    r"(libav\w+|libsw\w+)/": ["media/ffmpeg"],
    r"chromaprint\.h": ["media/ffmpeg"],
    r"ebur128\.h": ["media/ffmpeg"],
    r"(taglib/|fileref\.h|tag\.h|tpropertymap\.h)": ["media/taglib"],
    r"(soci/|soci\.h|libpq-fe\.h|postgresql/|sqlite3\.h)": ["store/sql"],
    r"hiredis/": ["redis"],
    r"boost/beast": ["http/server", "http/socket", "app"],
    r"boost/asio": ["http/server", "http/socket", "redis", "lease/redis", "app"],
    r"prometheus/": ["http/admin"],
    r"sodium": ["http/auth", "store/blobs"],
    r"zlib\.h": ["http", "http/pictures"],  # gzip; a checksum
    r"date/": ["tasks/zones"],
    r"pugixml": ["library/nfo"],
    r"spdlog/": ["core"],
    r"utf8proc\.h": ["core"],
    r"CLI/": ["app"],
    r"seccomp\.h": ["media/worker"],
}


def room_of(path: str):
    parts = path.split("/")
    for n in range(len(parts), 0, -1):
        room = "/".join(parts[:n])
        if room in ROOMS:
            return room
    return None


def main() -> int:
    repo = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    src = repo / "src"
    faults = []
    for file in sorted(p for p in src.rglob("*") if p.suffix in (".h", ".cpp")):
        name = file.relative_to(src).as_posix()
        room = room_of(str(pathlib.PurePosixPath(name).parent))
        if room is None:
            faults.append(f"{name}: in no room of tools/check_layers.py")
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if not match:
                continue
            quote, target = match.groups()
            if quote == '"':
                other = room_of(str(pathlib.PurePosixPath(target).parent))
                if other and other != room and "*" not in ROOMS[room] and other not in ROOMS[room]:
                    faults.append(f"{name}:{number}: {room} may not include {other} ({target})")
            for pattern, homes in HOMES.items():
                if re.match(pattern, target) and room not in homes:
                    faults.append(f"{name}:{number}: {target} belongs in {', '.join(homes)}, not in {room}")
    for fault in faults:
        print(fault)
    print(f"layers: {len(faults)} fault(s)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
