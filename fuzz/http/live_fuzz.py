#!/usr/bin/env python3
"""Fuzzes a real server over real sockets: fuzz/http/live_fuzz.py SERVER [--media DIR] [--seconds N] [--rate PER_MINUTE] [--seed S]

Starts SERVER (the binary `understudy`, its worker beside it) on SQLite in a folder of its own, with the media of script/sample as its
libraries, users, lists and pictures; asks each operation of its OpenAPI document, and each path of docs/api.md that is not in it, with
values that are valid, nearly so, and absurd; opens event sockets and treats them badly. Ends with 1 where an answer was a 5xx other than
501 and 503, where the server ended or was silent, where its memory or descriptors grew, or where hardly anything was answered well: then
nothing was tested.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from live_values import LEFT_OUT, Values, operations
from live_world import KEY, World

HONEST = {501, 503}  # not done here; starting, overloaded


def documented_paths(repo):
    found = set()
    for line in (repo / "docs" / "api.md").read_text().splitlines():
        methods = ["GET"]
        for span in re.findall(r"`([^`]+)`", line):
            methods = re.findall(r"\b(?:GET|HEAD|POST|PUT|DELETE)\b", span) or methods
            for path in re.findall(r"(?:^|\s)(/[A-Za-z][\w./{}*-]*)", span):
                found.update((method, path.rstrip(".")) for method in methods)
    return sorted(row for row in found if not LEFT_OUT.search(row[1]))


class Fuzzer:
    def __init__(self, world, document, rows, seed):
        self.world, self.rows, self.random = world, rows, random.Random(seed)
        self.weights = [row[0] for row in rows]
        self.values = Values(document, world.pools, self.random)

    def target(self, path, parameters):
        r, values, query = self.random, self.values, []
        names = [each for each in parameters if each["in"] == "path"]
        for each in names:
            value = values.as_text(values.mixed(each["schema"], each["name"], path))
            path_text = value if r.random() < 0.03 else urllib.parse.quote(value, safe="%")
            path = path.replace("{" + each["name"] + "}", path_text or "x")
        given = [each for each in parameters if each["in"] == "query"]
        for each in given:
            if each.get("required") or r.random() < min(0.5, 4 / len(given)):
                query.append((each["name"], values.as_text(values.mixed(each["schema"], each["name"], path))))
        if query and r.random() < 0.05:
            query.append(r.choice(query))
        if r.random() < 0.03:
            path = "".join(r.choice([c.lower(), c.upper()]) for c in path)
        if r.random() < 0.02:
            at = r.randrange(len(path) + 1)
            path = path[:at] + r.choice(["/", "//", "%2F", "%00", "?", "#", "..", "\x7f"]) + path[at:]
        text = path + ("?" + "&".join(f"{name}={urllib.parse.quote(value, safe='%,')}" for name, value in query) if query else "")
        return text.replace(" ", "+").replace("\0", "%00")

    def token(self):
        known = [token for _, token in list(self.world.tokens.values())]
        return self.random.choice([KEY] * 4 + known * 3 + [None, "nonsense", "0" * 32])

    def request(self):
        r = self.random
        _, method, path, parameters, schema, picture = r.choices(self.rows, self.weights)[0]
        target, body = self.target(path, parameters), b""
        if r.random() < 0.03:
            method = r.choice(["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "BREW"])
        if method in ("POST", "PUT"):
            body = self.values.picture_body() if picture else self.values.json_body(schema, path) if schema else b""
        head = [f"{method} {target} HTTP/1.1", "Host: fuzz"]
        token = self.token()
        if token:
            head.append(r.choice([f'Authorization: MediaBrowser Client="f", Device="d", DeviceId="d{r.randrange(5)}", Version="1", '
                                  f'Token="{token}"', f"X-Emby-Token: {token}"]))
        if body or method == "POST":
            head.append(f"Content-Length: {len(body)}")
            usual = "image/png" if picture else "application/json"
            head.append("Content-Type: " + (usual if r.random() < 0.9 else r.choice(["text/plain", "x", "application/json;;"])))
        for name, given in (("Accept", ["image/webp", 'application/json; profile="CamelCase"', "*/*", ";;;"]),
                            ("Accept-Encoding", ["gzip", "gzip;q=0", "*", "br, gzip;q=0.5"]), ("If-None-Match", ["*", '"x"', "W/"]),
                            ("Range", ["bytes=0-1", "bytes=-", "x"]), ("Origin", ["http://a"]), ("X-Forwarded-For", ["::", "1.2.3.4"])):
            if r.random() < 0.1:
                head.append(f"{name}: {r.choice(given)}")
        return method, f"{method} {path}", "\r\n".join(head).encode("utf-8", "replace") + b"\r\n\r\n" + body

    def nonsense(self):
        r = self.random
        return r.choice([b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00" + bytes(range(200)),
                         b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                         b"POST /Users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                         b"POST /Users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
                         b"POST /Users HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a" * 20000,
                         bytes(r.randrange(256) for _ in range(r.randrange(1, 400)))])

    def frame(self):
        """One of an event socket."""
        r = self.random
        kind = r.choice(["KeepAlive", "SessionsStart", "SessionsStop", "ScheduledTasksInfoStart", "ScheduledTasksInfoStop",
                         "ActivityLogEntryStart", "ActivityLogEntryStop", "Play", ""])
        text = json.dumps({"MessageType": kind, "Data": r.choice(["0,250", "0,1500", "-1,-1", "x", "", None, 7, "9" * 30 + ",1"])}).encode()
        if r.random() < 0.2:
            text = self.values.bent({"MessageType": kind, "Data": "0,250"})
            text = json.dumps(text).encode()
        if r.random() < 0.1:
            text = bytes(r.randrange(256) for _ in range(r.randrange(200)))
        opcode = 1 if r.random() < 0.9 else r.randrange(16)
        if r.random() < 0.03:
            return bytes(r.randrange(256) for _ in range(r.randrange(1, 40)))
        size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
        return bytes([0x80 | opcode]) + size + b"\0\0\0\0" + text


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.file = self.socket.makefile("rb")

    def close(self):
        self.file.close()
        self.socket.close()

    def answer(self, method):
        """(status, stays open); (0, False) where the server hung up."""
        line = self.file.readline()
        if not line:
            return 0, False
        status, length, stays = int(line.split()[1]), 0, True
        while True:
            header = self.file.readline().strip().lower()
            if not header:
                break
            if header.startswith(b"content-length:"):
                length = int(header.split(b":")[1])
            if header == b"connection: close":
                stays = False
        if method != "HEAD" and status not in (204, 304):
            self.file.read(length)
        return status, stays


def work(world, fuzzer, rate, until, report):
    connection, began, sent = None, time.monotonic(), 0
    while time.monotonic() < until:
        ahead = began + sent / rate - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        requests = []
        try:
            connection = connection or Connection(world.port)
            kind = fuzzer.random.random()
            if kind < 0.02:  # no HTTP, or half of a request: what comes is of no interest, that others are answered is
                connection.socket.sendall(fuzzer.nonsense() if kind < 0.01 else fuzzer.request()[2][:40])
                sent += 1
                connection.close()
                connection = None
                continue
            requests = [fuzzer.request() for _ in range(3 if kind > 0.95 else 1)]
            connection.socket.sendall(b"".join(bytes_ for _, _, bytes_ in requests))
            for method, name, bytes_ in requests:
                sent += 1
                status, stays = connection.answer(method)
                report(status, name, bytes_)
                if not stays:
                    connection.close()
                    connection = None
                    break
        except socket.timeout:
            report(-1, requests[0][1] if requests else "", requests[0][2] if requests else b"")
            connection.close()
            connection = None
        except (OSError, ValueError, IndexError):
            if connection:
                connection.close()
            connection = None
            report(0, requests[0][1] if requests else "", requests[0][2] if requests else b"")
    if connection:
        connection.close()


def work_sockets(world, fuzzer, until, opened):
    """Event sockets that are listened to, spoken to in tongues, never read, and left without a word."""
    r, held = fuzzer.random, []
    while time.monotonic() < until:
        time.sleep(0.05)
        try:
            if len(held) < 20:
                connection = Connection(world.port)
                connection.socket.settimeout(5)
                token = urllib.parse.quote(fuzzer.token() or "")
                connection.socket.sendall(f"GET /socket?api_key={token}&deviceId=d{r.randrange(5)} HTTP/1.1\r\nHost: x\r\n"
                                          "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
                if b"101" not in connection.file.readline():
                    connection.close()
                    continue
                opened.append(1)
                held.append(connection)
            connection = r.choice(held)
            connection.socket.sendall(fuzzer.frame())
            if r.random() < 0.2:
                connection.file.read1(4096)
            if r.random() < 0.1:
                held.remove(connection)
                connection.close()
        except OSError:
            if connection in held:
                held.remove(connection)
            connection.close()
    for connection in held:
        connection.close()


def resources(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)), len(os.listdir(f"/proc/{pid}/fd"))


def settle(world, ended):
    """When the fuzzing is over: what the server has begun for it is done, so that two moments can be compared."""
    until = time.monotonic() + 60
    while time.monotonic() < until and world.process.poll() is None:
        busy = [each for each in world.rows("/ScheduledTasks") if each.get("State") != "Idle"]
        if not busy:
            break
        time.sleep(0.5)
    time.sleep(2)  # connections that were left half-way are closed by then
    ended.set()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--media", help="a folder as script/sample makes it; else it is made")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rate", type=float, default=10000, help="requests a minute")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    repo = pathlib.Path(__file__).resolve().parent.parent.parent
    counts, by_name, faults, lock = collections.Counter(), collections.Counter(), [], threading.Lock()

    def report(status, name, request):
        with lock:
            counts[status] += 1
            if 200 <= status < 400:
                by_name[name] += 1
            if status == -1 or (status >= 500 and status not in HONEST):
                faults.append((status, request))

    with tempfile.TemporaryDirectory(prefix="understudy-fuzz-") as folder:
        data, media = os.path.join(folder, "data"), os.path.join(folder, "media")
        os.mkdir(data)
        if options.media:
            shutil.copytree(options.media, media)
        else:
            subprocess.run([repo / "script" / "sample", media], check=True)
        world = World(options.server, data, media)
        world.make()
        document = world.ask("GET", "/api-docs/openapi.json")[1]
        rows = operations(document, documented_paths(repo))
        print(f"seed {options.seed}, {len(rows)} operations")
        until, threads, ended, opened = time.monotonic() + options.seconds, 8, threading.Event(), []
        fuzzers = [Fuzzer(world, document, rows, options.seed + i) for i in range(threads + 1)]
        workers = [threading.Thread(target=work, args=(world, fuzzer, options.rate / 60 / threads, until, report))
                   for fuzzer in fuzzers[1:]]
        workers.append(threading.Thread(target=work_sockets, args=(world, fuzzers[0], until, opened)))
        keeper = world.keep_until(ended)
        for worker in workers:
            worker.start()
        time.sleep(options.seconds * 0.3)
        memory, descriptors = resources(world.process.pid) if world.process.poll() is None else (0, 0)
        for worker in workers:
            worker.join()
        settle(world, ended)
        keeper.join()
        alive = world.process.poll() is None
        memory_after, descriptors_after = resources(world.process.pid) if alive else (0, 0)
        world.process.send_signal(signal.SIGTERM)
        try:
            code = world.process.wait(60)
        except subprocess.TimeoutExpired:
            world.process.kill()
            code = "none within 60 s of SIGTERM"
        log = open(data + "/stderr", errors="replace").read()
    reached = {f"{method} {path}" for _, method, path, *_ in rows} & set(by_name)
    total, good = sum(counts.values()), sum(count for status, count in counts.items() if 200 <= status < 400)
    print("answers:", total, dict(sorted(counts.items())), "(0: hung up, as on what is no HTTP)")
    print(f"{good} good answers, of {len(reached)} of {len(rows)} operations; {len(opened)} event sockets")
    print(f"memory {memory} -> {memory_after} KiB, descriptors {descriptors} -> {descriptors_after}, exit {code}")
    for status, request in faults[:20]:
        print(f"FAULT {status}: {request[:800]!r}")
    bad = bool(faults)

    def fault(is_so, text):
        nonlocal bad
        if is_so:
            print("FAULT:", text)
        bad = bad or is_so

    fault(not alive or code != 0, "the server ended by itself, or badly:\n" + log[-3000:])
    # A warm server still fills caches and allocator arenas; a leak of 1 KiB a request would be ten times this in 5 min.
    fault(memory_after > memory * 1.25 + 16 * 1024, "memory grew")
    fault(descriptors_after > descriptors + 8, "descriptors grew")
    fault(total < options.seconds * options.rate / 60 * 0.5, f"only {total} answers: too slow, or stuck")
    fault(good < total * 0.3 or len(reached) < len(rows) * 0.4, "hardly anything was answered well: the paths are not reached")
    errors = collections.Counter(re.sub(r"[0-9a-f]{16,}|\d+", "#", line[32:]) for line in log.splitlines() if " error " in line)
    for line, count in errors.most_common(8):
        print(f"log {count}x: {line[:300]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
