"""The WACZ and its WARC, checked by py-wacz, by warcio and by this file."""
import base64
import hashlib
import json
import os
import re
import shutil
import zipfile

from . import cases, packages, programs, settings, warc

FILES = ["archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl", "datapackage.json", "datapackage-digest.json"]


def digest(data):
    return "sha256:" + base64.b32encode(hashlib.sha256(data).digest()).decode()


def check(file):
    """warcio's exit code, its result for each record, and its whole output."""
    code, output = programs.run(os.path.join(settings.WACZ, "warcio"), "check", "-v", file)
    return code, [line.strip() for line in output.splitlines() if line.startswith("    ")], output


class WebArchivesTest(cases.PackageTest):
    @cases.judged
    def test_the_WACZ_is_valid(self, package):
        self.assertIn("Validation succeeded", programs.must(os.path.join(settings.WACZ, "wacz"), "validate", "-f", package.path(".wacz")))

    @cases.judged
    def test_files_are_stored_and_listed_with_their_digests(self, package):
        with zipfile.ZipFile(package.path(".wacz")) as file:
            self.assertEqual(file.namelist(), FILES)
            self.assertIsNone(file.testzip())
            self.assertEqual({info.compress_type for info in file.infolist()}, {zipfile.ZIP_STORED})
            self.assertEqual(len({info.date_time for info in file.infolist()}), 1)
            data = {name: file.read(name) for name in FILES}
        listed = json.loads(data["datapackage.json"])
        recorded = {entry["path"]: (entry["hash"], entry["bytes"]) for entry in listed["resources"]}
        hashes = {name: "sha256:" + hashlib.sha256(data[name]).hexdigest() for name in FILES}
        self.assertEqual(recorded, {name: (hashes[name], len(data[name])) for name in FILES[:3]})
        self.assertEqual(listed["wacz_version"], "1.1.1")
        self.assertEqual(json.loads(data["datapackage-digest.json"]), {"path": "datapackage.json", "hash": hashes["datapackage.json"]})

    @cases.judged
    def test_all_digests_of_the_records_are_correct(self, package):
        code, said, output = check(os.path.join(package.unzipped(), "archive", "data.warc.gz"))
        self.assertEqual(code, 0, output)
        self.assertEqual(said, ["digest pass"] * len(warc.records(package)))
        for record in warc.records(package):
            self.assertEqual(record.fields["WARC-Block-Digest"], digest(record.block))
            if record.kind != "warcinfo":
                self.assertEqual(record.fields["WARC-Payload-Digest"], digest(record.payload))

    @cases.judged
    def test_a_changed_record_is_found(self, package):
        changed = os.path.join(package.scratch("record"), "data.warc.gz")
        shutil.copyfile(os.path.join(package.unzipped(), "archive", "data.warc.gz"), changed)
        picture = max(warc.records(package), key=lambda record: record.length)
        with open(changed, "r+b") as file:
            file.seek(picture.offset + picture.length // 2)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 4]))
        code, said, output = check(changed)
        self.assertTrue(code != 0 or "digest pass" not in said or len(said) < len(warc.records(package)), output)

    @cases.judged
    def test_the_index_lists_every_record_with_its_place(self, package):
        lines, records = warc.index(package), {record.offset: record for record in warc.records(package)}
        kept = [offset for offset, record in records.items() if record.kind != "warcinfo"]
        self.assertEqual(sorted(int(facts["offset"]) for _, _, facts in lines), kept)
        with open(os.path.join(package.unzipped(), "archive", "data.warc.gz"), "rb") as file:
            for _, time, facts in lines:
                file.seek(int(facts["offset"]))
                data = file.read(int(facts["length"]))
                text, length = warc.member(data, 0)
                self.assertEqual(length, len(data), facts)
                record = warc.parse(int(facts["offset"]), length, text)
                self.assertEqual(facts["url"], record.fields["WARC-Target-URI"])
                self.assertEqual(time, re.sub(r"\D", "", record.fields["WARC-Date"])[:14])
                self.assertEqual(facts["digest"], record.fields["WARC-Payload-Digest"])
                self.assertEqual(facts["filename"], "data.warc.gz")
                self.assertEqual(facts["status"], record.head.split(" ")[1] if record.kind == "response" else "-")
                if record.kind == "response":
                    said = re.search(r"(?im)^content-type:\s*([^;\s]*)", record.head)
                    self.assertEqual(facts["mime"], said[1] if said else "unk")

    @cases.judged
    def test_the_index_is_sorted_and_its_keys_are_those_of_the_Internet_Archive(self, package):
        script = "import json, surt, sys; print(json.dumps([surt.surt(url) for url in json.load(open(sys.argv[1]))]))"
        path = os.path.join(package.unzipped(), "indexes", "index.cdx")
        with open(path, "rb") as file:
            lines = file.readlines()
        self.assertEqual(lines, sorted(lines))
        index = warc.index(package)
        asked = os.path.join(package.scratch("keys"), "urls.json")
        with open(asked, "w", encoding="utf-8") as file:
            json.dump([facts["url"] for _, _, facts in index], file)
        keys = programs.must(os.path.join(settings.PYWB, "python"), "-c", script, asked)
        self.assertEqual([key for key, _, _ in index], json.loads(keys))

    @cases.judged
    def test_a_record_of_a_list_is_a_conversion_of_its_bytes(self, package):
        records = warc.records(package)
        pages = {record.fields["WARC-Record-ID"]: record for record in records if record.kind == "response"}
        self.assertEqual(len({record.fields["WARC-Record-ID"] for record in records}), len(records))
        conversions = [record for record in records if record.kind == "conversion"]
        self.assertGreater(len(conversions), 0)
        for record in conversions:
            page = pages[record.fields["WARC-Refers-To"]]
            self.assertIn(record.block, page.payload)
            self.assertEqual(record.fields["WARC-Refers-To-Target-URI"], page.fields["WARC-Target-URI"])
            self.assertEqual(record.fields["WARC-Refers-To-Date"], page.fields["WARC-Date"])
            self.assertEqual(record.fields["Content-Type"], "application/json")

    @cases.judged
    def test_no_answer_names_a_coding_that_was_removed(self, package):
        for record in warc.records(package):
            if record.kind == "response":
                self.assertRegex(record.head, r"\AHTTP/1\.1 \d{3} ")
                codings = re.findall(r"(?im)^(?:transfer-encoding|content-encoding):\s*(.*?)\r?$", record.head)
                self.assertEqual([coding for coding in codings if coding.lower() != "identity"], [])


class LongZipTest(cases.PackageTest):
    def test_a_zip_with_long_fields_is_readable(self):
        with zipfile.ZipFile(os.path.join(packages.invented().folder, "long.zip")) as file:
            found = {name: file.read(name) for name in file.namelist()}
            self.assertEqual(found, {"short": b"short", "long": b"longer than ten", "pieces": b"in three pieces"})
            self.assertIsNone(file.testzip())
