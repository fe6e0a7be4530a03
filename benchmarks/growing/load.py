"""A web as an embedded graph, by Neo4j's offline importer, with all that recording gives it."""

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from graphcrawl import server
from graphcrawl.config import Paths, Settings
from graphcrawl.connection import connect
from graphcrawl.server import jars, java
from graphcrawl.server.store import Store
from graphcrawl.urls import neuron_id
from growing.web import EXCLUDED, FAILED, FETCHED, POSITIONS, WAITING, Web, make

AT = "2026-01-02T03:04:05.678Z"
LABELS = {
    WAITING: "PageNeuron;Frontier",
    FETCHED: "PageNeuron;Fetched",
    FAILED: "PageNeuron;Failed",
    EXCLUDED: "PageNeuron;Excluded",
}
_NEURON = (
    ":ID,neuronId:long,url,host,depth:long,redirects:long,reward:double,baseReward:double,"
    "grants:string[],strength:double,inLinks:long,number:long,bornAt:long,discoveredAt:datetime,"
    "priority:double,feedHint:double,status:long,fetchedAt:datetime,contentType,bytes:long,title,"
    "language,digest,outLinks:long,worth:double,tries:long,reason,error,feedForm,feedJobs:long,"
    "feedUrl,nextVisitAt:datetime,:LABEL\n"
)
_AXON = (
    ":START_ID,:END_ID,weight:double,links:long,anchor,rel,position,raw,firstSeenAt:datetime,"
    "lastSeenAt:datetime,:TYPE\n"
)
_TITLES = "Careers at Acme|Open positions|About us|News and events|Our products|Team|Contact"
_ANCHORS = (
    "Home|Read more|Software engineer Berlin|About our company|Next page|Terms of service|"
    "How we build trains in Bavaria|Nurse (part time)|Imprint|All open positions"
)


def url_of(web_host: int, place: int) -> str:
    """Return the URL of a host's page: its home page first."""
    return f"https://{host_name(web_host)}/" + (f"path/of/page-{place}.html" if place else "")


def host_name(number: int) -> str:
    """Return the name of a host."""
    return f"www.site-{number}.example"


async def build(settings: Settings, graph: str, pages: int, seed: int) -> dict[str, float]:
    """Replace the graph by a web of so many pages and stop it; return what took how long."""
    paths, began = Paths.locate(settings.home), time.perf_counter()
    await server.reset(paths, graph)
    await server.up(paths, graph, settings.server)  # makes its folder and its user
    await server.down(paths, graph)
    store = Store.of(paths, graph)
    folder = store.home / "import"
    try:
        web = make(pages, seed)
        axons = len(web.source)
        write(web, folder, graph)
        written = time.perf_counter()
        del web
        await asyncio.to_thread(run_importer, paths, store, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    imported = time.perf_counter()
    async with connect(settings):  # the schema: its indexes are filled
        prepared = time.perf_counter()
    await server.down(paths, graph)
    return {
        "axons": axons,
        "write_csv_s": written - began,
        "import_s": imported - written,
        "index_s": prepared - imported,
    }


def run_importer(paths: Paths, store: Store, folder: Path) -> None:
    """Run Neo4j's importer, which is among the jars, over the files of a folder."""
    program = java.find(paths.cache / "java")
    if program is None:
        raise SystemExit("No Java: graphcrawl doctor")
    class_path = os.pathsep.join(
        str(paths.cache / "jars" / jar.file_name) for jar in jars.locked_jars()
    )
    command = [
        str(program),
        "-Xmx1g",
        "--enable-native-access=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-cp",
    ]
    command += [class_path, "org.neo4j.cli.AdminTool", "database", "import", "full", "neo4j"]
    command += ["--overwrite-destination", "--id-type=integer", "--max-off-heap-memory=2G"]
    command += [f"--nodes={folder}/neurons.csv", f"--nodes=Host={folder}/hosts.csv"]
    command += [f"--nodes=Meta={folder}/meta.csv", f"--nodes=WriteGate={folder}/gates.csv"]
    command += [f"--relationships={folder}/axons.csv"]
    variables = os.environ | {"NEO4J_HOME": str(store.home), "NEO4J_CONF": str(store.conf)}
    done = subprocess.run(
        command, env=variables, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"The importer failed.\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def write(web: Web, folder: Path, graph: str) -> None:
    """Write the files that the importer reads."""
    best = np.full(web.hosts, -1.0)
    waits = web.state == WAITING
    np.maximum.at(best, web.host[waits], web.reward[waits])
    (folder / "meta.csv").write_text(
        f":ID,graph,schemaVersion:long,distributions:long\n{web.pages},{graph},0,5\n"
    )
    (folder / "gates.csv").write_text(
        f":ID,name,discovered:long\n{web.pages + 1},record,{web.pages}\n"
    )
    with (folder / "hosts.csv").open("w") as file:
        file.write(
            ":ID,name,nextFetchAt:datetime,failures:long,delayS:double,latencyS:double,"
            "refusals:long,requests:long,bestPriority:double\n"
        )
        for number, priority in enumerate(best.tolist()):
            shown = f"{priority:.6g}" if priority >= 0 else ""
            file.write(
                f"{web.pages + 2 + number},{host_name(number)},{AT},0,0.0,0.1,0,40,{shown}\n"
            )
    with (folder / "neurons.csv").open("w") as file:
        file.write(_NEURON)
        file.writelines(_neurons(web))
    with (folder / "axons.csv").open("w") as file:
        file.write(_AXON)
        file.writelines(_axons(web))


def _neurons(web: Web) -> Iterator[str]:
    titles = _TITLES.split("|")
    out_links = np.bincount(web.source, minlength=web.pages)
    places = np.arange(web.pages) - web.first[web.host]
    columns = (web.host, places, web.state, web.reward, web.depth, web.feed)
    columns += (web.strength, web.in_links, out_links)
    for number, (host, place, state, reward, depth, feed, strength, into, out) in enumerate(
        _rows(columns)
    ):
        url, name = url_of(host, place), host_name(host)
        seed = place == 0 and host < 100
        labels = LABELS[state] + ";Seed" * seed + ";JobFeed" * feed
        grants = "10 job links" if reward > 10 else "1 word title" if reward > 1 else ""
        base = 10.0 if reward > 10 else 1.0 if reward > 1 else 0.0
        yield (
            f"{number},{neuron_id(url)},{url},{name},{depth},0,{reward:.6g},{base},{grants},{strength},"
            f"{into},{number + 1},{number % 5},{AT},"
        )
        if state == WAITING:
            yield f"{reward:.6g},{'0.3' if number % 50 == 0 else ''},,,,,,,,,,,,,,,,,{labels}\n"
        elif state == FETCHED:
            digest = f"{neuron_id(url):016x}" * 2
            listing = f"rss,25,{url},2030-01-01T00:00:00Z" if feed else ",,,"
            title = titles[number % len(titles)]
            yield (
                f",,200,{AT},text/html,{5000 + number % 60000},{title},en,{digest},"
                f"{out},0.1,1,,,{listing},{labels}\n"
            )
        elif state == FAILED:
            yield f",,404,{AT},,,,,,,,1,http-client,http-client: 404 Not Found,,,,,{labels}\n"
        else:
            yield f",,,,,,,,,,,,scope,,,,,,{labels}\n"


def _axons(web: Web) -> Iterator[str]:
    anchors = _ANCHORS.split("|")
    for number, (source, target, weight) in enumerate(_rows((web.source, web.target, web.weight))):
        rel = "nofollow" if number % 40 == 0 else ""
        anchor = anchors[number % len(anchors)]
        raw = f"page-{target % 9973}.html" if number % 2 else ""
        yield (
            f"{source},{target},{weight},1,{anchor},{rel},{POSITIONS[number % 3]},"
            f"{raw},{AT},{AT},LINK_AXON\n"
        )


def _rows(columns: Iterable[np.ndarray], at_once: int = 100_000) -> Iterator[tuple]:  # type: ignore[type-arg]
    """Yield rows of plain Python values, with flat memory."""
    columns = tuple(columns)
    for begin in range(0, len(columns[0]), at_once):
        yield from zip(
            *(column[begin : begin + at_once].tolist() for column in columns), strict=True
        )
