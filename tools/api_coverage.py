#!/usr/bin/env python3
"""Writes docs/api-coverage.md: which of the wanted operations (tools/api_wanted.txt) docs/openapi.json has, and for whom.
tools/api_coverage.py [--check] [REPO]; with --check nothing is written, and the exit code is 1 where the file is not so.
"""
import json
import pathlib
import re
import sys

ACCESS = {
    "open": "everybody",
    "wizard": "everybody until the start wizard is done, then administrators",
    "wizard_or_user": "everybody until the start wizard is done, then users",
    "user": "users",
    "admin": "administrators",
}
HEAD = """# What is served of Jellyfin's API

Made by `script/build release api_docs` from the router's own document ([openapi.json](openapi.json)); the list of what is wanted is
`tools/api_wanted.txt`. How the operations behave: [api.md](api.md).
"""


def shape(method, path):
    return method.upper() + " " + re.sub(r"\{[^}]*\}", "{}", path).lower()


def wanted_of(text):
    """[(group, [(method, path)])]"""
    groups = []
    for line in text.splitlines():
        if line.startswith("## "):
            groups.append((line[3:], []))
        elif line.strip() and not line.startswith("#"):
            groups[-1][1].append(tuple(line.split()))
    return groups


def table_of(document, wanted):
    served = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            served[shape(method, path)] = operation
    lines, numbers = [HEAD], []
    for group, operations in wanted:
        have = [served.get(shape(*each)) for each in operations]
        numbers.append((group, sum(1 for each in have if each), len(have)))
        lines += [f"## {group}\n", "| operation | for whom |", "|---|---|"]
        for (method, path), operation in zip(operations, have):
            who = ACCESS[operation["x-understudy-access"]] if operation else "**not served**"
            lines.append(f"| `{method} {path}` | {who} |")
        lines.append("")
    total = ["| group | served | of |", "|---|---|---|"]
    total += [f"| {group} | {have} | {of} |" for group, have, of in numbers]
    lines.insert(1, "\n".join(total) + "\n")
    return "\n".join(lines)


def main():
    arguments = [each for each in sys.argv[1:] if each != "--check"]
    repo = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    document = json.loads((repo / "docs/openapi.json").read_text(encoding="utf-8"))
    wanted = wanted_of((repo / "tools/api_wanted.txt").read_text(encoding="utf-8"))
    text, file = table_of(document, wanted), repo / "docs/api-coverage.md"
    if "--check" not in sys.argv:
        file.write_text(text, encoding="utf-8")
        return 0
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return 0
    print("docs/api-coverage.md is not what docs/openapi.json says; regenerate it with\n    script/build release api_docs")
    return 1


if __name__ == "__main__":
    sys.exit(main())
