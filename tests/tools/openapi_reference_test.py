#!/usr/bin/env python3
"""tools/openapi_reference.py on small documents."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
from openapi_reference import Reference, access_of  # noqa: E402


def of_user():
    return {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}


def reference():
    return {
        "paths": {
            "/Users/{userId}": {
                "get": {
                    "operationId": "GetUser",
                    "tags": ["User"],
                    "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "format": "int32"}}],
                    "responses": {"200": of_user()},
                    "security": [{"CustomAuthentication": ["RequiresElevation", "DefaultAuthorization"]}],
                }
            },
            "/Unserved": {"get": {}},
        },
        "components": {
            "schemas": {
                "User": {
                    "type": "object",
                    "properties": {
                        "Id": {"type": "string", "format": "uuid"},
                        "Kind": {"oneOf": [{"$ref": "#/components/schemas/Kind"}]},
                        "Name": {"type": "string", "nullable": True},
                    },
                },
                "Kind": {"type": "string", "enum": ["Big", "Small"]},
            }
        },
    }


def ours():
    document = copy.deepcopy(reference())
    del document["paths"]["/Unserved"]
    operation = document["paths"].pop("/Users/{userId}")["get"]
    document["paths"]["/users/{id}"] = {"get": operation}
    operation["x-understudy-access"] = "admin"
    schemas = document["components"]["schemas"]
    schemas["User"]["required"] = ["Id", "Kind"]
    schemas["User"]["properties"]["Kind"] = {"$ref": "#/components/schemas/Kind"}
    schemas["User"]["properties"]["Name"] = {"type": "string"}
    return document


class AgainstTheReference(unittest.TestCase):
    def faults(self, change):
        document = ours()
        change(document["paths"]["/users/{id}"]["get"], document["components"]["schemas"])
        return Reference(document, reference()).run()

    def test_what_agrees_has_no_faults(self):
        self.assertEqual(self.faults(lambda get, schemas: None), [])

    def test_names_and_access_agree(self):
        where = "GET /users/{id}: "
        self.assertEqual(self.faults(lambda get, _: get.update(operationId="X")), [where + "is called GetUser"])
        self.assertEqual(self.faults(lambda get, _: get.update(tags=["X"])), [where + "has the tag User"])
        self.assertEqual(
            self.faults(lambda get, _: get.update({"x-understudy-access": "user"})),
            [where + "is for user, in the reference for admin"],
        )

    def test_each_policy_of_the_reference_has_our_word(self):
        for policy, word in {
            "RequiresElevation": "admin",
            "FirstTimeSetupOrElevated": "wizard",
            "FirstTimeSetupOrDefault": "wizard_or_user",
            "FirstTimeSetupOrIgnoreParentalControl": "wizard_or_user",
            "DefaultAuthorization": "user",
        }.items():
            self.assertEqual(access_of({"security": [{"CustomAuthentication": [policy]}]}), word, policy)
        self.assertEqual(access_of({}), "open")

    def test_answers_have_what_typed_clients_cannot_miss(self):
        def properties(schemas):
            return schemas["User"]["properties"]

        self.assertEqual(
            self.faults(lambda _, schemas: schemas["User"]["required"].remove("Kind")),
            ["User.Kind: is always there in the reference"],
        )
        self.assertEqual(
            self.faults(lambda _, schemas: properties(schemas).update(More={"type": "string"})),
            ["User.More: is no property of the reference"],
        )
        self.assertEqual(
            self.faults(lambda _, schemas: properties(schemas)["Name"].update(nullable=True)),
            ["User.Name: may be null; Jellyfin leaves it out"],
        )
        self.assertEqual(
            self.faults(lambda _, schemas: properties(schemas)["Id"].pop("format")),
            ["User.Id: is of no format, in the reference uuid"],
        )
        self.assertEqual(
            self.faults(lambda _, schemas: schemas["Kind"]["enum"].append("Huge")),
            ["Kind: has the word Huge, which the reference has not"],
        )

    def test_parameters_are_known(self):
        where = "GET /users/{id}: parameter "
        own = {"name": "own", "in": "query", "schema": {"type": "string"}}
        self.assertEqual(
            self.faults(lambda get, _: get["parameters"].append(own)), [where + "own: is none of the reference"]
        )
        self.assertEqual(
            self.faults(lambda get, _: get["parameters"][0].update(required=True)), [where + "limit: must be sent"]
        )
        self.assertEqual(
            self.faults(lambda get, _: get["parameters"][0].update(schema={"type": "string"})),
            [where + "limit: is string, in the reference integer"],
        )

    def test_parameters_of_the_path_are_compared_in_its_order(self):
        def parameters(first, second, types):
            named = [{"name": name, "in": "path", "schema": {"type": types[name]}} for name in (first, second)]
            return {"get": {**reference()["paths"]["/Users/{userId}"]["get"], "parameters": named}}

        theirs, document = reference(), ours()
        theirs["paths"]["/A/{x}/{y}"] = parameters("y", "x", {"x": "integer", "y": "string"})
        for types, faults in (({"a": "integer", "b": "string"}, []),
                              ({"a": "string", "b": "string"}, ["GET /A/{a}/{b}: {a}: is string, in the reference integer"])):
            document["paths"]["/A/{a}/{b}"] = parameters("a", "b", types)
            document["paths"]["/A/{a}/{b}"]["get"]["x-understudy-access"] = "admin"
            self.assertEqual(Reference(document, theirs).run(), faults)

    def test_operations_that_it_has_not_are_named_but_our_own_surface(self):
        document = ours()
        own = {"tags": ["User"], "operationId": "X", "responses": {}, "x-understudy-access": "user"}
        document["paths"]["/Own"] = {"get": own}
        document["paths"]["/cluster"] = {"get": own | {"tags": ["Cluster"]}}
        document["paths"]["/Older"] = {"get": own | {"deprecated": True}}
        self.assertEqual(Reference(document, reference()).run(), ["GET /Own: is no operation of the reference"])

    def test_differences_that_are_meant_are_no_faults_while_they_are_there(self):
        document = ours()
        document["paths"]["/users/{id}"]["get"]["tags"] = ["X"]
        with tempfile.TemporaryDirectory() as folder:

            def run(differences, reference_name=None):
                files = []
                for name, content in (("ours", document), ("reference", reference()), ("differences", differences)):
                    file = pathlib.Path(folder, name)
                    file.write_text(json.dumps(content))
                    files.append(str(file))
                files[1] = reference_name or files[1]
                environment = {k: v for k, v in os.environ.items() if k != "UNDERSTUDY_REFERENCE_OPENAPI"}
                program = str(TOOLS / "openapi_reference.py")
                return subprocess.run([program, *files], capture_output=True, text=True, check=False, env=environment)

            self.assertEqual(run({"GET /users/{id}: has the tag *": "why"}).returncode, 0)
            self.assertEqual(run({}).returncode, 1)
            stale = run({"GET /users/{id}: has the tag User": "why", "User.Id: *": "why"})
            self.assertEqual(stale.returncode, 1)
            self.assertIn("no difference any more: User.Id: *", stale.stdout)
            self.assertEqual(run({}, "-").returncode, 77)


if __name__ == "__main__":
    unittest.main()
