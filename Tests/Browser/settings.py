"""Where things are, as Scripts/browser-test hands it over, and what its options ask for."""
import os

ROOT = os.environ["AMBER_ROOT"]
AXE = os.environ["AMBER_AXE"]
CHROMIUM = os.environ["AMBER_CHROMIUM"]
SHARED = os.environ.get("AMBER_SHARED") or os.path.join(os.path.dirname(ROOT), "shared")
BINARY = os.path.join(ROOT, ".build", "release", "amber")
SCREENSHOTS = os.path.join(ROOT, "Output", "screenshots")
# Two runs at once have scratch folders of their own.
BESIDE = os.environ.get("AMBER_BESIDE", "")
SCRATCH = os.path.join(ROOT, ".build", "browser-test" + BESIDE)

# Milliseconds that one wait in the browser may take, as --patience has it, and seconds that one program may.
wait = 10_000
LIMIT = 300

# No proxy may stand between this machine's programs.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}

# The kinds of pages to look at; all where it is empty. Set by --kinds.
chosen = []
# The templates that sites are built from; --templates names others.
templates = os.path.join(ROOT, "Templates")
