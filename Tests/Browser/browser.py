"""One Chromium for all tests, its pages, and tests that fail when a page reports a problem."""
import contextlib
import functools
import json
import os
import re
import sys
import unittest
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

from . import settings, site
from .server import Server

OBSERVE = Path(__file__).with_name("observe.js").read_text(encoding="utf-8")
HEIGHT = 800
SCHEMES = ("light", "dark")
WIDTHS = (1280, 320)
ENOUGH = 4
# The setting without infinite scrolling, which would add cards while a test reads the page.
NO_SCROLLING = (("reading", "pages"),)


@functools.cache
def playwright():
    return sync_playwright().start()


@functools.cache
def chromium():
    # Without a graphics card, software rendering is faster than an emulated one. The other options save processes and threads.
    arguments = ["--disable-gpu", "--in-process-gpu", "--enable-features=NetworkServiceInProcess2", "--js-flags=--single-threaded"]
    # Chromium has no sandbox for root.
    arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
    launch = functools.partial(playwright().chromium.launch, executable_path=settings.CHROMIUM, args=arguments, timeout=60_000)
    try:
        return launch()
    except Error as error:
        # Chromium itself crashes in about one of a thousand starts.
        print(f"Chromium did not start, and is started again: {error}", file=sys.stderr)
        return launch()


@functools.cache
def server(name):
    """The server of a site, which all tests share and reset."""
    return Server(site.folder(name))


def close():
    """Closes the browser and Playwright if they were started."""
    if chromium.cache_info().currsize:
        chromium().close()
    if playwright.cache_info().currsize:
        playwright().stop()


class Watch:
    """Collects the problems of a context: errors, failed requests, requests to other hosts, dialogs.

    The console reports each failed request. Events of each answer would take a tenth of the time of a page.
    """

    def __init__(self, context, home):
        self.home = home
        self.problems = []
        self.requests = []
        context.on("weberror", lambda error: self.note(f"error: {error.error}"))
        context.on("console", self.console)
        context.on("request", self.request)
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

    def dialog(self, dialog):
        self.note(f"dialog: {dialog.message}")
        dialog.dismiss()


class Home:
    """The place of a site's pages: a server or a folder."""

    def __init__(self, name, over, own=False):
        self.server = None if over != "http" else Server(site.folder(name)) if own else server(name)
        self.folder = site.folder(name)
        self.address = self.server.address if self.server else Path(self.folder).as_uri() + "/"


def context(home, *, scripts=True, bypass_csp=False, workers="block", reduced=False, kept=(), width=1280, scheme="light", locale="en-US"):
    """A new context and its watch. `kept` has names and values for the site's storage, set before any script runs."""
    made = chromium().new_context(
        java_script_enabled=scripts, bypass_csp=bypass_csp, service_workers=workers, color_scheme=scheme, locale=locale,
        reduced_motion="reduce" if reduced else "no-preference", viewport={"width": width, "height": HEIGHT})
    made.set_default_timeout(settings.wait)
    made.add_init_script(OBSERVE)
    for key, value in kept:
        # Only if the page has not changed the value since.
        made.add_init_script(f"try {{ localStorage.getItem('amber.{key}') ?? localStorage.setItem('amber.{key}', {json.dumps(value)}) }} catch {{}}")
    return made, Watch(made, home.address)


@functools.cache
def lasting(name, over, **how):
    """A page with its home and watch, shared by tests that change no stored data."""
    home = Home(name, over)
    made, watch = context(home, **how)
    return home, made.new_page(), watch


class BrowserTest(unittest.TestCase):
    """A test in the browser. It fails if its pages reported a problem."""

    maxDiff = 4000
    site = "sample"
    broken = 0

    def open(self, path="index.html", *, over="http", site=None, fresh=False, own=False, serving=None, **how):
        """Opens a page of the site. Pages are shared, so a test that changes stored data needs a `fresh` one.

        `serving` sets attributes of the server, such as delay, slow and failures. A test that stops the server needs its `own`.
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
        self.assertEqual(found, [], "the page reported problems")

    @contextlib.contextmanager
    def part(self, **which):
        """A subtest that fails if its page reported a problem."""
        # A few failures are enough, because each may take its full time limit.
        if self.broken == ENOUGH:
            self.fail(f"{ENOUGH} parts failed; the others were not run")
        with self.subTest(**which):
            try:
                yield
                self.finish(self.watch, self.expected)
            except Exception:
                self.broken += 1
                raise

    def expect_problem(self, pattern):
        """Allows problems that this test causes on purpose."""
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
        """The address that the page itself reports, because Playwright updates its own later."""
        return self.page.evaluate("location.href")

    def observe(self, what, *arguments):
        return observe(self.page, what, *arguments)

    def wait(self, condition, argument=None):
        """Waits until a condition in the page holds, and reports the condition if it never does."""
        try:
            self.page.wait_for_function(condition, arg=argument, timeout=settings.wait)
        except Exception as error:
            if type(error).__name__ != "TimeoutError":
                raise
            self.fail(f"the condition did not hold within {settings.wait} ms: {condition} ({argument})")

    @property
    def server(self):
        return self.home.server


def observe(page, what, *arguments):
    """Reads from a page. If scripts are off, observe.js is added first."""
    if not page.evaluate("'observe' in window"):
        page.evaluate(OBSERVE)
    return page.evaluate(f"(given) => observe.{what}(...given)", list(arguments))
