"""An API with hostile data: every text looks like a tag, an attribute, a template, a script or a link."""
import struct
import zlib
from urllib.parse import parse_qs, urlsplit

from . import loopback

CANON = "https://rickandmortyapi.com/api"

TEXTS = [
    "<script>window.hacked=1</script>",
    "\"><img src=x onerror=window.hacked=1>",
    "'",
    "\"",
    "&amp;",
    "&",
    "</title><script>window.hacked=1</script>",
    "{{name}} {{{name}}} {{#cards}}",
    "line\u2028and\u2029paragraph",
    "]]><![CDATA[",
    "<!-- --!> -->",
    "javascript:window.hacked=1",
    "${1} `${window.hacked=1}`",
    "back\\slash \\u003cscript\\u003e \\",
    "%3Cscript%3E %2e%2e/%2e%2e",
    "\u202Egnp.exe\u202C right to left",
    "zero\u200B\u200Dwidth \uFEFF\u2060",
    "\uFDD0\uFFFE\uFFFF\U0001FFFE none of these",
    "👩‍🚀🏳️‍🌈 emoji",
    "n" + "o" * 298 + "t",
    "many " * 300 + "words",
    "Martínez",
    "MARTI\u0301NEZ",
    "' onmouseover='window.hacked=1' x='",
    "');window.hacked=1;('",
    "</script><script>window.hacked=1</script>",
    "<svg onload=window.hacked=1><a xlink:href=javascript:window.hacked=1>",
    "../../../etc/passwd?a=b&c=d#e",
    "#{hash} #status=alive&gender=%00",
    "__proto__",
    "constructor",
    "\t tab \n line \r\n and\u00a0space \u0085\u0001\u007f control",
]
CHARACTERS, LOCATIONS, EPISODES = len(TEXTS), 7, 8
STATUSES = ["Alive", "Dead", "unknown"]
GENDERS = ["Male", "Female", "Genderless", "unknown"]


def text(number):
    return TEXTS[number % len(TEXTS)]


def picture(number):
    """A PNG of four pixels in one colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    colour = bytes([number * 37 % 256, number * 91 % 256, number * 53 % 256])
    rows = (b"\0" + colour * 2) * 2
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b""))


def place(number, base):
    # An unknown place has a name and no address.
    return {"name": text(number + 3), "url": f"{base}/location/{number % LOCATIONS + 1}" if number % 5 else ""}


def records(base):
    """Characters, locations and episodes with links to one another, as the API serves them."""
    seen = {episode: [] for episode in range(1, EPISODES + 1)}
    homes = {location: [] for location in range(1, LOCATIONS + 1)}
    characters = []
    for index in range(CHARACTERS):
        number = index + 1
        now = place(index, base)
        if now["url"]:
            homes[index % LOCATIONS + 1].append(number)
        appears = sorted({index % EPISODES + 1, (index * 3) % EPISODES + 1})
        for episode in appears:
            seen[episode].append(number)
        characters.append({
            "id": number, "name": text(index),
            # Most values are known ones, so that lists by value have both kinds.
            "status": text(index + 1) if index % 3 == 0 else STATUSES[index % len(STATUSES)],
            "species": text(index + 2) if index % 2 else "Human",
            "type": text(index + 4) if index % 4 else "",
            "gender": text(index + 5) if index % 5 == 0 else GENDERS[index % len(GENDERS)],
            "origin": place(index + 1, base), "location": now, "image": f"{base}/character/avatar/{number}.jpeg",
            "episode": [f"{base}/episode/{episode}" for episode in appears],
            "url": f"{base}/character/{number}", "created": "2017-11-04T18:48:46.250Z",
        })
    locations = [
        {"id": number, "name": text(number * 4 + 1), "type": text(number * 4 + 3), "dimension": text(number * 4 + 6),
         "residents": [f"{base}/character/{resident}" for resident in residents],
         "url": f"{base}/location/{number}", "created": "2017-11-10T12:42:04.162Z"}
        for number, residents in homes.items()]
    episodes = [
        {"id": number, "name": text(number * 3), "air_date": "December 2, 2013" if number == 1 else text(number * 3 + 1),
         "episode": ["S01E01", "S01E02", "S02E01", text(0), text(1), text(25), text(14), ""][number - 1],
         "characters": [f"{base}/character/{character}" for character in characters],
         "url": f"{base}/episode/{number}", "created": "2017-11-10T12:56:33.798Z"}
        for number, characters in seen.items()]
    return {"character": characters, "location": locations, "episode": episodes}


class HostileAPI(loopback.Loopback):
    """Serves the hostile data on 127.0.0.1 during the block."""

    def __init__(self):
        super().__init__(Handler)
        self.address = f"{self.origin}/api"
        self.http.records = records(CANON)


class Handler(loopback.Handler):
    def do_GET(self):
        address = urlsplit(self.path)
        self.send(*self.answer(address.path.strip("/").split("/"), parse_qs(address.query)))

    def answer(self, path, query):
        kinds, json_type = self.server.records, "application/json; charset=utf-8"
        match path:
            case ["api"]:
                return 200, json_type, {f"{kind}s": f"{CANON}/{kind}" for kind in kinds}
            case ["api", "character", "avatar", name]:
                return 200, "image/jpeg", picture(int(name.removesuffix(".jpeg")))
            case ["api", kind] if kind in kinds:
                return self.page(kind, int(query.get("page", ["1"])[0]))
            case ["api", kind, wanted] if kind in kinds:
                numbers = [int(number) for number in wanted.strip("[]").split(",")]
                found = [record for record in kinds[kind] if record["id"] in numbers]
                if "," in wanted or "[" in wanted:
                    return 200, json_type, found
                if found:
                    return 200, json_type, found[0]
        return 404, json_type, {"error": "There is nothing here."}

    def page(self, kind, number):
        rows = self.server.records[kind]
        pages = -(-len(rows) // 20)
        if not 1 <= number <= pages:
            return 404, "application/json; charset=utf-8", {"error": "There is nothing here"}
        info = {
            "count": len(rows), "pages": pages,
            "next": f"{CANON}/{kind}?page={number + 1}" if number < pages else None,
            "prev": f"{CANON}/{kind}?page={number - 1}" if number > 1 else None}
        return 200, "application/json; charset=utf-8", {"info": info, "results": rows[(number - 1) * 20 : number * 20]}
