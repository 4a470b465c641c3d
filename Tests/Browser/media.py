"""The data of a media site, read from the site itself: its records in the order of its lists."""
import functools
import json
import os
import re

from . import site

KINDS = {"song": "song", "movie": "feature-movie", "book": "ebook"}
MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(),
}


def read(name, path):
    with open(os.path.join(site.folder(name), path), encoding="utf-8") as file:
        return file.read()


@functools.cache
def items(name):
    """The facts of all items by the path of their page, in the order of the main list."""
    found, number = {}, 1
    path = "media.html"
    while os.path.exists(os.path.join(site.folder(name), path)):
        for page in re.findall(r'<li class="card"><a href="(?:\.\./)*([a-z]+-[a-z]{2}/\d+\.html)"', read(name, path)):
            found[page] = facts(name, page)
        number += 1
        path = f"media/{number}.html"
    return found


def facts(name, page):
    """The values that lists and filters use, and the served record."""
    kind, store = page.partition("/")[0].split("-")
    served = json.loads(read(name, f"api/{page.removesuffix('.html')}.json"))
    word = served.get("trackExplicitness", "")
    genres = [genre for genre, number in zip(served.get("genres", []), served.get("genreIds", [])) if number != "38"]
    return {
        "kind": KINDS[kind], "country": store.upper(), "explicit": {"cleaned": "notExplicit"}.get(word, word),
        "genre": genres[0] if kind == "book" and genres else served.get("primaryGenreName", ""), "served": served}


def having(name, **wanted):
    """The pages of items with these values, in order."""
    return [page for page, item in items(name).items() if all(item[column] == value for column, value in wanted.items())]


def date(day, language):
    """The date of a moment in UTC in the form of a language."""
    year, month, number = (int(part) for part in day[:10].split("-"))
    word = MONTHS[language][month - 1]
    return f"{word} {number}, {year}" if language == "en" else f"{number} {word} {year} г."


def money(amount, currency, language):
    """An amount with two decimals, or none if it is whole, and its currency."""
    text = f"{amount:.2f}".removesuffix(".00")
    return f"{text if language == 'en' else text.replace('.', ',')} {currency}"


def duration(kind, milliseconds, language):
    """Minutes and seconds for a song, hours and minutes in words for a film."""
    seconds = (milliseconds + 500) // 1000
    minutes = seconds // 60
    if kind == "song" and seconds < 3600:
        return f"{minutes}:{seconds % 60:02}"
    if kind == "song":
        return f"{minutes // 60}:{minutes % 60:02}:{seconds % 60:02}"
    hour, minute = ("h", "min") if language == "en" else ("ч", "мин")
    return (f"{minutes // 60} {hour} " if minutes >= 60 else "") + f"{minutes % 60} {minute}"
