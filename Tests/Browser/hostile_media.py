"""Apple's search API with hostile data: every text looks like something else, and descriptions of books are hostile HTML."""
import json
from urllib.parse import parse_qs, urlsplit

from . import loopback
from .hostile_api import TEXTS as COMMON
from .hostile_api import picture

# U+0000 is sent as an escape. The others would change the direction of the surrounding text.
TEXTS = [*COMMON, "nul\u0000nul\u0000", "\u2066isolated\u2069 \u202Doverridden\u202C"]
MUSIC, FILM, BOOK = "song", "feature-movie", "ebook"
STORE = "https://media.example"

# Each of these links is refused and reported.
LINKS = [
    "javascript:window.hacked=1", "JavaScript:window.hacked=1//https://media.example/", " javascript:window.hacked=1",
    "data:text/html,<script>window.hacked=1</script>", "vbscript:window.hacked=1", "//media.example/protocol-relative", "/here",
    "https://media.example/\"onclick=\"window.hacked=1", "https://media.example/<script>", "file:///etc/passwd", "java\tscript:window.hacked=1",
    "https:/\\media.example/", "blob:https://media.example/1", "https://", "https://media.example/\u202Egnp",
]

# Hostile HTML for the descriptions. Unchanged in a page, it would run, request another host, style the page or break out of its element.
EVIL = [
    "<script>window.hacked=1;alert(1)</script>",
    "<img src=x onerror=\"window.hacked=1;alert(1)\">",
    "<svg onload=window.hacked=1><circle r=1 /></svg>",
    "<svg><script>window.hacked=1</script></svg>",
    "<svg><a xlink:href=\"javascript:window.hacked=1\"><text>click</text></a></svg>",
    "<a href=\"javascript:window.hacked=1\">click</a> <a href=\"https://evil.example/\">elsewhere</a>",
    "<iframe srcdoc=\"<script>parent.hacked=1</script>\"></iframe>",
    "<iframe src=\"javascript:parent.hacked=1\"></iframe>",
    "<style>main { display: none } body { background: url(https://evil.example/pixel) }</style>",
    "<link rel=stylesheet href=\"https://evil.example/style.css\"><link rel=prefetch href=\"https://evil.example/\">",
    "<b onclick=\"window.hacked=1\" style=\"position:fixed;inset:0\" id=content class=banner>bold</b>",
    "</div></article></main><footer class=\"foot\">broken out</footer><main><h1>twice</h1>",
    "</p></div></article></main></body></html><script>window.hacked=1</script>",
    "<!-- never closed <p>gone</p><script>window.hacked=1</script>",
    "<!--><img src=x onerror=window.hacked=1>-->",
    "<!--!><img src=x onerror=window.hacked=1>",
    "<![CDATA[<img src=x onerror=window.hacked=1>]]>",
    "<?php <img src=x onerror=window.hacked=1> ?>",
    "<form action=\"https://evil.example/\"><input name=q autofocus onfocus=\"window.hacked=1\"><button>send</button></form>",
    "<meta http-equiv=refresh content=\"0;url=https://evil.example/\">",
    "<base href=\"https://evil.example/\">",
    "<object data=\"https://evil.example/x.swf\"></object><embed src=\"https://evil.example/x.swf\">",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=1></style></mglyph></table></mtext></math>",
    "<math><annotation-xml encoding=\"text/html\"><img src=x onerror=window.hacked=1></annotation-xml></math>",
    "<math href=\"javascript:window.hacked=1\">click</math>",
    "<template><img src=x onerror=window.hacked=1></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=window.hacked=1>\"></noscript>",
    "<textarea></textarea><img src=x onerror=window.hacked=1><textarea>open",
    "<title></title><img src=x onerror=window.hacked=1>",
    "<xmp></xmp><img src=x onerror=window.hacked=1>",
    "<plaintext><script>window.hacked=1</script>",
    "&lt;img src=x onerror=window.hacked=1&gt; &amp;lt;script&amp;gt;window.hacked=1&amp;lt;/script&amp;gt;",
    "&#x3C;script&#x3E;window.hacked=1&#x3C;/script&#x3E; &#0; &#x110000; &#xD800;",
    "<b>" * 100 + "deep" + "</i>" * 50,
    "<ul><li>" * 60 + "deep",
    "<scr<script>ipt>window.hacked=1</scr</script>ipt>",
    "<img src=x onerror=window.hacked=1//",
    "<<img src=x onerror=window.hacked=1>",
    "<IMG SRC=x OnErRoR=window.hacked=1>",
    "<img\u000csrc=x\u000conerror=window.hacked=1>",
    "<img/src=x/onerror=window.hacked=1>",
    "<im\u0000g src=x onerror=window.hacked=1>",
    "<p/onmouseover=window.hacked=1>over</p>",
    "<details open ontoggle=window.hacked=1><summary>more</summary></details>",
    "<video src=x onerror=window.hacked=1></video><audio src=\"https://evil.example/x.mp3\" autoplay></audio>",
    "<body onload=window.hacked=1><html onclick=window.hacked=1>",
    "<select><option><img src=x onerror=window.hacked=1></option></select>",
    "<table><tr><td background=\"https://evil.example/x.png\">cell<script>window.hacked=1</script></table>",
    "<marquee onstart=window.hacked=1>moving</marquee>",
    "<custom-element onclick=window.hacked=1 is=x>own</custom-element>",
    "<dialog open>over all</dialog><p popover id=x>popped</p>",
    "\u202Egnp.exe <b>\u2067turned",
    "]]></p><p>{{name}} {{{text}}}",
]
KEPT = "These words are kept."
DESCRIPTIONS = [f"<p>{KEPT}</p>{evil}" for evil in EVIL]


def text(number):
    return TEXTS[number % len(TEXTS)]


class Rows:
    """The items of one store."""

    def __init__(self, base):
        self.base = base
        self.songs = [self.song(number) for number in range(len(TEXTS))]
        self.films = [self.film(number) for number in range(len(TEXTS))]
        self.books = [self.book(number) for number in range(len(DESCRIPTIONS))]
        # Their own links are refused, so they have no page.
        self.songs += [{**self.song(100 + number), "trackViewUrl": link} for number, link in enumerate(LINKS)]
        # Other refused links are left out of the pages.
        for number, link in enumerate(LINKS):
            self.songs[number]["artistViewUrl"] = link
            self.films[number]["collectionArtistViewUrl"] = link
            self.books[number]["artistViewUrl"] = link
        # Rows that are not items: another kind, no kind, no number, no title, or members of another type.
        self.songs += [
            {**self.song(200), "kind": text(0)}, {**self.song(201), "trackId": text(1)}, {**self.song(202), "trackName": ["a"]},
            {**self.song(203), "trackId": -1}, {"wrapperType": "track", "kind": "song"}, {**self.song(204), "releaseDate": text(2)},
            {**self.song(205), "trackTimeMillis": text(3), "primaryGenreName": {"a": text(4)}},
        ]
        everything = [*self.songs, *self.films, *self.books]
        self.items = {row["trackId"]: row for row in everything if isinstance(row.get("trackId"), int)}

    def track(self, number, kind, shift):
        return {
            "wrapperType": "track", "kind": kind, "trackId": shift + number, "trackName": text(number), "artistName": text(number + 1),
            "artistId": 10 + number % 20, "trackViewUrl": f"{STORE}/{kind}/{number}?uo=4&a=%22%3E#'", "releaseDate": "2010-03-05T08:00:00Z",
            "primaryGenreName": text(number % 5), "artworkUrl100": f"{self.base}/artwork/{number}/100x100bb.png",
            "trackTimeMillis": 200000 + number, "country": "USA", "currency": "USD",
        }

    def song(self, number):
        return {
            **self.track(number, MUSIC, 1000), "collectionId": 500 + number, "collectionName": text(number + 2),
            "trackExplicitness": [text(number + 3), "explicit", "notExplicit", "cleaned"][number % 4]}

    def film(self, number):
        return {
            **self.track(number, FILM, 3000), "artistId": None, "longDescription": f"{KEPT}\n{text(number + 3)}\n{EVIL[number % len(EVIL)]}",
            "contentAdvisoryRating": text(number + 4), "trackExplicitness": "notExplicit"}

    def book(self, number):
        row = self.track(number, BOOK, 5000)
        for name in ("wrapperType", "primaryGenreName", "country"):
            del row[name]
        return {
            **row, "genres": [text(number + 3), "Books", text(number + 4)], "genreIds": ["1", "38", "2"], "description": DESCRIPTIONS[number],
            "averageUserRating": 4.5, "userRatingCount": 10 + number, "fileSizeBytes": 1234567}

    def albums(self, artist, limit):
        head = {"wrapperType": "artist", "artistType": "Artist", "artistName": text(artist), "artistLinkUrl": LINKS[0], "artistId": artist}
        albums = [
            {"wrapperType": "collection", "collectionType": "Album", "collectionId": 500 + artist * 7 + number, "artistId": artist,
             "artistName": text(artist), "collectionName": text(artist + number),
             "collectionViewUrl": LINKS[artist % len(LINKS)] if number == 0 else f"{STORE}/album/{number}",
             "artworkUrl100": f"{self.base}/artwork/1/100x100bb.png", "releaseDate": "1999-12-31T08:00:00Z"}
            for number in range(8)]
        return [head, *albums[:limit]]


class HostileMedia(loopback.Loopback):
    """Serves the hostile data on 127.0.0.1 during the block."""

    def __init__(self):
        super().__init__(Handler)
        self.address = self.origin
        self.http.rows = Rows(self.address)


class Handler(loopback.Handler):
    def do_GET(self):
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        match address.path.strip("/").split("/"):
            case ["search"]:
                kind, body = "text/javascript; charset=utf-8", self.answer(self.found(query))
            case ["lookup"]:
                kind, body = "text/javascript; charset=utf-8", self.answer(self.looked_up(query))
            case ["artwork", number, _]:
                kind, body = "image/png", picture(int(number))
            case _:
                kind, body = "text/plain", b"not here"
        self.send(404 if body == b"not here" else 200, kind, body)

    def found(self, query):
        if query["term"] == NOTHING:
            return []
        rows = self.server.rows
        return {"song": rows.songs, "movie": rows.films, "ebook": rows.books}[query["entity"]][: int(query["limit"])]

    def looked_up(self, query):
        rows, numbers = self.server.rows, [int(number) for number in query["id"].split(",")]
        if "entity" in query:
            return [row for number in numbers for row in rows.albums(number, int(query["limit"]))]
        return [rows.items[number] for number in numbers if number in rows.items]

    def answer(self, rows):
        rows = [{name: value for name, value in row.items() if value is not None} for row in rows]
        return b"\n\n\n" + json.dumps({"resultCount": len(rows), "results": rows}).encode() + b"\n\n\n"


NOTHING = "nothing at all"
SEARCHES = [
    {"term": "<script>window.hacked=1</script>\"'", "limit": 200}, {"term": NOTHING}, {"term": "{{term}} \u202Egnp", "media": "movie", "limit": 200},
    {"term": "&amp; </title><img src=x onerror=window.hacked=1>", "media": "ebook", "limit": 200},
    {"term": NOTHING, "media": "ebook", "country": "RU"},
]
