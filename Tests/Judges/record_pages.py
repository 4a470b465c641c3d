"""Compares the records of a site with their pages: every value is on the page, or on a further page of it."""
import functools
import glob
import html
import json
import multiprocessing
import os
import re
from urllib.parse import urlsplit


def content(file):
    with open(file, encoding="utf-8") as opened:
        return opened.read()


def words(text):
    """Letters and digits. Line ends, digit groups and quotation marks can differ on a page."""
    return re.sub(r"[\W_]+", "", html.unescape(re.sub(r"</?[a-zA-Z][^<>]*>", " ", text))).lower()


def tail(address):
    """The last two words of an address, without the extension of a file: "berry/1" of the address of a record, and of its page."""
    return "/".join(address.rstrip("/").split("/")[-2:]).rsplit(".", 1)[0]


class RecordPage:
    """The page of a record with its further pages, prepared for many comparisons."""

    def __init__(self, path):
        markup = "".join(map(content, [path, *sorted(glob.glob(path.removesuffix(".html") + "/*.html"))]))
        text = re.sub(r"<[^>]*>", " ", markup)
        self.text, self.words = text, words(text)
        self.numbers = set(re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", text)))
        self.links = {html.unescape(link) for link in re.findall(r'(?:href|src)="([^"]*)"', markup)}
        # A page does not link to itself.
        self.tails = {tail(path), *map(tail, self.links)}
        self.days = {moment[:10] for moment in re.findall(r' datetime="([^"]*)"', markup)}

    def shows(self, value, path):
        if isinstance(value, bool):
            return words(path.split(".")[-1]) in self.words and ("yes" if value else "no") in self.text
        if isinstance(value, (int, float)):
            return str(value) in self.numbers or path.endswith("filesize") and f"{value / 1000:.1f}".removesuffix(".0") in self.numbers
        if re.match(r"https?://", value):
            # A blog's page has the path of its address.
            path = urlsplit(value).path.rstrip("/")
            return value in self.links or value in self.text or tail(value) in self.tails or path and tail(f"{path}/index.html") in self.tails
        if re.match(r"\d{4}-\d\d-\d\dT", value):
            return value[:10] in self.days
        return words(value) in self.words


class Site:
    """A site that was built from a described API.

    `references` names the kinds that an id can belong to, by the name of the member, and `hidden` has members that pages leave out.
    """

    def __init__(self, folder, references=(), hidden=()):
        self.folder, self.references, self.hidden = folder, dict(references), set(hidden)
        self.files = [file for file in glob.glob(f"{folder}/api/*/*.json") if not file.endswith("/index.json")]
        self.records = {self.key(file) for file in self.files}
        self.kinds = {kind for kind, _ in self.records}

    def key(self, file):
        return tuple(file.removesuffix(".json").split("/")[-2:])

    def page(self, kind, name):
        """A record and its page. The name of the page is the id, or the path of the record's link.

        The file in the mirror has a digest as its name if the id is not a positive number.
        """
        record = json.loads(content(f"{self.folder}/api/{kind}/{name}.json"))
        link = urlsplit(str(record.get("link", ""))).path
        paths = [f"{kind}/{name}.html", f"{kind}/{record.get('id')}.html", f"{link.strip('/')}/index.html"]
        return record, next(path for path in (os.path.join(self.folder, path) for path in paths) if os.path.exists(path))

    def values(self, value, path=""):
        """The scalars of a JSON value with their paths. Null and empty texts are left out, as on pages.

        A reference to a record that the server does not have is a gap of the capture.
        """
        if isinstance(value, dict):
            target = tuple(tail(value["url"]).split("/")) if isinstance(value.get("url"), str) else ("",)
            if target[0] in self.kinds and target not in self.records:
                return
            for name, inner in value.items():
                if name not in self.hidden:
                    yield from self.values(inner, f"{path}.{name}")
        elif isinstance(value, list):
            for inner in value:
                yield from self.values(inner, f"{path}[]")
        elif value not in (None, ""):
            yield path, value

    def missing(self, file):
        """The values of a record in the API mirror that are not on its page."""
        kind, name = self.key(file)
        record, path = self.page(kind, name)
        page = RecordPage(path)
        # The captured copy of a picture has the name of its record.
        picture = self.pictures.get(kind) if f"{kind}-pictures/{name}" in page.tails else None
        # Many values of a record are equal.
        found = {(path, type(value), value): None for path, value in self.values(record)}
        return [
            f"{kind}/{name}{path}: {value}" for path, _, value in found
            if path != picture and not page.shows(value, path) and not self.refers(page, path, value)]

    def refers(self, page, path, value):
        kinds = self.references.get(path.strip(".[]"), ())
        return any(tail(self.page(kind, str(value))[1]) in page.tails for kind in kinds if (kind, str(value)) in self.records)

    @functools.cached_property
    def pictures(self):
        """The paths of the pictures, by kind."""
        kinds = json.loads(content(glob.glob(f"{self.folder}/../../[Cc]atalogue*/**/catalogue.json", recursive=True)[0]))["kinds"]
        return {name: f".{field.get('path', 'picture')}" for name, kind in kinds.items() if (field := kind.get("fields", {}).get("picture"))}

    def all_missing(self):
        with multiprocessing.Pool() as pool:
            return [value for values in pool.imap(self.missing, self.files, chunksize=500) for value in values]
