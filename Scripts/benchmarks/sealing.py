"""Rows of `amber verify` and `amber snapshot`, beside tar and sha256sum."""
import os

from .programs import Trouble, timed


def sealed(bench):
    """On the real data where its replica is at hand, since its pictures are larger; else on the sample."""
    for word, place in bench.places:
        one(bench, bench.real(), word, place)


def one(bench, archived, word, place):
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
    bench.row(f"verify site on {word}, {archived.label}", [run.seconds for run in verified]).at_most(2)
    bench.row(f"snapshot on {word}, {archived.label}", [run.seconds for run in snapshots], "tar and sha256sum", packed).ratio_at_most(3)
    bench.row(f"  peak memory on {word}, {archived.label}", [run.mebibytes for run in verified + snapshots], unit="MiB").at_most(100)
