"""Paths and options from Scripts/browser-test."""
import os

ROOT = os.environ["AMBER_ROOT"]
AXE = os.environ["AMBER_AXE"]
CHROMIUM = os.environ["AMBER_CHROMIUM"]
SHARED = os.environ.get("AMBER_SHARED") or os.path.join(os.path.dirname(ROOT), "shared")
BINARY = os.path.join(ROOT, ".build", "release", "amber")
SCREENSHOTS = os.path.join(ROOT, "Output", "screenshots")
SCRATCH = os.path.join(os.environ.get("AMBER_SCRATCH") or os.path.join(ROOT, ".build"), "browser-test")

# The time limit of a wait in the browser in milliseconds (--patience), and of a program in seconds.
wait = 10_000
LIMIT = 300

# Local servers are used without a proxy.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}

# Whether axe judges both themes at both widths (--thorough).
thorough = False

# The kinds of pages to test (--kinds). Empty means all.
chosen = []
# The templates of the sites (--templates).
templates = os.path.join(ROOT, "Templates")
