"""The declarations of catalogues and their schema, judged by jsonschema.

Tests/CatalogueTests/DeclarationCorpusTests.swift compares the program's verdict on the same corpus.
"""
import copy
import functools
import glob
import json
import os
import unittest

from . import programs, settings

CORPUS = os.path.join(settings.ROOT, "Tests", "CatalogueTests", "Declarations", "corpus.json")
SCHEMA = os.path.join(settings.ROOT, "catalogue.schema.json")

# Runs in the environment of jsonschema. Reads a list of texts and prints a list of errors; an error is empty if the text is valid.
JUDGE = r"""
import json, re, sys
from jsonschema import Draft202012Validator, ValidationError, validators

def pattern(validator, wanted, value, schema):
    # In the regular expressions of JSON Schema (ECMA-262), $ does not match before a line break at the end.
    if isinstance(value, str) and not re.search(re.sub(r"\$(?=\)|$)", r"\\Z", wanted), value):
        yield ValidationError(f"{value!r} does not match {wanted!r}")

schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
judge = validators.extend(Draft202012Validator, {"pattern": pattern})(schema)
errors = [next(judge.iter_errors(json.loads(text)), None) for text in json.load(sys.stdin)]
json.dump([f"{error.json_path}: {error.message}" if error else "" for error in errors], sys.stdout)
"""


@functools.cache
def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def errors(texts):
    """The first error of each declaration; empty for valid ones."""
    python = os.path.join(settings.JSON_SCHEMA, "bin", "python")
    return json.loads(programs.must(python, "-c", JUDGE, SCHEMA, given=json.dumps(texts)))


def place(tree, path):
    """The container and the key of a path such as "figures.0.most"."""
    *outer, last = path.split(".")
    for step in outer:
        tree = tree[int(step) if isinstance(tree, list) else step]
    return tree, int(last) if isinstance(tree, list) else last


def changed(base, case):
    """The declaration of a case."""
    tree = copy.deepcopy(base)
    for path, value in case.get("set", {}).items():
        container, key = place(tree, path)
        container[key] = value
    for path in case.get("remove", []):
        container, key = place(tree, path)
        del container[key]
    if "many" in case:
        many = case["many"]
        names = [f"x{number}" for number in range(many["count"])]
        container, key = place(tree, many["at"])
        container[key] = {name: many["value"] for name in names} if "value" in many else names
    return json.dumps(tree).replace('"RAW"', case.get("raw", '"RAW"'))


def objects(schema):
    """Every object of the schema that refuses unknown keys, with its keys."""
    found = [schema, *schema["$defs"].values()]
    return [set(each["properties"]) for each in found if each.get("additionalProperties") is False]


def keys(tree):
    if isinstance(tree, dict):
        return set(tree).union(*map(keys, tree.values()))
    return set().union(*map(keys, tree)) if isinstance(tree, list) else set()


class DeclarationTest(unittest.TestCase):
    def test_jsonschema_agrees_with_the_shape_of_every_case(self):
        corpus = read(CORPUS)
        self.assertGreaterEqual(len(corpus["cases"]), 400)
        found = errors([changed(corpus[case.get("base", "base")], case) for case in corpus["cases"]])
        for case, error in zip(corpus["cases"], found):
            with self.subTest(case["name"]):
                self.assertEqual(error == "", case.get("shape", True), error)

    def test_every_key_of_the_schema_is_in_a_base_and_described(self):
        schema, corpus = read(SCHEMA), read(CORPUS)
        # The bases have most keys. The keys of the paginators exclude each other, so they are in valid cases.
        added = [case.get("set", {}) for case in corpus["cases"] if case.get("shape", True)]
        bases = keys([corpus["base"], corpus["roots"], added]) | {path.split(".")[-1] for each in added for path in each}
        for known in objects(schema):
            self.assertEqual(known - bases, set())
        for each in [schema, *schema["$defs"].values()]:
            for key, value in each.get("properties", {}).items():
                with self.subTest(key):
                    self.assertTrue(value.get("description", "").endswith("."))

    def test_the_program_knows_exactly_the_keys_of_the_schema(self):
        # Messages about unknown keys list the program's keys. A figure and a paginator have those of their type.
        mark = "the keys are: "
        key_lists = [case["fault"][1].split(mark)[1].split(", ") for case in read(CORPUS)["cases"] if mark in case.get("fault", ["", ""])[1]]
        figures = [set(known) for known in key_lists if known[:3] == ["id", "type", "of"]]
        rules = set(read(SCHEMA)["$defs"]["paginator"]["properties"])
        paginators = [set(known) for known in key_lists if set(known) <= rules]
        others = [set(known) for known in key_lists]
        for known in objects(read(SCHEMA)):
            with self.subTest(sorted(known)):
                self.assertIn(known, [*others, set().union(*figures), set().union(*paginators)])

    def test_the_catalogues_that_come_with_amber_are_valid(self):
        files = sorted(glob.glob(os.path.join(settings.ROOT, "Catalogues", "*", "catalogue.json")))
        self.assertTrue(files)
        for file, error in zip(files, errors([json.dumps(read(file)) for file in files])):
            with self.subTest(os.path.relpath(file, settings.ROOT)):
                self.assertEqual(error, "")
