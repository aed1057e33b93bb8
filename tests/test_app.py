"""The whole web process, started as people start it, asked over its own port."""

import gzip
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import httpx
import pytest

from core.measurement.run_json import file_json
from core.version import VERSION
from db.attempts import MOST, WITHIN_S
from db.store import Store
from tests.db.examples import log, simple
from tests.memory import needs_proc, resident_mb
from tests.postgres import postgres
from tests.server import ANSWER_S, START_S, Server

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 50


@pytest.fixture
def server(plain_server):
    """The server that others ask too, for the tests that only ask."""
    return plain_server


def test_health_pages_and_unknown_paths_share_one_port(server):
    """The page is HTML, health is JSON, and a wrong API path is a JSON 404."""
    page = server.get("/")
    health = server.get("/healthz")
    ready = server.get("/readyz")
    unknown = server.get("/api/v1/nothing")

    assert (page.status_code, "text/html" in page.headers["content-type"]) == (200, True)
    assert health.json() == {"status": "ok", "version": VERSION}
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
    assert (unknown.status_code, unknown.json()["line"]) == (404, None)


def test_old_addresses_of_renamed_pages_still_lead_there(server):
    """A link to /strategy or /money opens the page's new address with its question."""
    answer = server.get("/strategy?strategy_gpus=64&goal=latency", follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (308, "layouts?strategy_gpus=64&goal=latency")


@pytest.mark.parametrize("path", ["/", "/healthz", "/_stcore/health", "/api/v1/runs"])
def test_every_answer_is_marked_against_misuse(server, path):
    """Pages, Streamlit's own routes and ours carry the same headers, and name no other host."""
    headers = server.get(path).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]


def test_only_loopback_is_listened_on(server):
    """Without HOST the port is closed on every other address of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))
        address = asking.getsockname()[0]
    if address.startswith("127."):
        pytest.skip("this machine has no other address than loopback")

    with socket.socket() as knocking:
        knocking.settimeout(5)
        assert knocking.connect_ex((address, server.port)) != 0


def test_the_address_is_printed(server):
    """Who starts the server reads where it is."""
    assert server.base in server.output.read_text()


def test_a_log_sent_by_curls_rules_is_kept_once(server):
    """Text, gzip and a run file of one run make one run."""
    form = {"content-type": "application/x-www-form-urlencoded"}
    first = server.post("/api/v1/runs", content=log(1), headers=form)
    again = server.post(
        "/api/v1/runs",
        content=gzip.compress(log(1).encode()),
        headers={"content-type": "text/plain", "content-encoding": "gzip"},
    )
    number = first.json()["id"]
    back = server.get(f"/api/v1/runs/{number}")
    third = server.post("/api/v1/runs", json=back.json())

    assert (first.status_code, again.status_code, third.status_code) == (201, 200, 200)
    assert number == again.json()["id"] == third.json()["id"]


def test_a_body_that_is_too_large_gets_its_answer(server):
    """The refusal arrives although the client is still sending."""
    answer = server.post(
        "/api/v1/runs",
        content=b"#" * 60_000_000,
        headers={"content-type": "text/plain"},
    )

    assert answer.status_code == 413


def test_a_foreign_page_in_a_browser_here_is_refused(server):
    """Loopback is for programs: a page of another site may not read or write through the browser."""
    answer = server.get("/api/v1/runs", headers={"origin": "https://attacker.example"})

    assert answer.status_code == 403


def test_fifty_uploads_at_once_lose_and_double_nothing(server):
    """Twenty-five runs, each sent twice at the same moment, are twenty-five runs."""
    before = {run["id"] for run in everything(server)}
    gate = Barrier(AT_ONCE)

    def upload(index):
        content = json.dumps(file_json([simple(1000 + index // 2, samples=30)]))
        with httpx.Client(timeout=ANSWER_S) as client:
            gate.wait()
            return client.post(
                f"{server.base}/api/v1/runs", content=content, headers={"content-type": "application/json"}
            )

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(upload, range(AT_ONCE)))
    new = [run for run in everything(server) if run["id"] not in before]

    assert sorted(answer.status_code for answer in answers) == [200] * 25 + [201] * 25
    assert len(new) == 25
    assert {run["sample_count"] for run in new} == {30}
    assert {answer.json()["id"] for answer in answers} == {run["id"] for run in new}


def everything(server):
    """All runs of a server, by following the pages."""
    cursor, found = "", []
    while cursor is not None:
        answer = server.get("/api/v1/runs", params={"cursor": cursor, "limit": 20}).json()
        found += answer["runs"]
        cursor = answer["next"]
    return found


def test_a_restarted_or_killed_server_has_what_it_confirmed(tmp_path):
    """
    Stopped while idle and started the other way, then killed in the middle of uploads: confirmed runs are in the store.

    Who sent ten wrong tokens within a minute waits, and is told how long; at /metrics as well.
    """
    settings = {"WIRESPEED_API_TOKEN": "t"}
    allowed = {"authorization": "Bearer t", "content-type": "text/plain"}
    with Server(tmp_path, **settings) as first:
        sent = first.post("/api/v1/runs", content=log(7), headers=allowed)
        refused = first.get("/api/v1/runs")
        wrong = {"authorization": "Bearer no"}
        tries = [first.get("/api/v1/runs", headers=wrong) for _ in range(MOST + 3)]
        scraped = first.get("/metrics", headers=wrong)
    confirmed = []
    with Server(tmp_path, by="python") as doomed, httpx.Client(timeout=ANSWER_S) as client:
        kept = [run["id"] for run in everything(doomed)]
        for number in range(30):
            if number == 20:
                doomed.process.kill()
            try:
                answer = client.post(f"{doomed.base}/api/v1/runs", json=file_json([simple(number)]))
            except httpx.TransportError:
                break
            confirmed.append(answer.json()["id"])
    store = Store(f"sqlite:///{tmp_path / 'data' / 'wirespeed.db'}")
    found = {row.id: row.sample_count for row in store.runs(limit=200).runs}
    store.close()

    assert (sent.status_code, refused.status_code) == (201, 401)
    assert [answer.status_code for answer in tries] == [401] * MOST + [429] * 3
    assert scraped.status_code == 429
    assert 0 < int(tries[-1].headers["Retry-After"]) <= WITHIN_S
    assert kept == [sent.json()["id"]]
    assert len(confirmed) >= 20
    assert set(confirmed) <= set(found)
    assert {found[number] for number in found if number not in kept} == {4}


@pytest.mark.postgres
def test_a_server_waits_for_its_database(tmp_path):
    """Started before PostgreSQL it serves pages and says 503, tells no password, and is ready later."""
    with tempfile.TemporaryDirectory(prefix="wirespeed-pg-") as folder, ExitStack() as database:
        data = Path(folder) / "data"
        url = f"postgresql://postgres:secret@/postgres?host={data}"
        with Server(tmp_path, WIRESPEED_DATABASE_URL=url) as running:
            early = running.get("/readyz")
            listed = running.get("/api/v1/runs")
            page = running.get("/")
            database.enter_context(postgres(Path(folder)))
            end = time.monotonic() + START_S
            while running.get("/readyz").status_code != 200 and time.monotonic() < end:
                time.sleep(0.2)
            sent = running.post("/api/v1/runs", json=file_json([simple(1)]))

    assert (early.status_code, listed.status_code, page.status_code) == (503, 503, 200)
    assert sent.status_code == 201
    said = [line for line in running.output.read_text().splitlines() if line.startswith("wirespeed: ")]
    assert "cannot be used" in said[0]
    assert said[-1] == "wirespeed: the database answers again"
    assert len(said) == len(set(said))
    assert "secret" not in running.output.read_text()


def test_a_bad_setting_stops_the_start_with_one_line(tmp_path):
    """An address that is none is explained instead of a traceback."""
    environment = os.environ | {"WIRESPEED_DATABASE_URL": "mysql://x", "PYTHONPATH": str(ROOT)}
    process = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=START_S,
        check=False,
    )

    assert process.returncode != 0
    assert "wirespeed: WIRESPEED_DATABASE_URL: sqlite or postgresql, not mysql" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.slow
def test_two_servers_share_one_database_file(tmp_path):
    """Four hundred uploads over two processes, each run sent to both: every run is there once."""
    with Server(tmp_path) as one, Server(tmp_path) as two:

        def upload(index):
            server = (one, two)[index % 2]
            return server.post("/api/v1/runs", json=file_json([simple(index // 2, samples=20)]))

        with ThreadPoolExecutor(24) as pool:
            answers = list(pool.map(upload, range(400)))
        here, there = everything(one), everything(two)

    assert sorted(answer.status_code for answer in answers) == [200] * 200 + [201] * 200
    assert here == [run | {"url": run["url"].replace(two.base, one.base)} for run in there]
    assert len({run["sha256"] for run in here}) == len(here) == 200


@pytest.mark.slow
@needs_proc
def test_hostile_uploads_leave_the_server_as_it_was(tmp_path):
    """Large nonsense, bombs and broken streams, again and again: answers stay quick, memory stays flat."""
    bodies = (
        (b"#" * 49_000_000, {}),
        (b"1 2 3 4 5 6 7 8\n" * 2_000_000, {}),
        (b"[" * 10_000_000, {"content-type": "application/json"}),
        (gzip.compress(b"0" * 400_000_000), {"content-encoding": "gzip"}),
        (gzip.compress(log(1).encode())[:-9], {"content-encoding": "gzip"}),
        (bytes(range(256)) * 100_000, {}),
    )
    with Server(tmp_path) as server, httpx.Client(base_url=server.base, timeout=ANSWER_S) as client:

        def attack(index):
            content, headers = bodies[index % len(bodies)]
            sent = {"content-type": "text/plain"} | headers
            return client.post("/api/v1/runs", content=content, headers=sent).status_code

        with ThreadPoolExecutor(4) as pool:
            first = list(pool.map(attack, range(12)))
            before = resident_mb(server.process.pid)
            rest = list(pool.map(attack, range(36)))
        after = resident_mb(server.process.pid)
        good = client.post("/api/v1/runs", content=log(2), headers={"content-type": "text/plain"})

    assert set(first + rest) == {400, 413}
    assert good.status_code == 201
    assert after < before + 150
