#!/usr/bin/env python3
"""Fuzzes a real server over real sockets: fuzz/http/live_fuzz.py SERVER [--seconds N] [--rate PER_MINUTE] [--seed S]

Starts SERVER (the binary `understudy`) on SQLite in a folder of its own, asks it things that make sense and things that do
not, with and without a token, and ends with 1 where an answer was a 5xx other than 501 and 503, where the server ended or
was silent, or where its memory or descriptors grew. Paths come from docs/api.md: what is documented is fuzzed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

KEY = "fuzz-key-0123456789abcdef"
HONEST = {501, 503}  # not done here; starting, overloaded
# They end the server or the run of the test itself.
LEFT_OUT = re.compile(r"/system/(restart|shutdown)|/leader/resign", re.I)
VALUES = ["", "0", "1", "-1", "x", "true", "99999999999999999999", "1" * 32, "2" * 32, "%00", "%zz", "%C3%28", "a,b,,c", "../..",
          "' OR 1=1 --", "\U0001F600", "<b>", "{}", "[]", "null", "2026-11-30T10:00:00Z", "A" * 3000, "NaN", "1e999"]
KEYS = ["userId", "limit", "startIndex", "ids", "fields", "parentId", "recursive", "includeItemTypes", "sortBy", "sortOrder",
        "maxWidth", "fillHeight", "quality", "format", "tag", "name", "path", "searchTerm", "filters", "isPlayed", "count", "task",
        "minDate", "id", "ApiKey", "api_key", "years", "client", "newIndex", "entryIds", "index"]


def documented_paths(repo):
    text = (repo / "docs" / "api.md").read_text()
    found = set()
    for line in text.splitlines():
        methods = ["GET"]
        for span in re.findall(r"`([^`]+)`", line):
            methods = re.findall(r"\b(?:GET|HEAD|POST|PUT|DELETE)\b", span) or methods
            for path in re.findall(r"(?:^|\s)(/[A-Za-z][\w./{}*-]*)", span):
                found.update((method, path.rstrip(".")) for method in methods)
    return sorted(row for row in found if not LEFT_OUT.search(row[1]))


class Fuzzer:
    def __init__(self, port, paths, seed):
        self.port, self.paths, self.random = port, paths, random.Random(seed)

    def route(self):
        """A method and a path, mostly of those that are documented together."""
        r = self.random
        method, path = r.choice(self.paths)
        if r.random() < 0.2:
            method = r.choice(["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "BREW"])
        path = re.sub(r"\{[^}]*\}", lambda _: r.choice(["1" * 32, "2" * 32, "9" * 32, "0", r.choice(VALUES)]), path)
        if r.random() < 0.1:
            path = "".join(r.choice([c.lower(), c.upper()]) for c in path)
        if r.random() < 0.05:
            at = r.randrange(len(path) + 1)
            path = path[:at] + r.choice(["/", "//", "%2F", "%00", "?", "#", "..", "\x7f"]) + path[at:]
        query = "&".join(f"{r.choice(KEYS)}={r.choice(VALUES)}" for _ in range(r.choice([0, 0, 1, 2, 5])))
        return method, (path + ("?" + query if query else "")).replace(" ", "+")

    def body(self):
        r = self.random

        def value(depth):
            kind = r.randrange(8 if depth < 4 else 6)
            if kind == 6:
                return [value(depth + 1) for _ in range(r.randrange(4))]
            if kind == 7:
                return {r.choice(["Name", "Id", "Pw", "Username", "Type", "TimeOfDayTicks", "Ids", "UserId", "Password", "enabled",
                                  "paused", "LibraryOptions", "x"]): value(depth + 1) for _ in range(r.randrange(5))}
            return r.choice([None, True, 7, -1, 1 << 62, 0.5, r.choice(VALUES)])

        kind = r.randrange(6)
        if kind == 0:
            return b""
        if kind == 1:
            return bytes(r.randrange(256) for _ in range(r.randrange(300)))
        if kind == 2:
            return b"[" * r.randrange(2000)
        text = json.dumps(value(0)).encode()
        return text[: r.randrange(len(text) + 1)] if kind == 3 else text

    def request(self):
        r = self.random
        method, path = self.route()
        body = self.body() if method in ("POST", "PUT", "DELETE") else b""
        head = [f"{method} {path} HTTP/1.1", "Host: fuzz"]
        token = r.choice([KEY] * 5 + [None, "nonsense", "0" * 32])
        if token:
            head.append(r.choice([f'Authorization: MediaBrowser Client="f", DeviceId="d", Token="{token}"', f"X-Emby-Token: {token}"]))
        if body or method == "POST":
            head.append(f"Content-Length: {len(body)}")
            head.append("Content-Type: " + r.choice(["application/json", "text/plain", "image/png", "x"]))
        for name, values in (("Accept", ["image/webp", 'application/json; profile="CamelCase"', "*/*", ";;;"]),
                             ("Accept-Encoding", ["gzip", "gzip;q=0", "*", "br, gzip;q=0.5"]), ("If-None-Match", ["*", '"x"', "W/"]),
                             ("Range", ["bytes=0-1", "bytes=-", "x"]), ("Origin", ["http://a"]), ("X-Forwarded-For", ["::", "1.2.3.4"])):
            if r.random() < 0.2:
                head.append(f"{name}: {r.choice(values)}")
        return method, "\r\n".join(head).encode("utf-8", "replace") + b"\r\n\r\n" + body

    def nonsense(self):
        r = self.random
        return r.choice([b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00" + bytes(range(200)),
                         b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                         b"POST /Users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                         b"POST /Users HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a" * 20000,
                         bytes(r.randrange(256) for _ in range(r.randrange(1, 400)))])


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


def work(port, paths, seed, rate, until, report):
    fuzzer, connection = Fuzzer(port, paths, seed), None
    began, sent = time.monotonic(), 0
    while time.monotonic() < until:
        ahead = began + sent / rate - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        requests = []
        try:
            connection = connection or Connection(port)
            kind = fuzzer.random.random()
            if kind < 0.03:  # no HTTP, or half of a request: what comes is of no interest, that others are answered is
                connection.socket.sendall(fuzzer.nonsense() if kind < 0.02 else fuzzer.request()[1][:40])
                sent += 1
                connection.close()
                connection = None
                continue
            requests = [fuzzer.request() for _ in range(3 if kind > 0.95 else 1)]
            connection.socket.sendall(b"".join(bytes_ for _, bytes_ in requests))
            for method, bytes_ in requests:
                sent += 1
                status, stays = connection.answer(method)
                report(status, bytes_)
                if not stays:
                    connection.close()
                    connection = None
                    break
        except (ConnectionError, ValueError, IndexError):
            if connection:
                connection.close()
            connection = None
            report(0, requests[0][1] if requests else b"")
        except socket.timeout:
            report(-1, requests[0][1] if requests else b"")
            connection.close()
            connection = None
    if connection:
        connection.close()


def resources(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)), len(os.listdir(f"/proc/{pid}/fd"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(server, folder, port):
    environment = {**os.environ, "Jellyfin__Api__BootstrapKey": KEY, "Jellyfin__DataDir": folder,
                   "Jellyfin__Http__Listen": f"127.0.0.1:{port}", "Jellyfin__Log__Level": "error"}
    process = subprocess.Popen([server, "serve"], env=environment, stderr=open(folder + "/stderr", "wb"))
    for _ in range(300):
        try:
            connection = Connection(port)
            connection.socket.sendall(b"GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n")
            status, _ = connection.answer("GET")
            connection.close()
            if status == 200:
                return process
        except OSError:
            pass
        if process.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit("the server did not start:\n" + open(folder + "/stderr", errors="replace").read()[-2000:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rate", type=float, default=10000, help="requests a minute")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    repo = pathlib.Path(__file__).resolve().parent.parent.parent
    paths = documented_paths(repo)
    print(f"seed {options.seed}, {len(paths)} documented paths")
    counts, faults, lock = {}, [], threading.Lock()

    def report(status, request):
        with lock:
            counts[status] = counts.get(status, 0) + 1
            if status == -1 or (status >= 500 and status not in HONEST):
                faults.append((status, request))

    with tempfile.TemporaryDirectory(prefix="understudy-fuzz-") as folder:
        port = free_port()
        process = start(options.server, folder, port)
        until, threads = time.monotonic() + options.seconds, 4
        workers = [threading.Thread(target=work, args=(port, paths, options.seed + i, options.rate / 60 / threads, until, report))
                   for i in range(threads)]
        for worker in workers:
            worker.start()
        time.sleep(options.seconds * 0.3)
        memory, descriptors = resources(process.pid)
        for worker in workers:
            worker.join()
        time.sleep(2)  # connections that were left half-way are closed by then
        alive = process.poll() is None
        memory_after, descriptors_after = resources(process.pid) if alive else (0, 0)
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            code = "none within 30 s of SIGTERM"
        log = open(folder + "/stderr", errors="replace").read()[-3000:]
    print("answers:", dict(sorted(counts.items())), "(0: hung up, as on what is no HTTP)")
    print(f"memory {memory} -> {memory_after} KiB, descriptors {descriptors} -> {descriptors_after}, exit {code}")
    for status, request in faults[:20]:
        print(f"FAULT {status}: {request[:600]!r}")
    bad = bool(faults)
    if not alive or code != 0:
        print("FAULT: the server ended by itself, or badly:\n" + log)
        bad = True
    # A warm server still fills caches and allocator arenas; a leak of 1 KiB a request would be ten times this in 5 min.
    if memory_after > memory * 1.25 + 16 * 1024:
        print("FAULT: memory grew")
        bad = True
    if descriptors_after > descriptors + 8:
        print("FAULT: descriptors grew")
        bad = True
    total = sum(counts.values())
    if total < options.seconds * options.rate / 60 * 0.5:
        print(f"FAULT: only {total} answers: too slow, or stuck")
        bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
