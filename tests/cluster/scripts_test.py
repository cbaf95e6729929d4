"""What a newcomer types: script/server, script/understudy and script/cluster on free ports, with the release build.

scripts_test.py server|cluster. Everything is kept in a folder of its own; the sample library is made once in build/sample.
"""
import atexit
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATIENCE = 90  # seconds: a loaded machine


started = []  # what must not outlive this process


def end_all():
    for each in started[:]:
        each.end()


def interrupted(number, _):
    """unittest leaves clean-ups out where a test is interrupted, and what was started hears no Ctrl-C: it has its own session."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # once is enough: the pods hand over and the databases stop
    raise KeyboardInterrupt(signal.Signals(number).name)


atexit.register(end_all)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, interrupted)


def free_ports(count):
    """The first of `count` free ports in a row."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            first = probe.getsockname()[1]
        try:
            held = []
            for port in range(first, first + count):
                held.append(socket.socket())
                held[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for each in held:
                each.close()


class Started:
    """A script in a session of its own, as a terminal would have it, with what it printed."""

    def __init__(self, words, environment):
        self.log = tempfile.NamedTemporaryFile("w+")
        self.process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=self.log, stderr=subprocess.STDOUT,
                                        stdin=subprocess.DEVNULL, start_new_session=True)
        started.append(self)

    def said(self):
        with open(self.log.name) as text:
            return text.read()

    def wait_for(self, words):
        until = time.monotonic() + PATIENCE
        while words not in self.said():
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"never said {words!r}; rc {self.process.poll()}:\n{self.said()}")
            time.sleep(0.05)

    def ctrl_c(self):
        """To the whole group, as a terminal does. Seconds until it was gone, and its exit code."""
        begun = time.monotonic()
        os.killpg(self.process.pid, signal.SIGINT)
        code = self.process.wait(PATIENCE)
        return time.monotonic() - begun, code

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(PATIENCE)
        if self in started:
            started.remove(self)
        self.log.close()


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="understudy-scripts-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        atexit.unregister(end_all)
        atexit.register(shutil.rmtree, self.folder, True)
        atexit.register(end_all)  # last in, first out: before the folder goes
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.lower().startswith(("understudy_", "jellyfin_"))}
        self.environment.update(UNDERSTUDY_BUILT="1", UNDERSTUDY_RUN=self.folder + "/run", UNDERSTUDY_ADDRESS="127.0.0.1",
                                UNDERSTUDY_DATA=self.folder + "/data", UNDERSTUDY_CLUSTER=self.folder + "/cluster")

    def start(self, *words):
        script = Started(words, self.environment)
        self.addCleanup(script.end)
        return script

    def understudy(self, *words):
        done = subprocess.run(["script/understudy", *words], cwd=ROOT, env=self.environment, capture_output=True, text=True,
                              timeout=PATIENCE)
        return done.returncode, done.stdout + done.stderr


class Server(Scripts):
    def test_the_sample_is_served_and_every_command_finds_server_key_and_data(self):
        self.environment["UNDERSTUDY_PORT"] = str(free_ports(1))
        server = self.start("script/server", "--generate-sample")
        server.wait_for("Understudy serves http://127.0.0.1:" + self.environment["UNDERSTUDY_PORT"])
        with open(f"/proc/{server.process.pid}/task/{server.process.pid}/children") as children:
            for child in children.read().split():
                with open(f"/proc/{child}/comm") as name:
                    self.assertRegex(name.read(), "^understudy", "a child of the script's, which the server does not know")
        said = server.said()
        self.assertIn("ready", said[:said.index("Understudy serves")])
        for words in (["tasks", "run", "RefreshLibrary", "--wait"], ["tasks", "run", "RefreshLibrary", "--wait"],
                      ["library", "list"], ["tasks", "list"], ["db", "status"]):
            code, text = self.understudy(*words)
            self.assertEqual(code, 0, f"{words}: {text}")
        code, text = self.understudy("items", "--types", "Season")
        self.assertIn("Northern Line", text)
        refused = subprocess.run(["script/server"], cwd=ROOT, env=self.environment, capture_output=True, text=True,
                                 timeout=PATIENCE)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is busy", refused.stderr)
        self.assertEqual(refused.stdout, "")
        seconds, code = server.ctrl_c()
        self.assertEqual(code, 0, server.said())

    def test_a_restart_over_http_begins_anew_in_the_same_process_and_a_shutdown_ends_it(self):
        port = free_ports(1)
        self.environment["UNDERSTUDY_PORT"] = str(port)
        server = self.start("script/server")
        server.wait_for("Understudy serves")
        with open(self.environment["UNDERSTUDY_DATA"] + "/admin.key") as text:
            key = text.read().strip()

        def ask(method, path):
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method,
                                             headers={"Authorization": f'MediaBrowser Token="{key}"'})
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.read().decode()

        def boot():
            return json.loads(ask("GET", "/cluster/pods"))[0]["bootId"]

        before = boot()
        ask("POST", "/System/Restart")
        server.wait_for("beginning anew")
        until = time.monotonic() + PATIENCE
        while True:
            try:
                if boot() != before:
                    break
            except (OSError, ValueError, IndexError):
                pass  # it is not ready yet
            self.assertLess(time.monotonic(), until, server.said())
            time.sleep(0.1)
        self.assertIsNone(server.process.poll(), "the same process: nobody sees an end")
        with open(f"/proc/{server.process.pid}/cmdline") as line:
            self.assertIn("--data-dir", line.read())
        kinds = [entry["Type"] for entry in json.loads(ask("GET", "/System/ActivityLog/Entries"))["Items"]]
        self.assertEqual(kinds.count("PodJoined"), 2, kinds)
        self.assertEqual(kinds.count("PodLeft"), 1, kinds)
        ask("POST", "/System/Shutdown")
        self.assertEqual(server.process.wait(PATIENCE), 0, server.said())

    def test_a_server_that_refuses_to_start_promises_no_address(self):
        self.environment["UNDERSTUDY_PORT"] = str(free_ports(1))
        inside = self.environment["UNDERSTUDY_DATA"] + "/films"
        os.makedirs(inside)
        server = self.start("script/server", "movies=" + inside)
        server.process.wait(PATIENCE)
        self.assertNotEqual(server.process.returncode, 0)
        self.assertIn("overlaps the data folder", server.said())
        self.assertNotIn("--media: --media", server.said())
        self.assertNotIn("Understudy serves", server.said())


class Cluster(Scripts):
    def refused(self, why, port):
        done = subprocess.run(["script/cluster"], cwd=ROOT, env={**self.environment, "UNDERSTUDY_PORT": str(port)},
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(why, done.stderr)

    def test_three_pods_a_leader_a_dead_pod_and_a_quick_end_that_hands_over(self):
        first = free_ports(3)
        self.environment["UNDERSTUDY_PORT"] = str(first)
        with socket.socket() as other:
            other.bind(("127.0.0.1", first + 1))
            other.listen()
            self.refused(f"port {first + 1} is busy", first)
            self.assertFalse(os.path.exists(self.folder + "/cluster"), "nothing was started")
        os.makedirs(self.folder + "/cluster")
        left = subprocess.Popen(["python3", "-c", "import time; time.sleep(600)", "--data-dir", self.folder + "/cluster/pod-2", ""])
        self.addCleanup(left.wait)
        self.addCleanup(left.kill)
        with open(self.folder + "/cluster/pod-2.pid", "w") as pid:
            pid.write(f"{left.pid}\n")
        self.refused(f"kill {left.pid} stops them", first)
        left.kill()
        left.wait()
        cluster = self.start("script/cluster")
        cluster.wait_for("Ctrl-C stops everything")
        self.refused(f"(process {cluster.process.pid}, ports from {first} on)", free_ports(3))
        self.assertRegex(cluster.said(), r"pod-[123] leads\.")
        leader = re.search(r"(pod-[123]) leads", cluster.said()).group(1)
        second = subprocess.run(["script/cluster"], cwd=ROOT, env={**self.environment, "UNDERSTUDY_PORT": str(free_ports(3))},
                                capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, "a cluster runs in .* already .*Ctrl-C")
        self.assertEqual(self.understudy("pods")[0], 0, "the first one is as it was")
        code, text = self.understudy("exec", "--lease", "nightly", "--ttl", "10s", "--no-wait", "--", "echo", "one at a time")
        self.assertEqual((code, text.strip()), (0, "one at a time"))
        pid_file = re.search(r"^  kill -9 \$\(cat (\S+)\) +# .*, the leader, dies", cluster.said(), re.M).group(1)
        self.assertTrue(pid_file.endswith(f"/cluster/{leader}.pid"), pid_file)
        with open(pid_file) as pid:
            os.kill(int(pid.read()), signal.SIGKILL)
        code, text = self.understudy("pods")
        self.assertEqual(code, 0, text)
        again = re.search(r"^  (\(\. .*)   # and comes again$", cluster.said(), re.M).group(1)
        subprocess.run(["bash", "-c", again], cwd=ROOT, env=self.environment, check=True, timeout=PATIENCE)
        until = time.monotonic() + PATIENCE
        leaders = first + int(leader[-1]) - 1
        while self.understudy("leader", "status", "--url", f"http://127.0.0.1:{leaders}")[0] != 0:
            self.assertLess(time.monotonic(), until, f"{leader} did not come again")
            time.sleep(0.2)
        logs = self.folder + "/cluster/pod-%d.log"
        with open(self.folder + "/run/env", "w") as env:
            env.write("UNDERSTUDY_URLS=of a server that was started later\n")
        cluster.ctrl_c()
        self.assertTrue(os.path.exists(self.folder + "/run/env"), "it is another's")
        for n in (1, 2, 3):
            with open(logs % n) as log:
                self.assertRegex(log.read().rstrip().splitlines()[-1], "stopped$", f"pod-{n} was not let finish ({leader} led)")
        self.environment["UNDERSTUDY_CLUSTER_KEEP"] = "1"
        self.assertTrue(os.path.exists(self.folder + "/cluster/postgres.tar"))


if __name__ == "__main__":
    unittest.main(defaultTest={"server": "Server", "cluster": "Cluster"}[sys.argv.pop()], verbosity=2)
