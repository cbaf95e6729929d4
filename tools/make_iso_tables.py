#!/usr/bin/env python3
"""Writes src/http/jellyfin/system/iso_tables.cpp from Debian's package iso-codes (ISO 639-2 and ISO 3166-1).

Run: tools/make_iso_tables.py [FOLDER OF iso_639-2.json] > src/http/jellyfin/system/iso_tables.cpp
"""
import json
import pathlib
import sys


def text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/iso-codes/json")
    languages = json.loads((folder / "iso_639-2.json").read_text())["639-2"]
    countries = json.loads((folder / "iso_3166-1.json").read_text())["3166-1"]
    print('// Made by tools/make_iso_tables.py from the package iso-codes: ISO 639-2 and ISO 3166-1, names in English.')
    print('#include "http/jellyfin/system/iso_tables.h"\n\n#include <array>\n\nnamespace understudy::http {\nnamespace {\n')
    print("// clang-format off")
    print("constexpr auto language_table = std::to_array<IsoLanguage>({")
    for each in sorted((l for l in languages if "alpha_2" in l), key=lambda l: l["name"]):
        print(f'    {{{text(each["name"])}, {text(each["alpha_2"])}, {text(each["alpha_3"])}, '
              f'{text(each.get("bibliographic", ""))}}},')
    print("});\nconstexpr auto country_table = std::to_array<IsoCountry>({")
    names = [(c.get("common_name", c["name"]), c["alpha_2"], c["alpha_3"]) for c in countries]
    for name, two, three in sorted(names):
        print(f"    {{{text(name)}, {text(two)}, {text(three)}}},")
    print("});\n// clang-format on\n\n}  // namespace\n")
    print("std::span<const IsoLanguage> iso_languages() noexcept {\n    return language_table;\n}\n")
    print("std::span<const IsoCountry> iso_countries() noexcept {\n    return country_table;\n}\n")
    print("}  // namespace understudy::http")
    return 0


if __name__ == "__main__":
    sys.exit(main())
