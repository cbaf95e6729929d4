"""The official client against real pods: sdk_test.py one|three. Both versions of @jellyfin/sdk log in and drive every
operation that is served, against one pod with SQLite or three pods round robin; what is not served is listed by name.

The pods are started by script/server and script/cluster with the release build and the sample library.
"""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "cluster"))
sys.dont_write_bytecode = True
from scripts_test import Scripts, free_ports  # noqa: E402

HERE = os.path.join(ROOT, "tests", "sdk")
NAME, PASSWORD = "sdk-admin", "a secret of the sdk"


class Sdk(Scripts):
    def setUp(self):
        super().setUp()
        subprocess.run([os.path.join(HERE, "install-packages")], check=True)

    def drive(self, urls):
        secret = os.path.join(self.folder, "password")
        with open(secret, "w") as file:
            file.write(PASSWORD + "\n")
        for words in (["users", "add", NAME, "--admin", "--password-file", secret],
                      ["tasks", "run", "RefreshLibrary", "--wait"]):
            code, text = self.understudy(*words)
            self.assertEqual(code, 0, f"{words}: {text}")
        failed = []
        for version in ("sdk-0.13", "sdk-1.0"):
            with tempfile.TemporaryDirectory(prefix="understudy-sdk-") as spare:
                done = subprocess.run(["node", "drive.mjs", version, ",".join(urls), NAME, PASSWORD, spare], cwd=HERE,
                                      capture_output=True, text=True, timeout=240)
            print(done.stdout + done.stderr, flush=True)
            if done.returncode != 0:
                failed.append(version)
        self.assertEqual(failed, [])

    def test_every_served_operation(self):
        if self.pods == "one":
            self.environment["UNDERSTUDY_PORT"] = port = str(free_ports(1))
            self.start("script/server", "--generate-sample").wait_for("Understudy serves http://127.0.0.1:" + port)
            self.drive(["http://127.0.0.1:" + port])
        else:
            first = free_ports(3)
            self.environment["UNDERSTUDY_PORT"] = str(first)
            self.start("script/cluster", "--generate-sample").wait_for("Ctrl-C stops everything")
            self.drive([f"http://127.0.0.1:{port}" for port in range(first, first + 3)])


if __name__ == "__main__":
    Sdk.pods = sys.argv.pop()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Sdk)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)
