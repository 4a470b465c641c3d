"""The WACZ replayed by pywb: with its own index, with its imported index, and with an index made by pywb."""
import os
import shutil

from . import cases, programs, settings, warc

MOST = 200  # requested records of each package, at even intervals


def collections(package):
    """A pywb folder with three collections of the package's records."""
    folder = package.scratch("pywb")
    manager = os.path.join(settings.PYWB, "wb-manager")
    for name in ("imported", "reindexed"):
        programs.must(manager, "init", name, folder=folder)
    programs.must(manager, "add", "--unpack-wacz", "imported", package.path(".wacz"), folder=folder)
    archive = os.path.join(folder, "data.warc.gz")
    shutil.copyfile(os.path.join(package.unzipped(), "archive", "data.warc.gz"), archive)
    programs.must(manager, "add", "reindexed", archive, folder=folder)
    # pywb reads .cdx as another format; in a WACZ it is CDXJ.
    shutil.copyfile(os.path.join(package.unzipped(), "indexes", "index.cdx"), os.path.join(folder, "ours.cdxj"))
    with open(os.path.join(folder, "config.yaml"), "w", encoding="utf-8") as file:
        file.write(f"collections:\n  ours:\n    index_paths: {folder}/ours.cdxj\n    archive_paths: {package.unzipped()}/archive/\n")
    return folder


def command(port):
    return [os.path.join(settings.PYWB, "wayback"), "-p", str(port), "-b", "127.0.0.1", "-d", "."]


class ReplayTest(cases.PackageTest):
    @cases.judged
    def test_lists_records_and_pictures_are_replayed_with_their_bytes_and_nothing_else(self, package):
        records = {record.offset: record for record in warc.records(package)}
        index = warc.index(package)
        asked = index[:: -(-len(index) // MOST)]
        kinds = {(records[int(facts["offset"])].kind, facts["mime"].partition("/")[0]) for _, _, facts in asked}
        self.assertLessEqual({("response", "application"), ("conversion", "application"), ("response", "image")}, kinds)
        with programs.serving(command, collections(package)) as port:
            for collection in ("ours", "imported", "reindexed"):
                self.assertEqual(programs.ask(port, f"/{collection}/20200101000000id_/{index[0][2]['url']}/no-such-thing")[0], 404)
                for _, time, facts in asked:
                    # Without id_ pywb returns its own pages.
                    status, kind, body = programs.ask(port, f"/{collection}/{time}id_/{facts['url']}")
                    record = records[int(facts["offset"])]
                    wanted = 200 if record.kind == "conversion" else int(facts["status"])
                    media_type = (kind or "").partition(";")[0]
                    self.assertEqual((status, media_type, body == record.payload), (wanted, facts["mime"], True), (collection, facts["url"]))
