"""What the live fuzzer asks: requests of the operations in the OpenAPI document, with values that are valid, nearly so, or absurd."""
import base64
import json
import re
import struct
import zlib

ABSURD = ["", "0", "1", "-1", "x", "true", "99999999999999999999", "1" * 32, "%00", "%zz", "%C3%28", "a,b,,c", "../..", "' OR 1=1 --",
          "\U0001F600", "<b>", "{}", "[]", "null", "2026-11-30T10:00:00Z", "A" * 3000, "NaN", "1e999", "\x7f", ",", "%", "_"]
# They end the server or the run of the test itself, or log the fuzzer's own sessions out.
LEFT_OUT = re.compile(r"/system/(restart|shutdown)|/leader/resign", re.I)
# Each would otherwise take away what the others need more often than it can be made anew.
RARE = re.compile(r"DELETE /(Library|Users/\{|Items|Devices|Collections|Playlists)|POST /(Users/New|Sessions/Logout|Library/Refresh|Auth/Keys|"
                  r"ScheduledTasks/Running|Items/\{id\}/Refresh|Startup|Users/\{userId\}/(Policy|Password|Authenticate)|Users/Password|"
                  r"Users/AuthenticateByName|Library/VirtualFolders|Library/Missing)", re.I)


def png(width, height, colour):
    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Values:
    """Of one thread. `pools` is the world's, replaced as a whole when it has changed."""

    def __init__(self, document, pools, random):
        self.schemas = document["components"]["schemas"]
        self.pools, self.random = pools, random
        self.pictures = [png(40, 60, (200, 30, 30)), png(300, 200, (20, 90, 200))]

    def resolved(self, schema):
        while True:
            if "$ref" in schema:
                schema = self.schemas[schema["$ref"].rsplit("/", 1)[1]]
            elif "allOf" in schema:
                schema = schema["allOf"][0]
            else:
                return schema

    def pool(self, *names):
        """Something real of one of these kinds; nothing real where there is none."""
        kinds = [kind for kind in names if self.pools.get(kind)]
        return self.random.choice(self.pools[self.random.choice(kinds)]) if kinds else "1" * 32

    def identifier(self, name, path):
        lower = name.lower()
        if "user" in lower:
            return self.pool("users")
        if lower in ("id", "itemid") and path.startswith("/Playlists"):
            return self.pool("playlists", "playlists", "items") if lower == "id" else self.pool("entries")
        if lower == "id" and path.startswith("/Collections"):
            return self.pool("collections", "collections", "playlists")
        if "session" in lower:
            return self.pool("sessions")
        for word, kind in (("run", "runs"), ("genre", "Genres"), ("studio", "Studios"), ("person", "Persons"), ("artist", "Artists"),
                           ("series", "Series"), ("season", "Season"), ("album", "MusicAlbum"), ("parent", "libraries"),
                           ("library", "libraries"), ("folder", "libraries")):
            if word in lower:
                return self.pool(kind, kind, "items")
        return self.pool("items", "items", "items", "libraries", "Persons", "Genres", "playlists", "collections")

    def text(self, name, path):
        lower = name.lower()
        if lower in ("task", "key") and path.startswith(("/ScheduledTasks", "/cluster")):
            return self.pool("tasks")
        if lower == "key":
            return self.pool("keys")
        if lower in ("pw", "newpw", "currentpw", "password"):
            return "sea"
        if "device" in lower or (lower == "id" and path.startswith("/Devices")):
            return self.pool("devices")
        if "entry" in lower or lower == "playlistitemid":
            return self.pool("entries")
        if "username" in lower:
            return self.pool("usernames")
        if "path" in lower:
            return self.pool("folders")
        if "tag" == lower:
            return self.pool("tags")
        if lower.endswith("id") or lower.endswith("ids"):
            return self.identifier(name, path)
        if path.startswith("/Library/VirtualFolders"):
            return self.pool("librarynames")
        if path.startswith("/Users") and lower == "name":
            return self.pool("usernames")
        return self.pool("names")

    def valid(self, schema, name, path, depth=0):
        """As JSON; a parameter's text is made of it."""
        r, schema = self.random, self.resolved(schema)
        if "enum" in schema:
            return r.choice(schema["enum"])
        kind, form = schema.get("type"), schema.get("format")
        if kind == "boolean":
            return r.random() < 0.5
        if kind == "integer":
            return r.choice([0, 1, 2, 3, 10, 50, 100, 400, 2020] + ([36_000_000_000, 1_200_000_000] if form == "int64" else []))
        if kind == "number":
            return r.choice([0, 0.5, 1, 7.5, 10])
        if kind == "array":
            return [self.valid(schema.get("items", {}), name, path, depth + 1) for _ in range(r.choice([0, 1, 1, 2, 5]))]
        if kind == "object" or "properties" in schema:
            if depth > 5:
                return {}
            rest = schema.get("additionalProperties")
            fields = {key: self.valid(value, key, path, depth + 1) for key, value in schema.get("properties", {}).items()
                      if key in schema.get("required", []) or r.random() < 0.6}
            if isinstance(rest, dict):
                fields.update({self.text("name", path): self.valid(rest, name, path, depth + 1) for _ in range(r.randrange(3))})
            return fields
        if form == "uuid":
            return self.identifier(name, path)
        if form == "date-time":
            return r.choice(["2026-11-30T10:00:00Z", "2020-01-01T00:00:00.0000000Z", "2031-05-05"])
        return self.text(name, path)

    def near(self, value):
        """What somebody might send by mistake in its place."""
        r = self.random
        if isinstance(value, bool):
            return r.choice(["True", "yes", 1, "", None])
        if isinstance(value, (int, float)):
            return r.choice([-value - 1, value + 0.5, str(value) + " ", 2**31 - 1, 2**31, -2**63, 2**63, "0x10", f"0{value}"])
        if isinstance(value, list):
            return r.choice([value * 40, value + [None], value[0] if value else "", {"0": value}])
        if isinstance(value, dict):
            return r.choice([list(value.items()), {**value, "Unknown": 1}, {key.lower(): each for key, each in value.items()}, None])
        text = str(value)
        if re.fullmatch(r"[0-9a-f]{32}", text):
            return r.choice([text.upper(), f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}", "{" + text + "}", text[:-1],
                             text + "0", text[::-1], " " + text, "0" * 32])
        return r.choice([text.swapcase(), text + "x", text[: len(text) // 2], text + "," + text, f" {text} ", text + "\0", '"' + text + '"'])

    def mixed(self, schema, name, path):
        r = self.random
        chance = r.random()
        if chance < 0.08:
            return r.choice(ABSURD)
        value = self.valid(schema, name, path)
        return self.near(value) if chance < 0.22 else value

    def as_text(self, value):
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            return ",".join(self.as_text(each) for each in value)
        if isinstance(value, dict):
            return json.dumps(value)
        return "" if value is None else str(value)

    def bent(self, value):
        """One place in it is nearly right."""
        r = self.random
        if isinstance(value, dict) and value and r.random() < 0.8:
            key = r.choice(list(value))
            return {**value, key: self.bent(value[key])}
        if isinstance(value, list) and value and r.random() < 0.5:
            return value[:-1] + [self.bent(value[-1])]
        return r.choice(ABSURD) if r.random() < 0.3 else self.near(value)

    def json_body(self, schema, path):
        r = self.random
        chance = r.random()
        if chance < 0.03:
            return b"[" * r.randrange(2000)
        if chance < 0.06:
            return bytes(r.randrange(256) for _ in range(r.randrange(300)))
        value = self.valid(schema, "", path)
        if chance < 0.3:
            value = self.bent(value)
        text = json.dumps(value).encode()
        return text[: r.randrange(len(text) + 1)] if chance > 0.96 else text

    def picture_body(self):
        r = self.random
        picture = r.choice(self.pictures)
        chance = r.random()
        if chance < 0.3:
            return picture
        if chance < 0.7:
            return base64.b64encode(picture)
        return picture[: r.randrange(len(picture))] if chance < 0.9 else self.random.choice(ABSURD).encode()


def operations(document, extra):
    """(weight, method, path, parameters, schema of the body or None, takes a picture); `extra`: (method, path) of routes without one."""
    rows = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {})
            schema = next((each["schema"] for kind, each in body.items() if kind.startswith("application/json")), None)
            rows.append((method.upper(), path, operation.get("parameters", []), schema, any(kind.startswith("image/") for kind in body)))
    known = {(row[0], re.sub(r"\{[^}]*\}", "{}", row[1]).lower()) for row in rows}
    for method, path in extra:
        if (method, re.sub(r"\{[^}]*\}", "{}", path).lower()) in known:
            continue
        names = re.findall(r"\{([^}]*)\}", path)
        parameters = [{"in": "path", "name": name, "schema": {"type": "string"}} for name in names]
        parameters += [{"in": "query", "name": name, "schema": {"type": "string"}} for name in ("userId", "id")]
        rows.append((method, path, parameters, None, method == "POST" and "Image" in path))
    return [(0.12 if RARE.match(f"{row[0]} {row[1]}") else 1.0, *row) for row in rows if not LEFT_OUT.search(row[1])]
