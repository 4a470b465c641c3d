"""The kinds of pages, with one page for each. A missing page fails every test of its kind."""
import os

from . import settings

ENGLISH = {
    "list": "index.html",
    "list-2": "page/2.html",
    "character": "character/1.html",
    "episode": "episode/1.html",
    "location": "location/3.html",
    "episodes": "episodes.html",
    "locations": "locations.html",
    "figures": "figures.html",
    "search": "search.html",
    "settings": "settings.html",
    "about": "about.html",
    "completeness": "completeness.html",
    "changes": "changes.html",
    "status-list": "status/alive.html",
}
RUSSIAN = {f"ru-{kind}": f"ru/{path}" for kind, path in ENGLISH.items()}
ALL = {**ENGLISH, **RUSSIAN}

# Only a source with a history has these.
HISTORY = {
    "revision": "revision/2.html",
    "revision-long": "revision/5/2.html",
    "history": "character/94.html",
    "history-long": "location/20.html",
}

# The kinds of the second catalogue's invented store.
MEDIA_ENGLISH = {
    "media-searches": "index.html",
    "media-found": "found/love-music-us.html",
    "media-found-movies": "found/star-movie-us.html",
    "media-found-books": "found/life-ebook-us.html",
    "media-list": "media.html",
    "media-list-2": "media/2.html",
    "media-genre": "genre/sci-fi-fantasy.html",
    "media-song": "song-us/1250507784.html",
    "media-movie": "movie-us/804491712.html",
    "media-book": "book-us/1522596608.html",
    "media-search": "search.html",
    "media-changes": "changes.html",
    "media-completeness": "completeness.html",
}
MEDIA = {**MEDIA_ENGLISH, **{f"ru-{kind}": f"ru/{path}" for kind, path in MEDIA_ENGLISH.items()}}
PATHS = {**ALL, **HISTORY, **MEDIA}

# Kinds that show served data. Their text is the same with and without scripts, over HTTP and from a disk.
FACTS = [
    "list", "list-2", "character", "episode", "location", "episodes", "locations", "figures", "changes", "status-list", "ru-list",
    "ru-character",
]

MEDIA_FACTS = ["media-found-books", "media-list", "media-song", "media-movie", "media-book", "ru-media-list", "ru-media-song"]


def some(paths, where=lambda path: True):
    """The pages to read. If a kind has more than six pages for which the condition holds, it is one in three of these. With --thorough, it is all."""
    folders = {}
    for path in filter(where, paths):
        folders.setdefault(os.path.dirname(path), []).append(path)
    # The pages of the top folder are each of their own kind.
    many = [pages for folder, pages in folders.items() if folder not in ("", "ru") and len(pages) > 6]
    left_out = {path for first, pages in enumerate(many) for place, path in enumerate(pages) if (place + first) % 3}
    return [path for path in paths if settings.thorough or path not in left_out]


def chosen(kinds=ALL):
    """The kinds with their paths, or only those given with --kinds."""
    return {kind: PATHS[kind] for kind in kinds if not settings.chosen or kind in settings.chosen}
