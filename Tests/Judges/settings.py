"""Paths and settings from Scripts/judge-archives."""
import os

ROOT = os.environ["AMBER_ROOT"]
BINARY = os.environ.get("AMBER_BINARY") or os.path.join(ROOT, ".build", "release", "amber")
SHARED = os.path.abspath(os.environ.get("AMBER_SHARED", os.path.join(ROOT, "..", "shared")))
TESTS = os.path.join(ROOT, ".build", "release", "amberPackageTests.xctest")
# The environments of the programs from PyPI.
BAGIT = os.path.join(os.environ["AMBER_BAGIT"], "bin")
WACZ = os.path.join(os.environ["AMBER_WACZ"], "bin")
PYWB = os.path.join(os.environ["AMBER_PYWB"], "bin")
JSON_SCHEMA = os.environ["AMBER_JSON_SCHEMA"]
DJANGO = os.environ.get("AMBER_DJANGO")
ALL_RECORDS = bool(os.environ.get("AMBER_ALL_RECORDS"))
MOTO = os.environ.get("AMBER_MOTO")
SCRATCH = os.path.join(os.environ.get("AMBER_SCRATCH") or os.path.join(ROOT, ".build"), "judge-archives")

LIMIT = 300  # seconds that one program may take

# Local servers are used without a proxy.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
