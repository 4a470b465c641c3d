"""One Chromium for a run, pages in it, and tests that fail when a page reports anything that is wrong."""
import contextlib
import functools
import json
import os
import re
import unittest
from pathlib import Path

from playwright.sync_api import sync_playwright

from . import settings, site
from .server import Server

OBSERVE = Path(__file__).with_name("observe.js").read_text(encoding="utf-8")
HEIGHT = 800
SCHEMES = ("light", "dark")
WIDTHS = (1280, 320)
ENOUGH = 4



@functools.cache
def playwright():
    return sync_playwright().start()


@functools.cache
def chromium():
    # Chromium refuses its sandbox to root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright().chromium.launch(executable_path=settings.CHROMIUM, args=arguments, timeout=60_000)


@functools.cache
def server(name):
    """The server of a site, one for all tests; tests put it back as it was."""
    return Server(site.folder(name))


def close():
    """Ends what was started, where it was."""
    if chromium.cache_info().currsize:
        chromium().close()
    if playwright.cache_info().currsize:
        playwright().stop()


class Watch:
    """Collects whatever is wrong in a context: errors, failed requests, requests to another host, dialogs."""

    def __init__(self, context, home):
        self.home = home
        self.problems = []
        self.requests = []
        context.on("weberror", lambda error: self.note(f"error: {error.error}"))
        context.on("console", self.console)
        context.on("request", self.request)
        context.on("requestfailed", self.failed)
        context.on("response", self.response)
        context.on("dialog", self.dialog)

    def note(self, words):
        self.problems.append(words)

    def console(self, message):
        if message.type == "error":
            self.note(f"console: {message.text} ({message.location.get('url', '')})")

    def request(self, request):
        self.requests.append(request.url)
        if not request.url.startswith((self.home, "data:", "blob:")):
            self.note(f"another host: {request.url}")

    def failed(self, request):
        # What a page still loads when it is left is not awaited.
        if request.failure != "net::ERR_ABORTED":
            self.note(f"failed: {request.url} {request.failure}")

    def response(self, response):
        if response.status >= 400:
            self.note(f"status {response.status}: {response.url}")

    def dialog(self, dialog):
        self.note(f"dialog: {dialog.message}")
        dialog.dismiss()


class Home:
    """Where a site's pages are: on a server, or in a folder that is opened as it is."""

    def __init__(self, name, over, own=False):
        self.server = None if over != "http" else Server(site.folder(name)) if own else server(name)
        self.folder = site.folder(name)
        self.address = self.server.address if self.server else Path(self.folder).as_uri() + "/"


def context(home, *, scripts=True, bypass_csp=False, workers="block", reduced=False, kept=(), width=1280, scheme="light"):
    """A context of its own and its watch; `kept`, pairs of name and value, is in the site's storage before anything else runs."""
    made = chromium().new_context(
        java_script_enabled=scripts, bypass_csp=bypass_csp, service_workers=workers, color_scheme=scheme, locale="en-US",
        reduced_motion="reduce" if reduced else "no-preference", viewport={"width": width, "height": HEIGHT})
    made.set_default_timeout(settings.wait)
    made.add_init_script(OBSERVE)
    for key, value in kept:
        # Only where the page has not said otherwise since.
        made.add_init_script(f"try {{ localStorage.getItem('amber.{key}') ?? localStorage.setItem('amber.{key}', {json.dumps(value)}) }} catch {{}}")
    return made, Watch(made, home.address)


@functools.cache
def lasting(name, over, **how):
    """A page that tests share which leave nothing behind in it, with its home and watch."""
    home = Home(name, over)
    made, watch = context(home, **how)
    return home, made.new_page(), watch


class BrowserTest(unittest.TestCase):
    """A test in the browser. Where it ends, its pages must have reported nothing that is wrong."""

    maxDiff = 4000
    site = "sample"
    broken = 0

    def open(self, path="index.html", *, over="http", site=None, fresh=False, own=False, serving=None, **how):
        """A page of the site at a path. It is shared with other tests, so a test that keeps anything in it asks for a fresh one.

        `serving` says how its server behaves: delay, slow, failures. A test that stops the server asks for one of its `own`.
        """
        name = site or self.site
        if fresh:
            home = Home(name, over, own)
            if own:
                self.addCleanup(home.server.stop)
            made, watch = context(home, **how)
            self.addCleanup(made.close)
            page = made.new_page()
        else:
            size = {key: how.pop(key) for key in ("width", "scheme") if key in how}
            home, page, watch = lasting(name, over, **how)
            page.set_viewport_size({"width": size.get("width", 1280), "height": HEIGHT})
            page.emulate_media(color_scheme=size.get("scheme", "light"))
        self.begin(home, page, watch)
        for name, value in (serving or {}).items():
            setattr(home.server, name, value)
        self.goto(path)
        return page

    def begin(self, home, page, watch):
        self.home, self.page, self.watch, self.expected = home, page, watch, []
        watch.problems.clear()
        watch.requests.clear()
        self.addCleanup(self.finish, watch, self.expected)
        if home.server:
            home.server.reset()
            self.addCleanup(home.server.reset)

    def finish(self, watch, expected):
        found = [problem for problem in watch.problems if not any(re.search(pattern, problem) for pattern in expected)]
        watch.problems.clear()
        self.assertEqual(found, [], "the page reported what is wrong")

    @contextlib.contextmanager
    def part(self, **which):
        """A subtest whose page must have reported nothing that is wrong where it ends."""
        # Where many fail alike, each waiting in vain, a few say enough.
        if self.broken == ENOUGH:
            self.fail(f"{ENOUGH} parts failed; the others were not tried")
        with self.subTest(**which):
            try:
                yield
                self.finish(self.watch, self.expected)
            except Exception:
                self.broken += 1
                raise

    def expect_problem(self, pattern):
        """What is wrong in this test on purpose."""
        self.expected.append(pattern)

    def has(self, path):
        return os.path.isfile(os.path.join(self.home.folder, path))

    def need(self, path):
        self.assertTrue(self.has(path), f"the site has no {path}")

    def goto(self, path):
        self.need(path.partition("#")[0].partition("?")[0])
        self.page.goto(self.home.address + path)

    def path(self):
        """The page's path below the site's root, with its hash."""
        return self.address().removeprefix(self.home.address)

    def address(self):
        """The page's own word: what Playwright knows of an address follows later."""
        return self.page.evaluate("location.href")

    def observe(self, what, *arguments):
        return observe(self.page, what, *arguments)

    def wait(self, condition, argument=None):
        """Waits until a condition in the page holds; says which one where it never does."""
        try:
            self.page.wait_for_function(condition, arg=argument, timeout=settings.wait)
        except Exception as error:
            if type(error).__name__ != "TimeoutError":
                raise
            self.fail(f"never came to be within {settings.wait} ms: {condition} ({argument})")

    @property
    def server(self):
        return self.home.server


def observe(page, what, *arguments):
    """Reads from a page; where scripts are off, what reads is put there first."""
    if not page.evaluate("'observe' in window"):
        page.evaluate(OBSERVE)
    return page.evaluate(f"(given) => observe.{what}(...given)", list(arguments))
