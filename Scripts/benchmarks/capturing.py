"""Rows of captures: from nginx on loopback, and from 50 milliseconds away, beside curl for the same addresses."""
import os

from . import nginx
from .bench import REAL
from .building import SMALL
from .figures import counted, median
from .programs import Server, timed

LATENCY = 50  # milliseconds
NEAR, FAR = 8, 32  # requests under way at once


def loopback(bench):
    """From nginx with the files of the twin: beside curl, and once more where nothing changed."""
    bench.versions["nginx"] = nginx.version()
    for characters in (REAL, SMALL):
        if characters > bench.scale:
            continue
        archived = bench.archived(characters)
        output = bench.output_with(archived.folder, bench.scratch)
        bench.render(archived, output)
        with nginx.Nginx(bench.fresh(), nginx.twin(os.path.join(output, "site"))) as server:
            beside_curl(bench, f"{characters:,} from nginx", server, addresses(server.api, archived.summary["records"]), NEAR, "HTTP/1.1")


def distance(bench):
    """From the sample, each answer 50 ms late: ten thousand pictures and their lists, over HTTP/1.1 and over HTTP/2."""
    characters = min(SMALL, bench.scale)
    with Server(bench.sample(characters, "--latency", str(LATENCY))) as behind:
        counts = {"character": characters, **{
            kind: int(behind.get(f"/api/{kind}").split('"count":')[1].split(",")[0]) for kind in ("location", "episode")}}
        # Portraits are drawn when they are first asked for.
        timed(curl(addresses(behind.api, counts), bench.fresh(), 100), bench.log)
        name = f"{characters:,} {LATENCY} ms away"
        beside_curl(bench, name, behind, addresses(behind.api, counts), FAR, "HTTP/1.1")
        if not nginx.PROGRAM:
            bench.note("NOT MEASURED over HTTP/2: nginx, which speaks it here, is not installed (Debian's package nginx-light)")
            return
        pair = nginx.certificate(bench.scratch)
        with nginx.Nginx(bench.fresh(), nginx.front(behind.port, *pair), scheme="https") as server:
            beside_curl(bench, name, server, addresses(server.api, counts), FAR, "HTTP/2", trusted=pair[0])


def beside_curl(bench, name, server, urls, connections, protocol, trusted=None):
    """`amber capture` into a fresh archive, curl into a fresh folder, and the capture of nothing new, in turn."""
    bench.say(f"capturing {name} over {protocol}, {counted(bench.runs, 'run')}")
    far = str(LATENCY) in name
    environment = {"SSL_CERT_FILE": trusted} if trusted else None
    first, again, theirs = [], [], []
    told = ""
    for _ in range(bench.runs):
        output = bench.fresh()
        first.append(bench.capture(server.api, output, connections, environment))
        theirs.append(timed(curl(urls, bench.fresh(), connections, trusted), bench.log))
        forget(server)
        again.append(bench.capture(server.api, output, connections, environment))
        told = answers(server)
    name = f"{name}, {protocol}"
    row = bench.row(
        f"capture {name}", [run.seconds for run in first], f"curl --parallel-max {connections}", [run.seconds for run in theirs])
    row.ratio_at_most(1.1 if far else 1.15)
    memory = bench.row(
        "  its peak memory", [run.mebibytes for run in first + again], "curl", [run.mebibytes for run in theirs], unit="MiB")
    memory.at_most(60)
    row = bench.row(f"capture again, {name}", [run.seconds for run in again], "the first capture", [run.seconds for run in first])
    row.ratio_at_most(1.0 if far else 0.3)
    bench.note(f"capture again, {name}: {len(urls):,} addresses; {told} by the server's own count")
    spent = [run.summary["seconds"].get("capture", 0) for run in first]
    bench.stages.append((bench.group, f"capture {name}", {"capture": median(spent), "whole": median([run.seconds for run in first])}))


def forget(server):
    """A server's count begins anew."""
    server.answered() if isinstance(server, nginx.Nginx) else server.reset()


def answers(server):
    """What a server answered since then, in words."""
    if isinstance(server, nginx.Nginx):
        counts, size, protocols = server.answered()
        return f"{kinds(counts)}, {size:,} bytes of bodies over {' and '.join(sorted(protocols))}"
    counts = {str(status): count for status, count in server.stats()["status"].items()}
    return kinds(counts)


def kinds(counts):
    return ", ".join(f"{count:,} x {status}" for status, count in sorted(counts.items()))


def addresses(api, counts):
    """Every list page and every avatar, as a capture asks for them."""
    found = [f"{api}/{kind}?page={number}" for kind, count in counts.items() for number in range(1, (count + 19) // 20 + 1)]
    return found + [f"{api}/character/avatar/{number}.jpeg" for number in range(1, counts["character"] + 1)]


def curl(urls, folder, connections, trusted=None):
    """The command that fetches all addresses into a fresh folder; where a certificate is trusted, many at once over HTTP/2."""
    os.makedirs(folder)
    config = folder + ".config"
    with open(config, "w") as file:
        for number, url in enumerate(urls):
            file.write(f'url = "{url}"\noutput = "{folder}/{number}"\n')
    secure = ["--http2", "--cacert", trusted] if trusted else []
    return ["curl", "--silent", "--show-error", "--fail", *secure, "--parallel", "--parallel-max", str(connections), "--config", config]
