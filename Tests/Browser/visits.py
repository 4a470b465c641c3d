"""One visit to each kind of page, at both widths. Tests use its results.

Pages in another language are visited only at the narrow width, where their longer words need the most room. axe judges the dark theme on
the wide page and the light theme on the narrow one. It judges the pages of real data only on the narrow page, and only some pages in
another language, because their elements are the same as those of the sample in English. With --thorough, axe judges all pages in both
themes at both widths, and screenshots are kept.
"""
import dataclasses
import functools
import os
from pathlib import Path

from . import browser, kinds, settings

AXE = Path(settings.AXE).read_text(encoding="utf-8")
# Nothing is loaded from other hosts, and passes are not listed.
AXE_RUN = "() => axe.run(document, { preload: false, resultTypes: ['violations', 'incomplete'] })"

# The sites whose screenshots are kept.
SHOWN = ("sample", "media")

# Deferred scripts arrive after the first paint, as over a slow network, so that every layout shift is observed.
LATE = (0.1, "/scripts/[frs]*")

_, NARROW = browser.WIDTHS


# The pages in another language that axe judges: with a form, with most texts, and with most words of the data.
TRANSLATED = ("ru-search", "ru-settings", "ru-character", "ru-media-list", "ru-media-song")


def themes(site, kind, width):
    """The themes that axe judges."""
    if settings.thorough:
        return browser.SCHEMES
    if kind.startswith("ru-") and kind not in TRANSLATED:
        return ()
    if width == NARROW:
        return ("light",)
    return () if site == "real" else ("dark",)


def widths(kind):
    """The widths at which a kind of page is visited."""
    return (NARROW,) if kind.startswith("ru-") and not settings.thorough else browser.WIDTHS


@dataclasses.dataclass
class View:
    """A page at a width."""

    shifts: list
    overflow: list
    policy: str
    violations: list
    problems: list
    judged: dict = dataclasses.field(default_factory=dict)  # theme: axe's results


@functools.cache
def visit(site, kind):
    """The view of a kind of page at each of its widths."""
    path = kinds.PATHS[kind]
    views = {}
    for width in widths(kind):
        # Each width has its own page, because after a resize the next page may be drawn in the old size first, and shift.
        home, page, watch = browser.lasting(site, "http", width=width)
        if not os.path.isfile(os.path.join(home.folder, path)):
            raise AssertionError(f"the site has no {path}")
        watch.problems.clear()
        page.emulate_media(color_scheme="light")
        home.server.delay, home.server.slow = LATE
        home.server.caching = {}
        page.goto(home.address + path)
        page.evaluate("observe.settled(150)")
        home.server.reset()
        view = views[width] = View(
            shifts=browser.observe(page, "shifts"),
            overflow=browser.observe(page, "overflow"),
            policy=page.evaluate("document.head.querySelector('meta[http-equiv=Content-Security-Policy]')?.content ?? ''"),
            violations=browser.observe(page, "violations"),
            problems=list(watch.problems))
        if themes(site, kind, width):
            page.evaluate(AXE)
        for scheme in themes(site, kind, width):
            if scheme != "light":
                page.emulate_media(color_scheme=scheme)
                page.evaluate("observe.settled(0)")
            view.judged[scheme] = page.evaluate(AXE_RUN)
            if settings.thorough and site in SHOWN:
                shoot(page, f"{kind}-{width}-{scheme}")
        # Read after axe, so that requests of its rules are found too.
        view.violations = browser.observe(page, "violations")
        view.problems = list(watch.problems)
        watch.problems.clear()
    return views


def shoot(page, name):
    """A screenshot of the page from its top, at most 2,400 pixels high."""
    os.makedirs(settings.SCREENSHOTS, exist_ok=True)
    height = min(page.evaluate("document.documentElement.scrollHeight"), 2400)
    width = page.viewport_size["width"]
    # Lazy pictures below the window are not loaded yet.
    page.evaluate("""async (height) => {
        const view = [...document.images].filter((image) => image.getBoundingClientRect().top < height);
        for (const image of view) image.loading = 'eager';
        await Promise.allSettled(view.map((image) => image.decode()));
    }""", height)
    page.screenshot(
        path=os.path.join(settings.SCREENSHOTS, name + ".png"), full_page=True, animations="disabled",
        clip={"x": 0, "y": 0, "width": width, "height": height})
