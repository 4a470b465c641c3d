"""Makes a Hugo site of the pages that a site of Amber has: the same addresses, the same facts, as one JSON file and layouts.

Run as a program of its own, since what it holds grows with the site: hugo_site.py SITE STRINGS FOLDER. What can be had before
Hugo starts (titles, descriptions, linked data, counts in words, which records a list shows) is in the file, so that Hugo
has only to put it into its templates. Prints how many pages there are to be.
"""
import hashlib
import html
import json
import os
import re
import shutil
import sys

LANGUAGES = ("en", "ru")
SECTIONS = (
    ("characters", "index.html"), ("episodes", "episodes.html"), ("locations", "locations.html"), ("figures", "figures.html"),
    ("search", "search.html"), ("settings", "settings.html"))
HEAD = {
    "title": re.compile(r"<title>(.*?) · [^·<]*</title>"), "description": re.compile(r'<meta name="description" content="(.*?)" />'),
    "linked": re.compile(r'<script type="application/ld\+json">(.*?)</script>')}
CARD = re.compile(r'<li class="card"><a href="[^"]*?character/(\d+)\.html">')
PICTURE = re.compile(CARD.pattern + r'\n<img src="(?:\.\./)*(.*?)" alt="" width="(\d+)" height="(\d+)"')
PERSON = re.compile(r"(?:ru/)?character/(\d+)\.html$")
RECORD = re.compile(r"(?:ru/)?(location|episode)/(\d+)\.html$")
LIST = re.compile(r"(?:ru/)?(?:index|page/\d+|(status|gender|species)/[^/]+(?:/\d+)?)\.html$")


class Texts:
    """One language's words."""

    def __init__(self, folder, language):
        with open(os.path.join(folder, f"{language}.json")) as file:
            held = json.load(file)
        self.language, self.texts, self.values = language, held["texts"], held["values"]

    def plural(self, key, count):
        forms = self.texts[key]
        word = "one" if count == 1 else "other"
        if self.language == "ru":
            one, ten = count % 10, count % 100
            word = "one" if one == 1 and ten != 11 else "few" if 2 <= one <= 4 and not 12 <= ten <= 14 else "many"
        return forms.get(word, forms.get("other", "")).replace("{count}", f"{count:,}" if self.language == "en" else str(count))

    def value(self, column, served, gender=""):
        told = self.values.get(column, {}).get(served, served)
        return told.get(gender, told["other"]) if isinstance(told, dict) else told


def records(site, kind):
    """The records of a kind, each at its own number, with the digest of its bytes; nothing at 0 and behind the last."""
    found = [None]
    with open(os.path.join(site, "data", f"{kind}s.json"), "rb") as file:
        for line in file:
            line = line.strip().rstrip(b",")
            if line.startswith(b"{"):
                record = json.loads(line)
                record["sha"] = hashlib.sha256(line).hexdigest()
                record["raw"] = f"api/{kind}/{record['id']}.json"
                record["page"] = (record["id"] + 19) // 20
                found += [None] * (record["id"] - len(found)) + [record]
    return found + [None]


def number(url):
    return int(url.rpartition("/")[2]) if url else 0


class Maker:
    """What the JSON file holds, from what the site and its data say."""

    def __init__(self, site, strings):
        self.site = site
        self.words = {language: Texts(strings, language) for language in LANGUAGES}
        self.api = re.search(r'class="address">(.*?)<', self.text("index.html"))[1]
        self.pictures = dict(self.pictured())
        raw = {kind: records(site, kind) for kind in ("character", "location", "episode")}
        self.locations = [record and self.location(record) for record in raw["location"]]
        self.episodes = [record and self.episode(record) for record in raw["episode"]]
        self.characters = [record and self.character(record) for record in raw["character"]]
        self.pages = []

    def text(self, path):
        with open(os.path.join(self.site, path)) as file:
            return file.read()

    def pictured(self):
        """Pictures with their sizes, from the lists of all characters."""
        folder = os.path.join(self.site, "page")
        for path in ["index.html"] + [f"page/{name}" for name in (os.listdir(folder) if os.path.isdir(folder) else [])]:
            for at, picture, width, height in PICTURE.findall(self.text(path)):
                yield int(at), (picture, int(width), int(height))

    # Records.

    def common(self, kind, record):
        return {
            "id": record["id"], "name": record["name"], "sha": record["sha"], "raw": record["raw"],
            "source": f"{self.api}/{kind}?page={record['page']}"}

    def location(self, record):
        return {
            **self.common("location", record), "type": record["type"], "dimension": record["dimension"], "cast": len(record["residents"]),
            "ids": [number(url) for url in record["residents"]]}

    def episode(self, record):
        return {
            **self.common("episode", record), "code": record["episode"], "season": int(record["episode"][1:3]), "date": record["air_date"],
            "machine": machine_date(record["air_date"]), "cast": len(record["characters"]),
            "ids": [number(url) for url in record["characters"]]}

    def character(self, record):
        def place(named):
            home = number(named["url"])
            return {"name": named["name"], "id": home, "type": self.locations[home]["type"] if home else ""}

        picture, width, height = self.pictures[record["id"]]
        return {
            **self.common("character", record), "species": record["species"], "type": record["type"],
            "status": {one: self.words[one].value("status", record["status"], record["gender"]) for one in LANGUAGES},
            "gender": {one: self.words[one].value("gender", record["gender"]) for one in LANGUAGES},
            "mood": record["status"].lower(), "origin": place(record["origin"]), "location": place(record["location"]),
            "picture": picture, "width": width, "height": height, "episodes": [number(url) for url in record["episode"]]}

    # Pages.

    def page(self, path, kind, section, **more):
        """A page's own facts; `path` is below the site, `own` below the language."""
        language = "ru" if path.startswith("ru/") else "en"
        own = path.removeprefix("ru/")
        home = "../" * own.count("/")
        return {
            "path": path.removesuffix(".html"), "url": "/" + path, "type": kind, "section": section, "lang": language, "own": own,
            "home": home, "root": home + ("../" if language == "ru" else ""), "scripts": [], "facet": "", **more}

    def person(self, path, at):
        page = self.page(path, "character", "characters", n=at, list="index.html" if at <= 20 else f"page/{(at + 19) // 20}.html")
        told = self.characters[at]
        facts = ", ".join(word for word in (told["species"], told["status"][page["lang"]]) if word)
        page["title"] = told["name"]
        page["description"] = f"{told['name']}: {facts}."
        name = re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", json.dumps(told["name"], ensure_ascii=False))
        page["linked"] = f'{{"@context":"https://schema.org","@type":"Person","name":{name}}}'
        return page

    def other(self, path):
        """A page of any other kind, from what Amber's own says of itself."""
        text = self.text(path)
        if "/api/" in path or "<main" not in text:
            return None
        about = {name: match[1] if (match := pattern.search(text)) else "" for name, pattern in HEAD.items()}
        about["title"], about["description"] = html.unescape(about["title"]), html.unescape(about["description"])
        about["scripts"] = [name for name in re.findall(r'src="[^"]*scripts/([a-z]+)\.js"', text) if name not in ("theme", "site")]
        main = text.split('<main id="content">\n')[-1].split("</main>")[0]
        section = re.search(r'href="[^"]*?([a-z]+)\.html" aria-current="true"', text)
        section = {"index": "characters"}.get(section[1], section[1]) if section else ""
        if found := RECORD.match(path):
            kind, at = found[1] + "s", int(found[2])
            back = re.search(r'class="back"><a href="(?:\.\./)*(.*?)"', main)[1]
            heading = re.search(r'<h2 id="cast">(.*?)</h2>|</dt><dd>(\d[^<]*)</dd></div>\n</dl>', main)
            return self.page(
                path, "record", kind, of=kind, folder=found[1], n=at, list=back, heading=(heading[1] or heading[2]) if heading else "",
                ids=[int(one) for one in CARD.findall(main)], pager=pager(main), **about)
        heading = re.search(r"<h1>(.*?)</h1>\n<p>(.*?)</p>", main, re.S)
        position = re.search(r"<small>(.*?)</small>", heading[1]) if heading else None
        listed = {"position": position[1] if position else "", "count": heading[2] if heading else "", "pager": pager(main), **about}
        if found := LIST.match(path):
            value = re.search(r"<span[^>]*>(.*?)</span>", heading[1])
            own = path.removeprefix("ru/")
            facet = re.sub(r"/\d+\.html$", ".html", own) if found[1] else ""
            page = self.page(
                path, "index", "characters", value=html.unescape(value[1]) if value else "", ids=[int(one) for one in CARD.findall(main)], **listed)
            return {**page, "facet": facet, "served": found[1] == "species"}
        if re.match(r"(?:ru/)?locations(/\d+)?\.html$", path):
            return self.page(path, "locations", section, ids=[int(one) for one in re.findall(r'<td><a href="[^"]*location/(\d+)\.', main)], **listed)
        if re.match(r"(?:ru/)?episodes(/\d+)?\.html$", path):
            seasons = [
                {"number": int(re.search(r"\d+", part)[0]), "ids": [int(one) for one in re.findall(r'<li><a href="[^"]*episode/(\d+)\.', part)]}
                for part in main.split("<h2>")[1:]]
            return self.page(path, "episodes", section, seasons=seasons, **listed)
        return self.page(path, "single", section, body=main, **about)

    def facets(self):
        text = self.text("index.html")
        found = []
        for part in text.split("<details>")[1:4]:
            options = re.findall(
                r'<li><a href="(.*?)" data-column="(.*?)" data-value="(.*?)".*?><span(.*?)>.*?</span> <span class="count">(.*?)</span>', part)
            column = options[0][1]
            found.append({"name": column, "options": [
                {
                    "path": path, "value": html.unescape(value), "served": column == "species", "count": count, "label":
                        {one: self.words[one].value(column, html.unescape(value), "label") for one in LANGUAGES}}
                for path, _, value, _, count in options]})
        return found

    def all(self):
        """Everything that the JSON file holds."""
        for parent, folders, files in os.walk(self.site):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(parent, name), self.site)
                if not name.endswith(".html"):
                    continue
                found = PERSON.match(path)
                page = self.person(path, int(found[1])) if found else self.other(path)
                if page:
                    self.pages.append(page)
        most = max(len(record["episodes"]) for record in self.characters if record)
        cast = max(record["cast"] for record in self.episodes if record)
        received = re.search(r'<time datetime="(.*?)">(.*?)</time></dd></div>\n<div><dt>SHA-256', self.text("character/1.html"))
        texts = {}
        for one, words in self.words.items():
            kept = {key: text for key, text in words.texts.items() if isinstance(text, str)}
            texts[one] = {
                **kept, "generator": re.search(r'name="generator" content="(.*?)"', self.text("index.html"))[1], "api": self.api,
                "as": ' lang="en" xml:lang="en"' if one == "ru" else "", "portrait": kept["portraitOf"].replace("{name}", ""),
                "season": kept["season"].replace("{number}", ""), "received": received[1], "receivedShown": received[2],
                "episodeCounts": [words.plural("episodeCount", count) for count in range(most + 1)],
                "characterCounts": [words.plural("characterCount", count) for count in range(cast + 1)]}
        return {
            "texts": texts, "sections": [{"name": name, "path": path} for name, path in SECTIONS], "facets": self.facets(),
            "characters": self.characters, "locations": self.locations, "episodes": self.episodes, "pages": self.pages}


def machine_date(text):
    """2018-10-22 for October 22, 2018."""
    months = "January February March April May June July August September October November December".split()
    found = re.fullmatch(r"([A-Z][a-z]+) (\d+), (\d{4})", text)
    return f"{found[3]}-{months.index(found[1]) + 1:02}-{int(found[2]):02}" if found else ""


def pager(main):
    """The pages beside this one, as the pager at its end has them; paths below the language."""
    part = main.rpartition('<nav class="pager"')[2] if '<nav class="pager"' in main else ""
    if not part:
        return None

    def own(path):
        return path.replace("../", "")

    steps = {rel: own(path) for path, rel in re.findall(r'class="step" href="(.*?)" rel="(prev|next)"', part)}
    return {
        "previous": steps.get("prev", ""), "next": steps.get("next", ""), "numbers": [
            {"path": own(path), "current": bool(current), "number": shown}
            for path, current, shown in re.findall(r'<li><a href="(.*?)"( aria-current="page")?>([^<]+)</a>', part)]}


def main():
    site, strings, folder = sys.argv[1:]
    made = Maker(site, strings).all()
    shutil.copytree(os.path.join(os.path.dirname(os.path.abspath(__file__)), "hugo"), folder)
    os.makedirs(os.path.join(folder, "data"))
    with open(os.path.join(folder, "data", "site.json"), "w") as file:
        json.dump(made, file, ensure_ascii=False, separators=(",", ":"))
    print(len(made["pages"]))


if __name__ == "__main__":
    main()
