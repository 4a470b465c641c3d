"""The Nu HTML checker reads default pages of an API that amber init described. Its data was not prepared for pages."""
import os
import shutil
import tempfile
import unittest

from Browser.awkward_api import AwkwardAPI

from . import programs, settings

PAGES = (
    "index.html", "exhibits.html", "exhibits-pages/2.html", "readings.html", "status/in-store.html", "exhibits/1.html", "exhibits/2.html",
    "exhibits/5.html", "makers/1.html", "forms/1.html", "readings/1.html", "photos/1.html", "search.html")


@unittest.skipUnless(shutil.which("java"), "Java is missing, which the Nu HTML checker needs")
class DefaultPagesTests(unittest.TestCase):
    def test_the_checker_finds_nothing_on_a_page_of_each_kind(self):
        with tempfile.TemporaryDirectory() as folder, AwkwardAPI() as api:
            programs.must(settings.BINARY, "init", f"{folder}/project", "--api", api.address)
            programs.must(settings.BINARY, "build", folder=f"{folder}/project")
            for page in PAGES:
                os.makedirs(os.path.dirname(f"{folder}/pages/{page}"), exist_ok=True)
                shutil.copy(f"{folder}/project/Output/site/{page}", f"{folder}/pages/{page}")
            programs.must(os.path.join(settings.ROOT, "Scripts", "judge-html"), "--strict", f"{folder}/pages")
