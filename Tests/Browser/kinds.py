"""The kinds of pages there are: one page stands for each. A kind whose page is missing fails every test that looks at it."""
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

# What only a source with a history has.
HISTORY = {
    "revision": "revision/2.html",
    "revision-long": "revision/5/2.html",
    "history": "character/94.html",
    "history-long": "location/20.html",
}
PATHS = {**ALL, **HISTORY}

# Kinds that show what was served: with or without scripts, over HTTP or from a disk, they say the same.
FACTS = [
    "list", "list-2", "character", "episode", "location", "episodes", "locations", "figures", "changes", "status-list", "ru-list",
    "ru-character",
]


def chosen(kinds=ALL):
    """The kinds and their paths, or those of them that --kinds asks for."""
    return {kind: PATHS[kind] for kind in kinds if not settings.chosen or kind in settings.chosen}
