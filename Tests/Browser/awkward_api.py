"""An API whose data was not prepared for pages: long words, huge texts, 200 fields, no titles, no pictures, only pictures."""
from .hostile_api import TEXTS, picture
from . import loopback

WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
PLAIN = "The keeper of the lighthouse wrote down the wind, the clouds and each ship that passed. "
ARTICLE = (
    "<h2>Origin</h2><p>Made in <em>1911</em> for a <a href=\"https://example.org/\">lighthouse</a>.</p><ul><li>brass</li>"
    "<li>glass</li></ul><table><tr><th>Part</th><th>Weight</th></tr><tr><td>Lens</td><td>940 kg</td></tr></table>"
    "<script>window.hacked=1</script><img src=\"x\" onerror=\"window.hacked=1\">")
CHOICES = {
    "sky": ["clear", "cloudy", "rain"], "state_of_the_sea": ["calm", "rough", "high"], "visibility": ["good", "poor", "fog"],
    "keeper_on_duty": ["Gustaf", "Ада", "Augustin"], "signal": ["white", "red", "green"],
}
NAMES = ["Fresnel lens", "Маяк на Чёрном море", WORD, PLAIN * 4, "東京湾の灯台", "O", TEXTS[0], TEXTS[1]]


def records(base):
    """The records of each kind, with links to one another."""
    def address(kind, number):
        return f"{base}/{kind}/{number}"

    makers = [{
        "id": number, "url": address("makers", number), "name": name, "born": f"18{40 + number}-03-0{number}", "country": "Österreich",
        "website": "https://example.org/" + "a" * 150, "exhibits": [address("exhibits", count) for count in range(number, 25, 3)],
    } for number, name in enumerate(["Ада Лавлейс", "Gustaf Dalén", "Augustin Fresnel"], 1)]
    exhibits = [{
        "id": number, "url": address("exhibits", number), "name": NAMES[number] if number < len(NAMES) else f"Exhibit {number}",
        "status": ["on display", "in store", "on loan"][number % 3], "maker": address("makers", (number + 2) % 3 + 1),
        "price": {"amount": 1234567.5 * number, "currency": "EUR"}, "acquired": f"19{10 + number}-05-17",
        "updated_at": "2026-03-01T09:30:00Z", "duration_ms": 215_000, "file_size": 73_400_320, "is_public": number % 2 == 0,
        "image": f"{base}/pictures/{number}.png" if number % 4 else None, "description": ARTICLE if number % 2 else PLAIN * 120,
        "dimensions": {"size": {"height": 2.59, "width": 1.84, "unit": "m"}, "weight": {"value": 5800, "unit": "kg"}, "notes": None},
        "loans": [{"to": f"Museum {count}", "from": f"20{count:02}-01-01", "fee": 100.5 * count, "insured": count % 2 == 0}
                  for count in range(10, 10 + number % 5)],
        "keywords": ["optics", "море", WORD, *TEXTS[:number % 9]], "remark": TEXTS[number % len(TEXTS)], "empty": "", "none": [],
    } for number in range(1, 25)]
    forms = [{
        "id": number, "url": address("forms", number), "title": f"Form {number}",
        **{f"field_{count:03}_{'of_the_questionnaire' if count % 7 == 0 else 'value'}": [count * 37, f"answer {count}", None, True, PLAIN][count % 5]
           for count in range(200)},
    } for number in range(1, 4)]
    readings = [{
        "id": number, "url": address("readings", number), "at": f"2026-02-{number:02}T06:00:00Z", "pressure": 1013.25 - number,
        "temperature": -number / 2, "station": {"latitude": 44.61, "longitude": 33.52, "code": f"UA{number:03}"},
        **{name: values[number % 3] for name, values in CHOICES.items()},
        "by_hour": [{"hour": hour, "wind": hour * 1.5, "gust": hour * 2.5} for hour in range(24)],
    } for number in range(1, 29)]
    photos = [{"id": number, "image": f"{base}/pictures/{number}.png"} for number in range(1, 9)]
    return {"exhibits": exhibits, "makers": makers, "forms": forms, "readings": readings, "photos": photos}


class AwkwardAPI(loopback.Loopback):
    """Serves the data on 127.0.0.1 during the block."""

    def __init__(self):
        super().__init__(Handler)
        self.address = f"{self.origin}/api"
        self.http.records = records(self.address)


class Handler(loopback.Handler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        self.send(*self.answer(path.strip("/").split("/"), dict(part.split("=") for part in query.split("&") if "=" in part)))

    def answer(self, path, query):
        base, kinds, json_type = f"http://{self.headers['Host']}/api", self.server.records, "application/json; charset=utf-8"
        match path:
            case ["api"]:
                return 200, json_type, {kind: f"{base}/{kind}" for kind in kinds}
            case ["api", "pictures", name]:
                return 200, "image/png", picture(int(name.removesuffix(".png")))
            case ["api", kind] if kind in kinds:
                number, rows = int(query.get("page", "1")), kinds[kind]
                later = f"{base}/{kind}?page={number + 1}" if number * 10 < len(rows) else None
                return 200, json_type, {"count": len(rows), "next": later, "results": rows[(number - 1) * 10 : number * 10]}
            case ["api", kind, number] if kind in kinds and number.isdigit():
                found = [record for record in kinds[kind] if record["id"] == int(number)]
                if found:
                    return 200, json_type, found[0]
        return 404, json_type, {"error": "There is nothing here."}
