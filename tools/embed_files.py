#!/usr/bin/env python3
"""Turns a folder of files into one C++ source: tools/embed_files.py FOLDER OUT.cpp

Each file as it is and compressed (http/static_files.h). The same files give the same source, byte for byte. All of them together
are what a browser loads first: beyond FIRST_LOAD that is an error.
"""
import gzip
import hashlib
import pathlib
import sys

FIRST_LOAD = 150_000  # bytes, compressed
WORTH_IT = 0.9  # compressed to less than this share, else it is sent as it is


def literal(data: bytes) -> str:
    """A string literal; three octal digits always, so that what follows cannot be taken for a fourth."""
    plain = set(range(32, 127)) - {ord('"'), ord("\\"), ord("?")}
    lines = []
    for start in range(0, len(data), 4096):
        part = data[start:start + 4096]
        lines.append('"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in part) + '"')
    return "\n     ".join(lines) or '""'


def main() -> int:
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = sorted((p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()), key=str.encode)
    if "index.html" not in names:
        sys.exit(f"embed_files: {folder} has no index.html")
    rows, sent = [], 0
    for name in names:
        data = (folder / name).read_bytes()
        packed = gzip.compress(data, 9, mtime=0)
        if len(packed) > WORTH_IT * len(data):
            packed = b""
        sent += len(packed or data)
        tag = hashlib.sha256(data).hexdigest()[:16]
        rows.append(f'    {{"{name}",\n     {{{literal(data)}, {len(data)}}},\n'
                    f'     {{{literal(packed)}, {len(packed)}}},\n     "{tag}"}},\n')
    if sent > FIRST_LOAD:
        sys.exit(f"embed_files: {folder} has {sent} bytes compressed, more than the {FIRST_LOAD} of a first load")
    out.write_text("// Made by tools/embed_files.py.\n#include <array>\n\n#include \"http/dashboard/embedded.h\"\n\n"
                   "namespace understudy::http {\nnamespace {\n"
                   f"constexpr std::array<EmbeddedFile, {len(rows)}> list{{{{\n" + "".join(rows) + "}};\n"
                   "}  // namespace\n\nstd::span<const EmbeddedFile> dashboard_files() noexcept { return list; }\n\n"
                   "}  // namespace understudy::http\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
