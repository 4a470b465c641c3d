"""Rows of `amber verify` and `amber snapshot`, beside tar and sha256sum."""
import os
import sys

from .bench import Archived
from .programs import ROOT, Server, Trouble, timed
from .starting import REAL


def sealed(bench):
    """On the sample, and on the real data where its replica is there."""
    found = [("sample", bench.archived(REAL))]
    shared = os.environ.get("AMBER_SHARED") or os.path.join(os.path.dirname(ROOT), "shared")
    replica = os.path.join(shared, "replica", "replica.py")
    if os.path.exists(replica):
        with Server([sys.executable, replica, "--port", "0"]) as server:
            output = bench.fresh()
            summary = bench.capture(server.api, output, connections=8).summary
            found = [("real data", Archived(summary["records"]["character"], output, server.api, summary))]
    for source, archived in found:
        for word, place in bench.places:
            one(bench, source, archived, word, place)


def one(bench, source, archived, word, place):
    """`amber verify site` of a whole site; `amber snapshot` beside `tar` of its bag and `sha256sum` of its payload."""
    held = bench.held(archived, place)
    output = bench.output_with(held, place)
    bench.render(archived, output)
    verified, snapshots, packed = [], [], []
    for _ in range(bench.runs):
        verified.append(timed([bench.amber, "verify", "site", "--api", archived.api, "--output", output], bench.log))
        fresh = bench.output_with(held, place)
        snapshots.append(
            timed([bench.amber, "snapshot", "--source", "archive", "--api", archived.api, "--output", fresh, "--json"], bench.log))
        bag = snapshots[-1].summary["bag"]
        if not os.path.isdir(bag):
            raise Trouble(f"amber snapshot made no bag at {bag}")
        tar = f"tar -cf '{bench.fresh(place)}' -C '{bag}' . && find '{bag}/data' -type f -print0 | xargs -0 sha256sum"
        packed.append(timed(["sh", "-c", tar], bench.log).seconds)
    bench.row(f"verify site on {word}, {source}", [run.seconds for run in verified]).at_most(2)
    bench.row(f"snapshot on {word}, {source}", [run.seconds for run in snapshots], "tar and sha256sum", packed).ratio_at_most(3)
    bench.row(f"  peak memory on {word}, {source}", [run.mebibytes for run in verified + snapshots], unit="MiB").at_most(100)
