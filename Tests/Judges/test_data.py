"""The data in a package, read with sqlite3 and Python's standard library."""
import csv
import json
import os

from . import cases, programs


def query(package, sql):
    return programs.must("sqlite3", "-readonly", os.path.join(package.path(), "data", "archive", "archive.sqlite"), sql).splitlines()


def records(package, kind):
    with open(os.path.join(package.path(), "data", "site", "data", f"{kind}.json"), encoding="utf-8") as file:
        return json.load(file)


class DataTest(cases.PackageTest):
    @cases.snapshots
    def test_sqlite3_finds_the_names_of_the_dead(self, package):
        wanted = [record["name"] for record in records(package, "characters") if record["status"] == "Dead"]
        self.assertTrue(wanted)
        self.assertEqual(query(package, "select name from characters where status = 'Dead'"), wanted)

    @cases.snapshots
    def test_the_views_have_every_record_and_appearance(self, package):
        characters = records(package, "characters")
        appearances = [f"{record['id']}|{url.rsplit('/', 1)[1]}" for record in characters for url in record["episode"]]
        self.assertEqual(query(package, "select character, episode from appearances"), appearances)
        for kind in ("characters", "locations", "episodes"):
            self.assertEqual(query(package, f"select id from {kind}"), [str(record["id"]) for record in records(package, kind)])
        self.assertEqual(query(package, "pragma integrity_check"), ["ok"])

    @cases.snapshots
    def test_the_csv_file_has_the_values_of_the_records(self, package):
        with open(os.path.join(package.path(), "data", "site", "data", "characters.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual(
            [(row["id"], row["name"], row["location"], row["url"]) for row in rows],
            [(str(one["id"]), one["name"], one["location"]["name"], one["url"]) for one in records(package, "characters")])
