#!/usr/bin/env python3
"""Says what of a new OpenAPI document would break a client of the old one: tools/openapi_compatible.py OLD NEW

One line for each break, exit code 1 where there is any, 2 where a document cannot be read. The names of path parameters do
not count: no client sends them.
"""
import json
import re
import sys

METHODS = ("get", "head", "post", "put", "delete", "patch", "options")
# Who may call by x-understudy-access. The wizard's are anybody's until it is done, then administrators'.
CALLERS = {
    "open": {"anybody", "anybody before the wizard is done", "users", "administrators"},
    "wizard": {"anybody before the wizard is done", "administrators"},
    "wizard_or_user": {"anybody before the wizard is done", "users", "administrators"},
    "user": {"users", "administrators"},
    "admin": {"administrators"},
}


class Comparison:
    def __init__(self, old, new):
        self.old, self.new = old, new
        self.breaks = []
        self.seen = set()

    def say(self, where, what):
        line = f"{where}: {what}"
        if line not in self.breaks:
            self.breaks.append(line)

    def run(self):
        new = {shape(path): item for path, item in self.new.get("paths", {}).items()}
        for path, item in self.old.get("paths", {}).items():
            for method in METHODS:
                if method not in item:
                    continue
                where = f"{method.upper()} {path}"
                other = new.get(shape(path), {}).get(method)
                if other is None:
                    self.say(where, "is gone")
                else:
                    self.operation(where, item[method], other)
        return self.breaks

    def operation(self, where, old, new):
        had = CALLERS[old.get("x-understudy-access", "admin")]
        have = CALLERS[new.get("x-understudy-access", "admin")]
        if had - have:
            self.say(where, f"may no longer be called by {', '.join(sorted(had - have))}")
        self.parameters(where, old, new)
        self.body(where, self.resolve(self.old, old.get("requestBody")), self.resolve(self.new, new.get("requestBody")))
        self.answers(where, old.get("responses", {}), new.get("responses", {}))

    def parameters(self, where, old, new):
        def in_query(operation):
            return {p["name"].lower(): p for p in operation.get("parameters", []) if p["in"] != "path"}

        def in_path(operation):
            return [p for p in operation.get("parameters", []) if p["in"] == "path"]

        before, after = in_query(old), in_query(new)
        for name, parameter in before.items():
            shown = f"{where}: parameter {parameter['name']}"
            if name not in after:
                self.say(shown, "is gone")
                continue
            if after[name].get("required") and not parameter.get("required"):
                self.say(shown, "must be sent now")
            self.schema(shown, parameter.get("schema", {}), after[name].get("schema", {}), sent=True)
        for name, parameter in after.items():
            if parameter.get("required") and name not in before:
                self.say(f"{where}: parameter {parameter['name']}", "is new and must be sent")
        for one, other in zip(in_path(old), in_path(new)):
            self.schema(f"{where}: {{{one['name']}}}", one.get("schema", {}), other.get("schema", {}), sent=True)

    def body(self, where, old, new):
        where += ": body"
        if new and new.get("required") and not (old and old.get("required")):
            self.say(where, "must be sent now")
        if not old:
            return
        if not new:
            self.say(where, "is not looked at any more")
            return
        self.contents(where, old, new, sent=True)

    def answers(self, where, old, new):
        for status, answer in old.items():
            if not status.startswith("2"):
                continue
            shown = f"{where}: {status}"
            if status not in new:
                self.say(shown, "is answered no more")
                continue
            self.contents(shown, self.resolve(self.old, answer), self.resolve(self.new, new[status]), sent=False)

    def contents(self, where, old, new, sent):
        for kind, content in old.get("content", {}).items():
            if kind not in new.get("content", {}):
                self.say(where, f"has no {kind} any more")
                continue
            self.schema(where, content.get("schema", {}), new["content"][kind].get("schema", {}), sent)

    def schema(self, where, old, new, sent):
        """`sent`: by the client; else it is in an answer."""
        nullable = flag(old, "nullable"), flag(new, "nullable")
        if not sent and nullable[1] and not nullable[0]:
            self.say(where, "may be null now")
        if sent and nullable[0] and not nullable[1]:
            self.say(where, "may be null no more")
        names = (name_of(old), name_of(new), sent)
        if names[0] and names[1]:
            if names in self.seen:
                return
            self.seen.add(names)
            where = f"{names[0]}{' (sent)' if sent else ''}"
        old, new = self.resolve(self.old, old), self.resolve(self.new, new)
        if old.get("type") != new.get("type") and not (sent and "type" not in new) and "type" in old:
            self.say(where, f"was {old['type']}, is {new.get('type', 'anything')}")
            return
        if old.get("format") != new.get("format"):
            self.say(where, f"was {old.get('format', 'of no format')}, is {new.get('format', 'of no format')}")
        self.words(where, old, new, sent)
        if "items" in old:
            self.schema(where + "[]", old["items"], new.get("items", {}), sent)
        if isinstance(old.get("additionalProperties"), dict) and isinstance(new.get("additionalProperties"), dict):
            self.schema(where + "{}", old["additionalProperties"], new["additionalProperties"], sent)
        self.properties(where, old, new, sent)

    def words(self, where, old, new, sent):
        if "enum" not in old:
            if sent and "enum" in new:
                self.say(where, "takes only some words now")
            return
        if "enum" not in new:
            if not sent:
                self.say(where, "is no enum any more")
            return
        for word in old["enum"]:
            if word not in new["enum"]:
                self.say(where, f"has no word {word} any more")

    def properties(self, where, old, new, sent):
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, own in before.items():
            shown = f"{where}.{name}"
            if name not in after:
                if not (sent and not after):
                    self.say(shown, "is gone")
                continue
            if not sent and name in old.get("required", []) and name not in new.get("required", []):
                self.say(shown, "may be left out now")
            self.schema(shown, own, after[name], sent)
        if sent:
            for name in new.get("required", []):
                if name not in old.get("required", []):
                    self.say(f"{where}.{name}", "must be sent now")

    @staticmethod
    def resolve(document, part):
        """Follows references, and combinations of one."""
        while isinstance(part, dict):
            if "$ref" in part:
                target = document
                for name in part["$ref"].removeprefix("#/").split("/"):
                    target = target[name]
                part = target
            elif only_part(part) is not None:
                part = only_part(part)
            else:
                break
        return part


def only_part(schema):
    """Of `allOf` or `oneOf` with a single member: that."""
    for word in ("allOf", "oneOf"):
        if len(schema.get(word, [])) == 1:
            return schema[word][0]
    return None


def name_of(schema):
    """Of the schema that is referred to; None where it stands there itself."""
    while "$ref" not in schema:
        schema = only_part(schema)
        if schema is None:
            return None
    return schema["$ref"].rsplit("/", 1)[-1]


def flag(schema, name):
    return bool(schema.get(name))


def shape(path):
    return re.sub(r"\{[^}]*\}", "{}", path).lower()


def read(name):
    try:
        with open(name, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2)


def main():
    if len(sys.argv) != 3:
        print("usage: openapi_compatible.py OLD NEW", file=sys.stderr)
        return 2
    breaks = Comparison(read(sys.argv[1]), read(sys.argv[2])).run()
    for line in breaks:
        print(line)
    print(f"{sys.argv[2]}: {len(breaks)} break(s) since {sys.argv[1]}")
    return 1 if breaks else 0


if __name__ == "__main__":
    sys.exit(main())
