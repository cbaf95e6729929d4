"""The world of the live fuzzer: a server with real media, users with and without rights, lists, pictures; made anew where it was fuzzed
away."""
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

KEY = "fuzz-key-0123456789abcdef"
PASSWORD = "sea"
LIBRARIES = (("Films", "movies", "movies"), ("Series", "tvshows", "series"), ("Music", "music", "music"))
USERS = ("Ada", "Bo", "Cy")  # an administrator, one who may see all, one who sees films alone


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class World:
    def __init__(self, server, folder, media):
        self.port, self.folder, self.media = free_port(), folder, media
        self.pools, self.tokens = {}, {}
        environment = {**os.environ, "Jellyfin__Api__BootstrapKey": KEY, "Jellyfin__DataDir": folder,
                       "Jellyfin__Http__Listen": f"127.0.0.1:{self.port}", "Jellyfin__Log__Level": "error"}
        self.process = subprocess.Popen([server, "serve"], env=environment, stderr=open(folder + "/stderr", "wb"))
        self.wait_for(lambda: self.ask("GET", "/health/ready")[0] == 200, "the server did not start")

    def ask(self, method, path, body=None, token=KEY, **query):
        """(status, JSON or None); (0, None) where it does not answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        path += "?" + urllib.parse.urlencode(query, doseq=True) if query else ""
        try:
            connection.request(method, path, body=json.dumps(body) if body is not None else None, headers={
                "Authorization": f'MediaBrowser Client="world", Device="d", DeviceId="world", Version="1", Token="{token}"',
                "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text and "json" in answer.getheader("Content-Type", "") else None
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()

    def rows(self, path, **query):
        found = self.ask("GET", path, **query)[1]
        found = found.get("Items", found.get("items", [])) if isinstance(found, dict) else found
        return [each for each in found or [] if isinstance(each, dict)]

    def wait_for(self, condition, complaint, patience=60):
        until = time.monotonic() + patience
        while time.monotonic() < until and self.process.poll() is None:
            if condition():
                return
            time.sleep(0.1)
        self.process.kill()
        sys.exit(complaint + ":\n" + open(self.folder + "/stderr", errors="replace").read()[-2000:])

    def make(self):
        self.keep()
        self.wait_for(lambda: len(self.rows("/Items", recursive="true", includeItemTypes="Movie,Episode,Audio")) >= 5,
                      "the sample was not scanned")
        self.keep()
        print("world:", {kind: len(ids) for kind, ids in sorted(self.pools.items())})

    def keep(self):
        """What must be there is there again, and what there is is known."""
        there = {each.get("Name") for each in self.rows("/Library/VirtualFolders")}
        for name, kind, below in LIBRARIES:
            if name not in there:
                self.ask("POST", "/Library/VirtualFolders", body={}, name=name, collectionType=kind,
                         paths=os.path.join(self.media, below), refreshLibrary="true")
        libraries = {each.get("Name"): each.get("ItemId") for each in self.rows("/Library/VirtualFolders")}
        self.keep_users(libraries)
        items = self.rows("/Items", recursive="true", limit=300, fields="Genres")
        media = [each["Id"] for each in items if each.get("Type") in ("Movie", "Episode", "Audio")]
        for path, include in (("/Playlists", "Playlist"), ("/Collections", "BoxSet")):
            if media and not self.rows("/Items", recursive="true", includeItemTypes=include):
                body = {"Name": "Evening", "Ids": media[:4], "UserId": self.tokens["Ada"][0]} if path == "/Playlists" else None
                self.ask("POST", path, body=body, token=self.tokens["Ada"][1], **({} if body else {"name": "Sea", "ids": ",".join(media[:3])}))
        self.note(items, libraries)

    def keep_users(self, libraries):
        users = {each["Name"]: each["Id"] for each in self.rows("/Users")}
        for name in USERS:
            identifier, token = self.tokens.get(name, (None, None))
            if users.get(name) == identifier and token and self.ask("GET", "/Users/Me", token=token)[0] == 200:
                continue
            if name in users:  # its password, name or token was fuzzed away
                self.ask("DELETE", "/Users/" + users[name])
            made = self.ask("POST", "/Users/New", body={"Name": name, "Password": PASSWORD})[1] or {}
            policy = dict(made.get("Policy") or {}, IsAdministrator=name == "Ada", EnableAllFolders=name != "Cy",
                          EnabledFolders=[libraries[each] for each in ("Films",) if libraries.get(each)])
            self.ask("POST", f"/Users/{made.get('Id')}/Policy", body=policy)
            login = self.ask("POST", "/Users/AuthenticateByName", body={"Username": name, "Pw": PASSWORD}, token="")[1] or {}
            self.tokens[name] = (made.get("Id"), login.get("AccessToken", KEY))

    def note(self, items, libraries):
        pools = {"items": [each["Id"] for each in items], "libraries": list(filter(None, libraries.values())),
                 "librarynames": [name for name in libraries if name] + ["Attic"],
                 "users": [each["Id"] for each in self.rows("/Users")], "usernames": list(USERS) + ["Dee", "Ed"],
                 "folders": [os.path.join(self.media, below) for _, _, below in LIBRARIES] + [self.media, "/nowhere", self.folder]}
        for each in items:
            pools.setdefault(each.get("Type"), []).append(each["Id"])
        for kind in ("Genres", "Studios", "Persons", "Artists"):
            pools[kind] = [each["Id"] for each in self.rows("/" + kind)]
        pools["names"] = [each.get("Name") or "" for each in items[:50]] + ["Rock", "Drama", "2021", "s", "A"]
        pools["playlists"], pools["collections"] = pools.get("Playlist", []), pools.get("BoxSet", [])
        pools["entries"] = [each.get("PlaylistItemId", "") for playlist in pools["playlists"][:3]
                            for each in self.rows(f"/Playlists/{playlist}/Items", userId=self.tokens["Ada"][0])]
        pools["sessions"] = [each["Id"] for each in self.rows("/Sessions")]
        tasks = self.rows("/ScheduledTasks")
        pools["tasks"] = [each["Id"] for each in tasks] + [each["Key"] for each in tasks]
        pools["runs"] = [each.get("id", "") for each in self.rows("/cluster/runs", limit=20)]
        pools["keys"] = [each.get("AccessToken", "") for each in self.rows("/Auth/Keys")][:20]
        pools["devices"] = [each.get("Id", "") for each in self.rows("/Devices")][:50]
        pools["tags"] = [tag for each in items for tag in (each.get("ImageTags") or {}).values()]
        self.pools.update(pools)  # in place: all threads have this one

    def keep_until(self, ended):
        def run():
            while not ended.wait(3):
                self.keep()

        thread = threading.Thread(target=run)
        thread.start()
        return thread
