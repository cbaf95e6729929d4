#!/usr/bin/env python3
"""tools/api_coverage.py on a small document."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
from api_coverage import table_of, wanted_of  # noqa: E402

DOCUMENT = {"paths": {"/Users/{userId}": {"get": {"x-understudy-access": "user"}}}}
WANTED = "# Words.\n\n## T1: Users\nGET /Users/{id}\nDELETE /Users/{id}\n"


class Coverage(unittest.TestCase):
    def test_the_list_has_groups(self):
        self.assertEqual(wanted_of(WANTED), [("T1: Users", [("GET", "/Users/{id}"), ("DELETE", "/Users/{id}")])])

    def test_the_table_says_what_is_served_and_for_whom(self):
        table = table_of(DOCUMENT, wanted_of(WANTED))
        self.assertIn("| T1: Users | 1 | 2 |", table)
        self.assertIn("| `GET /Users/{id}` | users |", table)
        self.assertIn("| `DELETE /Users/{id}` | **not served** |", table)

    def test_a_file_that_is_not_so_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            repo = pathlib.Path(folder)
            for name, text in (("docs/openapi.json", json.dumps(DOCUMENT)), ("tools/api_wanted.txt", WANTED)):
                (repo / name).parent.mkdir()
                (repo / name).write_text(text)

            def run(*arguments):
                program = str(TOOLS / "api_coverage.py")
                return subprocess.run([program, *arguments, folder], capture_output=True, text=True, check=False)

            missing = run("--check")
            self.assertEqual(missing.returncode, 1)
            self.assertIn("script/build release api_docs", missing.stdout)
            self.assertEqual(run().returncode, 0)
            self.assertEqual(run("--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
