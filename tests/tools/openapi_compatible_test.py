#!/usr/bin/env python3
"""tools/openapi_compatible.py on small documents."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
from openapi_compatible import Comparison  # noqa: E402


def document():
    return {
        "paths": {
            "/Users/{id}": {
                "get": {
                    "x-understudy-access": "user",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}},
                        {"name": "limit", "in": "query", "schema": {"type": "integer", "format": "int32"}},
                        {"name": "kind", "in": "query", "schema": {"$ref": "#/components/schemas/Kind"}},
                    ],
                    "responses": {"200": json_of("User")},
                },
                "post": {
                    "x-understudy-access": "admin",
                    "requestBody": {"required": False, **json_of("UserEdit")},
                    "responses": {"204": {"description": "No Content"}},
                },
            }
        },
        "components": {
            "schemas": {
                "Kind": {"type": "string", "enum": ["Big", "Small"]},
                "User": {
                    "type": "object",
                    "required": ["Name", "Kind"],
                    "properties": {
                        "Name": {"type": "string"},
                        "Kind": {"$ref": "#/components/schemas/Kind"},
                        "Friends": {"type": "array", "items": {"$ref": "#/components/schemas/User"}},
                        "Notes": {"type": "object", "additionalProperties": {"type": "string"}},
                    },
                },
                "UserEdit": {
                    "type": "object",
                    "required": ["Name"],
                    "properties": {"Name": {"type": "string"}, "Age": {"type": "integer"}},
                },
            }
        },
    }


def json_of(name):
    return {"description": "", "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}


class Compatible(unittest.TestCase):
    def breaks(self, change):
        new = copy.deepcopy(document())
        change(new)
        return Comparison(document(), new).run()

    def get(self, new):
        return new["paths"]["/Users/{id}"]["get"]

    def schema(self, new, name):
        return new["components"]["schemas"][name]

    def test_the_same_document_breaks_nothing(self):
        self.assertEqual(self.breaks(lambda new: None), [])

    def test_more_breaks_nothing(self):
        def change(new):
            new["paths"]["/More"] = {"get": {"responses": {}}}
            self.get(new)["parameters"].append({"name": "more", "in": "query", "schema": {"type": "string"}})
            self.get(new)["x-understudy-access"] = "open"
            self.schema(new, "User")["properties"]["More"] = {"type": "string"}
            self.schema(new, "User")["required"].append("Friends")
            self.schema(new, "UserEdit")["required"].clear()
            self.schema(new, "Kind")["enum"].append("Huge")
            new["paths"]["/Users/{userId}"] = new["paths"].pop("/Users/{id}")

        self.assertEqual(self.breaks(change), [])

    def test_what_is_gone_is_named(self):
        self.assertEqual(
            self.breaks(lambda new: new["paths"].clear()),
            ["GET /Users/{id}: is gone", "POST /Users/{id}: is gone"],
        )
        self.assertEqual(
            self.breaks(lambda new: new["paths"]["/Users/{id}"].pop("post")),
            ["POST /Users/{id}: is gone"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.get(new)["parameters"].pop(1)),
            ["GET /Users/{id}: parameter limit: is gone"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "User")["properties"].pop("Friends")),
            ["User.Friends: is gone"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "UserEdit")["properties"].pop("Age")),
            ["UserEdit (sent).Age: is gone"],
        )

    def test_answers_keep_their_promises(self):
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "User")["required"].remove("Name")),
            ["User.Name: may be left out now"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "User")["properties"]["Name"].update(nullable=True)),
            ["User.Name: may be null now"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "User")["properties"]["Name"].update(type="integer")),
            ["User.Name: was string, is integer"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "User")["properties"]["Notes"]["additionalProperties"].update(type="boolean")),
            ["User.Notes{}: was string, is boolean"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.get(new).update(responses={"204": {"description": ""}})),
            ["GET /Users/{id}: 200: is answered no more"],
        )

    def test_a_nullable_reference_is_seen(self):
        def change(new):
            self.schema(new, "User")["properties"]["Kind"] = {"allOf": [{"$ref": "#/components/schemas/Kind"}], "nullable": True}

        self.assertEqual(self.breaks(change), ["User.Kind: may be null now"])

    def test_words_stay(self):
        found = self.breaks(lambda new: self.schema(new, "Kind")["enum"].remove("Big"))
        self.assertEqual(found, ["Kind (sent): has no word Big any more", "Kind: has no word Big any more"])

    def test_nothing_new_must_be_sent(self):
        def parameter(new):
            key = {"name": "key", "in": "query", "required": True, "schema": {"type": "string"}}
            self.get(new)["parameters"].append(key)

        self.assertEqual(self.breaks(parameter), ["GET /Users/{id}: parameter key: is new and must be sent"])
        self.assertEqual(
            self.breaks(lambda new: self.get(new)["parameters"][1].update(required=True)),
            ["GET /Users/{id}: parameter limit: must be sent now"],
        )
        self.assertEqual(
            self.breaks(lambda new: self.schema(new, "UserEdit")["required"].append("Age")),
            ["UserEdit (sent).Age: must be sent now"],
        )
        self.assertEqual(
            self.breaks(lambda new: new["paths"]["/Users/{id}"]["post"]["requestBody"].update(required=True)),
            ["POST /Users/{id}: body: must be sent now"],
        )

    def test_nobody_is_shut_out(self):
        def access(word):
            return self.breaks(lambda new: self.get(new).update({"x-understudy-access": word}))

        self.assertEqual(access("admin"), ["GET /Users/{id}: may no longer be called by users"])
        self.assertEqual(access("wizard"), ["GET /Users/{id}: may no longer be called by users"])
        self.assertEqual(access("open"), [])

    def test_the_program_says_so_with_its_exit_code(self):
        with tempfile.TemporaryDirectory() as folder:
            old, new = pathlib.Path(folder, "old.json"), pathlib.Path(folder, "new.json")
            old.write_text(json.dumps(document()))
            new.write_text(json.dumps({"paths": {}}))
            program = str(TOOLS / "openapi_compatible.py")

            def run(*arguments):
                return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)

            self.assertEqual(run(old, old).returncode, 0)
            broken = run(old, new)
            self.assertEqual(broken.returncode, 1)
            self.assertIn("GET /Users/{id}: is gone", broken.stdout)
            self.assertEqual(run(old, folder + "/none.json").returncode, 2)
            self.assertEqual(run(old).returncode, 2)


if __name__ == "__main__":
    unittest.main()
