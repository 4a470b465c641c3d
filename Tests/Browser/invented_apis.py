"""Invented data with the shapes of PokeAPI and of WordPress, for the pictures of the gallery and for tests of these catalogues."""
import io
import json
import random
from urllib.parse import parse_qs, urlsplit

from PIL import Image, ImageDraw

from . import loopback

JSON = "application/json; charset=utf-8"


class InventedAPI(loopback.Loopback):
    """Serves records by kind on 127.0.0.1 during the block. `list` makes a list page, and `picture` a picture."""

    path = "/api"

    def __init__(self):
        super().__init__(Handler)
        self.address = self.origin + self.path
        self.http.api = self
        self.records = self.make()

    def found(self, kind, number):
        return next(((200, JSON, dump(record)) for record in self.records.get(kind, []) if record["id"] == number), (404, JSON, b"{}"))


class Handler(loopback.Handler):
    def do_GET(self):
        api, address = self.server.api, urlsplit(self.path)
        query = {name: int(values[0]) for name, values in parse_qs(address.query).items() if values[0].isdigit()}
        parts, more = address.path.removeprefix(api.path).strip("/").split("/"), {}
        if parts[0] == "pictures":
            status, kind, body = 200, "image/png", png(api.picture(int(parts[1].removesuffix(".png"))))
        elif len(parts) == 2:
            status, kind, body = api.found(parts[0], int(parts[1]))
        else:
            status, kind, (body, more) = 200, JSON, api.list(parts[0], query)
        self.send(status, kind, body, more.items())


def dump(value):
    return json.dumps(value, ensure_ascii=False).encode()


def png(picture):
    with io.BytesIO() as out:
        picture.save(out, "PNG")
        return out.getvalue()


TYPES = {10: "Fire", 11: "Water", 12: "Grass", 13: "Electric", 5: "Ground", 15: "Ice", 3: "Flying", 8: "Ghost"}
COLOURS = {10: "#d8622a", 11: "#3f7fd6", 12: "#4c9a4f", 13: "#c9a21c", 5: "#a37c3a", 15: "#4aa5b3", 3: "#7c86c9", 8: "#6d5a98"}
CREATURES = """Mossling Fernhorn Emberkit Cindrake Drizzlet Tidewyrm Sparkmite Voltusk Pebblup Quarryx Frostpip Glaciora Breezle Galewing
Wispry Lanternox Kelpie Brambock Sootle Puddlejak Amperoo Claymole Snowmoth Zephyrix""".split()
STATS = ("HP", "Attack", "Defence", "Special attack", "Special defence", "Speed")


class InventedPokeAPI(InventedAPI):
    """Creatures with types, stats and species. All other lists are empty."""

    path = "/api/v2"

    def url(self, kind, number):
        return f"{self.address}/{kind}/{number}/"

    def named(self, kind, number, name, **more):
        return {"id": number, "name": name.lower().replace(" ", "-"), "names": [{"name": name, "language": {"name": "en"}}], **more}

    def make(self):
        dice, types = random.Random(7), list(TYPES)
        creatures, species = [], []
        for number, name in enumerate(CREATURES, 1):
            one = types[(number - 1) // 2 % len(types)]
            both = [one] + ([types[(number + 3) % len(types)]] if number % 3 == 0 else [])
            creatures.append({
                "id": number, "name": name.lower(), "height": dice.randint(3, 20), "weight": dice.randint(20, 900), "base_experience": 40 + number * 7,
                "sprites": {"front_default": f"{self.address}/pictures/{number}.png"}, "species": {"url": self.url("pokemon-species", number)},
                "types": [{"slot": slot, "type": {"url": self.url("type", kind)}} for slot, kind in enumerate(dict.fromkeys(both), 1)],
                "stats": [{"base_stat": dice.randint(30, 140), "stat": {"url": self.url("stat", stat)}} for stat in range(1, 7)]})
            species.append(self.named(
                "pokemon-species", number, name, generation={"url": self.url("generation", 1)}, capture_rate=45, is_legendary=False, is_mythical=False,
                genera=[{"genus": f"{TYPES[one]} Creature", "language": {"name": "en"}}],
                evolves_from_species={"url": self.url("pokemon-species", number - 1)} if number % 2 == 0 else None,
                flavor_text_entries=[{"flavor_text": f"{name} was invented for this picture. It sleeps below lighthouses.", "language": {"name": "en"}}],
                varieties=[{"is_default": True, "pokemon": {"url": self.url("pokemon", number)}}]))
        members = {kind: [{"pokemon": {"url": self.url("pokemon", creature["id"])}} for creature in creatures
                          if any(slot["type"]["url"] == self.url("type", kind) for slot in creature["types"])] for kind in TYPES}
        return {
            "pokemon": creatures, "pokemon-species": species,
            "type": [self.named("type", number, name, generation={"url": self.url("generation", 1)}, pokemon=members[number]) for number, name in TYPES.items()],
            "stat": [self.named("stat", number, name) for number, name in enumerate(STATS, 1)],
            "generation": [self.named("generation", 1, "Generation I", pokemon_species=[{"url": self.url("pokemon-species", one["id"])} for one in species])]}

    def list(self, kind, query):
        rows = [{"name": record["name"], "url": self.url(kind, record["id"])} for record in self.records.get(kind, [])]
        begin = query.get("offset", 0)
        return dump({"count": len(rows), "results": rows[begin : begin + query.get("limit", 20)]}), {}

    def picture(self, number):
        """A symmetrical creature of coarse pixels."""
        dice, colour = random.Random(number * 31), COLOURS[list(TYPES)[(number - 1) // 2 % len(TYPES)]]
        small = Image.new("RGBA", (14, 14))
        for y in range(2, 13):
            for x in range(2, 7):
                if dice.random() < 0.78 - abs(y - 7) * 0.05 - (5 - x) * 0.08:
                    for side in (x, 13 - x):
                        small.putpixel((side, y), tuple(Image.new("RGB", (1, 1), colour if dice.random() < 0.75 else "#f2e6c8").getpixel((0, 0))) + (255,))
        for x in (5, 8):
            small.putpixel((x, 5), (20, 24, 30, 255))
        return small.resize((112, 112), Image.Resampling.NEAREST)


POSTS = (
    ("The lamp burned through the storm", "Letters", "On Tuesday the wind turned north, and by noon the rain came in sideways. We trimmed the wick twice and kept the "
     "glass warm, so that no fog settled on it. Three ships passed before midnight, and each answered our signal with two short lights."),
    ("How to clean a lens of two hundred prisms", "Tools", "Start at the top, with a brush of goat hair and patience. Vinegar loosens the salt, soft linen takes "
     "it away, and nothing else ever touches the glass. It takes two people a whole morning, and a third to read aloud."),
    ("Forty-one puffins", "Birds", "They came back on the same day as last year, a little after breakfast. We count them from the gallery with a pencil between "
     "our teeth, because gloves and paper do not agree with the wind up there."),
    ("A walk to the old quay", "Walks", "The path is gone for some ten yards, where the cliff gave way in March. Go over the field instead, and close the gate. "
     "From the quay you can see both lights at once, ours and the small one at Saltmarsh."),
    ("The clockwork is sixty years old today", "Tools", "It has stopped four times since I have been here: once for a moth, once for ice, and twice because I forgot it. "
     "Today it got a drop of new oil and a slice of cake beside it."),
    ("What the fog sounds like", "Letters", "Everything is close in fog. The bell of the buoy rings as if it hung from our own roof, and an oar a mile out knocks on the door."),
    ("A list of useful knots", "Tools", "Five are enough for a lighthouse: one to hold a boat, one to shorten a rope, one to lift a barrel, one for a flag, and one to show to visitors."),
    ("Seals on the landing", "Walks", "The supply boat had to wait for an hour, because a family of seals had moved onto the landing and did not mind our opinion at all."))
PEOPLE = ("Maren Holt", "Tobias Wick", "Ines Calder")
TALK = ((1, 0, "Ines Calder", "Did the glass crack again at the lower edge?"), (2, 1, "Maren Holt", "No, the new putty held. I looked at it twice."),
        (3, 2, "Old Captain", "Putty! In my days we used bread."), (4, 0, "Tobias Wick", "We saw your light from Saltmarsh all night."))


class InventedBlog(InventedAPI):
    """A WordPress of a lighthouse keeper, with comments in reply to one another."""

    path = "/wp-json/wp/v2"

    def make(self):
        def named(number, name, folder):
            return {"id": number, "name": name, "description": "", "slug": slug(name), "link": f"{self.origin}/{folder}/{slug(name)}/"}

        topics = list(dict.fromkeys(topic for _, topic, _ in POSTS))
        posts = [{
            "id": number, "date": f"2025-{12 - number:02}-{28 - number * 2:02}T08:30:00", "link": f"{self.origin}/{slug(title)}/", "title": {"rendered": title},
            "content": {"rendered": f"<p>{text}</p><h2>In short</h2><ul><li>Keep the light burning.</li><li>Write it down.</li></ul><blockquote><p>{text}</p></blockquote>"},
            "excerpt": {"rendered": f"<p>{text}</p>"}, "author": number % 3 + 1, "featured_media": 100 + number if number % 3 != 0 else 0,
            "categories": [topics.index(topic) + 1], "tags": [number % 2 + 1],
        } for number, (title, topic, text) in enumerate(POSTS, 1)]
        return {
            "posts": posts,
            "pages": [{"id": 50, "date": "2024-01-01T00:00:00", "link": f"{self.origin}/about/", "title": {"rendered": "About this light"},
                       "content": {"rendered": "<p>Two keepers, one lamp and a cat.</p>"}, "excerpt": {"rendered": ""}, "author": 1, "featured_media": 0}],
            "categories": [{**named(number, topic, "category"), "parent": 0, "count": 2} for number, topic in enumerate(topics, 1)],
            "tags": [{**named(number, tag, "tag"), "count": 4} for number, tag in ((1, "weather"), (2, "work"))],
            "users": [named(number, name, "author") for number, name in enumerate(PEOPLE, 1)],
            "media": [{"id": 100 + number, "date": "2025-01-01T00:00:00", "link": f"{self.origin}/picture-{number}/", "title": {"rendered": f"Picture {number}"}, "author": 1,
                       "alt_text": "", "caption": {"rendered": ""}, "source_url": f"{self.address}/pictures/{number}.png"} for number in range(1, 9) if number % 3],
            "comments": [{"id": number, "post": 1, "parent": parent, "author_name": name, "date": f"2025-11-27T1{number}:00:00", "link": f"{self.origin}/#comment-{number}",
                          "content": {"rendered": f"<p>{text}</p>"}} for number, parent, name, text in TALK]}

    def list(self, kind, query):
        rows, size = self.records.get(kind, []), query.get("per_page", 10)
        begin = (query.get("page", 1) - 1) * size
        return dump(rows[begin : begin + size]), {"X-WP-Total": str(len(rows)), "X-WP-TotalPages": str(-(-len(rows) // size))}

    def picture(self, number):
        """A lighthouse at another hour of the day."""
        sky = ("#f2c9a1", "#9cc3dd", "#5b6b8c", "#e8a38b", "#c7d9dd", "#39435f", "#f0dcae", "#8fb7c9")[number % 8]
        view = Image.new("RGB", (480, 320), sky)
        draw = ImageDraw.Draw(view)
        draw.ellipse((60 + number * 35, 50, 120 + number * 35, 110), "#fff4d6")
        for row, colour in enumerate(("#6d8a86", "#4c6b6a", "#33504f")):
            draw.polygon([(0, 320), *((x, 215 + row * 32 + (x * (7 + number + row * 3) // 40) % 23) for x in range(0, 520, 40)), (480, 320)], colour)
        draw.polygon([(330, 250), (342, 110), (366, 110), (378, 250)], "#f7f3e8")
        draw.rectangle((337, 160, 371, 190), "#b8412f")
        draw.rectangle((340, 88, 368, 110), "#f6d860")
        draw.polygon([(336, 88), (354, 68), (372, 88)], "#b8412f")
        return view


def slug(title):
    return title.lower().replace(" ", "-")
