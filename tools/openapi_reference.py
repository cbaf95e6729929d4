#!/usr/bin/env python3
"""Says where our OpenAPI document departs from the reference that clients are made from:
tools/openapi_reference.py OURS REFERENCE DIFFERENCES; `-` for REFERENCE: the one that UNDERSTUDY_REFERENCE_OPENAPI names, exit
code 77 where it names none

For each operation that both have: id, tag, statuses, who may call, parameters, and the schemas of bodies and answers. What the
reference has beside that is no fault: not everything is served. DIFFERENCES is JSON, {fault: reason}: those are meant. One line
for each other fault, and for each difference that is none any more; exit code 1 where there is any.
"""
import os
import re
import sys

from openapi_compatible import METHODS, Comparison, name_of, read, shape

# The reference's words for who may call; what is not here is for users.
POLICIES = {
    "RequiresElevation": "admin",
    "LocalAccessOrRequiresElevation": "admin",
    "FirstTimeSetupOrElevated": "wizard",
    "FirstTimeSetupOrIgnoreParentalControl": "wizard_or_user",
    "FirstTimeSetupOrDefault": "wizard_or_user",
}
OWN_TAGS = {"Cluster", "Health"}


class Reference:
    def __init__(self, ours, reference):
        self.ours, self.reference = ours, reference
        self.faults = []
        self.seen = set()

    def say(self, where, what):
        line = f"{where}: {what}"
        if line not in self.faults:
            self.faults.append(line)

    def run(self):
        theirs = {shape(path): item for path, item in self.reference["paths"].items()}
        paths = {shape(path): path for path in self.reference["paths"]}
        for path, item in self.ours["paths"].items():
            for method in METHODS:
                own = item.get(method)
                if own is None or own.get("deprecated"):
                    continue
                where = f"{method.upper()} {path}"
                other = theirs.get(shape(path), {}).get(method)
                if other is not None:
                    self.operation(where, own, other, path, paths[shape(path)])
                elif not OWN_TAGS & set(own["tags"]):
                    self.say(where, "is no operation of the reference")
        return self.faults

    def operation(self, where, own, other, own_path, path):
        if own["operationId"] != other["operationId"]:
            self.say(where, f"is called {other['operationId']}")
        if own["tags"] != other["tags"]:
            self.say(where, f"has the tag {', '.join(other['tags'])}")
        access = access_of(other)
        if own["x-understudy-access"] != access:
            self.say(where, f"is for {own['x-understudy-access']}, in the reference for {access}")
        self.parameters(where, own, other, own_path, path)
        self.body(where, own, other)
        self.answers(where, own["responses"], other["responses"])

    def parameters(self, where, own, other, own_path, path):
        def of(operation, place):
            return [p for p in operation.get("parameters", []) if p["in"] == place]

        theirs = {p["name"].lower(): p for p in of(other, "query")}
        ours = {p["name"].lower(): p for p in of(own, "query")}
        for name, parameter in ours.items():
            shown = f"{where}: parameter {parameter['name']}"
            if name not in theirs:
                self.say(shown, "is none of the reference")
                continue
            if parameter.get("required") and not theirs[name].get("required"):
                self.say(shown, "must be sent")
            self.schema(shown, parameter["schema"], theirs[name].get("schema", {}), sent=True)
        for name, parameter in theirs.items():
            if parameter.get("required") and name not in ours:
                self.say(f"{where}: parameter {parameter['name']}", "is always sent and not looked at")
        for mine, its in zip(in_path(own_path, of(own, "path")), in_path(path, of(other, "path"))):
            self.schema(f"{where}: {{{mine['name']}}}", mine["schema"], its.get("schema", {}), sent=True)

    def body(self, where, own, other):
        mine, its = own.get("requestBody"), other.get("requestBody")
        if mine is None:
            if its is not None:
                self.say(where, "does not look at its body")
            return
        if its is None:
            return self.say(where, "has no body in the reference")
        if mine.get("required") and not its.get("required"):
            self.say(where, "must have a body")
        sent, taken = json_schema(its), json_schema(mine)
        if sent is not None and taken is not None:
            self.schema(f"{where}: body", taken, sent, sent=True)
        elif sent is not None or taken is not None:
            self.say(where, "has a body of JSON on one side only")

    def answers(self, where, own, other):
        for status, answer in own.items():
            if not status.startswith("2"):
                continue
            if status not in other:
                self.say(where, f"answers {status}, in the reference {', '.join(s for s in other if s[0] == '2')}")
                continue
            mine, its = json_schema(answer), json_schema(other[status])
            if mine and its:
                self.schema(f"{where}: {status}", mine, its, sent=False)
            elif mine or its:
                self.say(where, f"{status} has JSON on one side only")

    def schema(self, where, own, other, sent):
        names = (name_of(own), name_of(other), sent)
        if names[0] and names[1]:
            if names in self.seen:
                return
            self.seen.add(names)
            where = f"{names[0]}{' (sent)' if sent else ''}"
        own = Comparison.resolve(self.ours, own)
        other = Comparison.resolve(self.reference, other)
        if "type" not in own or "type" not in other:
            return
        if own["type"] != other["type"]:
            return self.say(where, f"is {own['type']}, in the reference {other['type']}")
        if own.get("format") != other.get("format"):
            self.say(where, f"is {own.get('format', 'of no format')}, in the reference {other.get('format', 'of none')}")
        for word in own.get("enum", []):
            if word not in other.get("enum", [word]):
                self.say(where, f"has the word {word}, which the reference has not")
        if sent and "enum" in own and "enum" not in other:
            self.say(where, "takes some words alone")
        if not sent and "enum" in other and "enum" not in own:
            self.say(where, "is an enum in the reference")
        if "items" in own:
            self.schema(where + "[]", own["items"], other.get("items", {}), sent)
        if isinstance(own.get("additionalProperties"), dict) and isinstance(other.get("additionalProperties"), dict):
            self.schema(where + "{}", own["additionalProperties"], other["additionalProperties"], sent)
        self.properties(where, own, other, sent)

    def properties(self, where, own, other, sent):
        theirs = other.get("properties")
        if theirs is None or "properties" not in own:
            return
        required = own.get("required", [])
        for name, mine in own["properties"].items():
            shown = f"{where}.{name}"
            if name not in theirs:
                self.say(shown, "is no property of the reference")
                continue
            if not sent and mine.get("nullable"):
                self.say(shown, "may be null; Jellyfin leaves it out")
            if sent and name in required and name not in other.get("required", []) and nullable(theirs[name]):
                self.say(shown, "must be sent")
            self.schema(shown, mine, theirs[name], sent)
        if sent:
            return
        for name, its in theirs.items():
            if not nullable(its) and name not in required:
                self.say(f"{where}.{name}", "is always there in the reference")


def in_path(path, parameters):
    """As they follow each other in the path: the reference declares them in another order."""
    names = re.findall(r"\{([^}]*)\}", path)
    return sorted(parameters, key=lambda parameter: names.index(parameter["name"]))


def nullable(schema):
    return bool(schema.get("nullable"))


def json_schema(part):
    for kind, content in part.get("content", {}).items():
        if kind.split(";")[0] == "application/json" and "schema" in content:
            return content["schema"]
    return None


def access_of(operation):
    """In our words; of several policies the narrowest."""
    security = operation.get("security")
    if not security:
        return "open"
    policies = [policy for each in security for scopes in each.values() for policy in scopes]
    for policy in policies:
        if policy in POLICIES:
            return POLICIES[policy]
    return "user"


def main():
    if len(sys.argv) != 4:
        print("usage: openapi_reference.py OURS REFERENCE DIFFERENCES", file=sys.stderr)
        return 2
    reference = sys.argv[2] if sys.argv[2] != "-" else os.environ.get("UNDERSTUDY_REFERENCE_OPENAPI")
    if not reference:
        print("UNDERSTUDY_REFERENCE_OPENAPI names no reference: our document is NOT compared with it")
        return 77
    meant = read(sys.argv[3])
    faults = Reference(read(sys.argv[1]), read(reference)).run()
    left = [fault for fault in faults if not any(fits(pattern, fault) for pattern in meant)]
    gone = [pattern for pattern in meant if not any(fits(pattern, fault) for fault in faults)]
    for fault in left:
        print(fault)
    for pattern in gone:
        print(f"{sys.argv[3]}: no difference any more: {pattern}")
    print(f"{sys.argv[1]}: {len(left)} fault(s) beside {len(meant) - len(gone)} difference(s) that are meant")
    return 1 if left or gone else 0


def fits(pattern, fault):
    """`*` stands for anything."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), fault) is not None


if __name__ == "__main__":
    sys.exit(main())
