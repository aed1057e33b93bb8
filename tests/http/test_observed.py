"""What the server tells its operators: a line and an id a request, and counts for Prometheus."""

import asyncio
import json
import re
import socket
from pathlib import Path

import httpx
import pytest
import yaml
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from db.access import Limits
from db.store import Store
from pages.http.counts import Metrics, kind_of
from pages.http.logs import Observed
from pages.http.metrics import routes
from pages.http.processes.counting import Team
from tests.db.examples import simple

MONITORING = Path(__file__).resolve().parents[2] / "deploy" / "monitoring"
SAMPLE = re.compile(r'(?P<name>[a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.+e-]+')


async def _hello(_request):
    return PlainTextResponse("hello")


async def _bug(_request):
    raise RuntimeError


def ask(path, form="json", headers=None, metrics=None):
    """The answer to a request, and the lines that were written."""
    lines = []
    app = Starlette(
        routes=[Route("/hello", _hello), Route("/bug", _bug)],
        middleware=[Middleware(Observed, metrics=metrics or Metrics(), form=form, write=lines.append)],
    )
    transport = httpx.ASGITransport(app, client=("10.1.2.3", 4000), raise_app_exceptions=False)

    async def get():
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.get(path, headers=headers)

    return asyncio.run(get()), lines


def test_a_line_says_who_asked_for_what_and_how_it_went():
    """JSON for programs, with the id of the answer, without the question."""
    answer, lines = ask("/hello?gpus=8&secret=x")
    entry = json.loads(lines[0])

    assert entry.pop("ms") >= 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", entry.pop("time"))
    assert entry == {
        "request_id": answer.headers["x-request-id"],
        "address": "10.1.2.3",
        "method": "GET",
        "path": "/hello",
        "status": 200,
        "bytes": 5,
    }


@pytest.mark.parametrize("sent", ["abc", "a" * 65, "id with space", 'x"},{"a":"b'])
def test_only_a_plain_id_of_a_proxy_is_kept(sent):
    """A hostile id is replaced; a proxy's own goes through."""
    answer, _ = ask("/hello", headers={"X-Request-ID": sent})
    assert answer.headers["x-request-id"] != sent
    kept, lines = ask("/hello", headers={"X-Request-ID": "proxy-0123456789"})
    assert kept.headers["x-request-id"] == json.loads(lines[0])["request_id"] == "proxy-0123456789"


def test_a_path_with_line_breaks_stays_one_line():
    """Nobody writes a line of their own into the log, in either form."""
    for form in ("text", "json"):
        _, lines = ask("/x%0a2026-01-01 200 forged%1b[31m", form=form)
        assert len(lines) == 1
        assert lines[0].isprintable()


def test_nothing_is_written_unless_wanted_and_a_failure_is_500():
    """Without WIRESPEED_LOG no line; an error of ours is counted and told as 500."""
    assert ask("/hello", form=None)[1] == []
    metrics = Metrics()
    _, lines = ask("/bug", metrics=metrics)

    assert json.loads(lines[0])["status"] == 500
    assert 'wirespeed_http_requests_total{kind="page",status="5xx"} 1' in metrics.lines()


def test_kinds_are_few_whatever_is_asked_for():
    """A scan of a thousand paths makes no thousand series."""
    paths = [f"/wp-admin/{number}.php" for number in range(1000)]

    assert {kind_of(path) for path in paths} == {"page"}
    assert kind_of("/api/v1/runs") == "api"


@pytest.fixture
def scraped(tmp_path, monkeypatch):
    """A client of /metrics on a store with two runs, and its counts; a token is set."""
    monkeypatch.setenv("WIRESPEED_API_TOKEN", "t0ken")
    store = Store(f"sqlite:///{tmp_path / 'w.db'}")
    store.prepare()
    store.save([simple(1), simple(2)])
    metrics = Metrics()
    metrics.request("/api/v1/runs", 201, 0.03)
    metrics.request("/api/v1/runs", 503, 70)
    metrics.websocket(1)
    metrics.verdict("low")
    with TestClient(
        Starlette(routes=routes(store, metrics, Limits())), base_url="http://127.0.0.1"
    ) as client:
        yield client
    store.close()


def test_metrics_need_the_token(scraped):
    """A stranger learns nothing; ten wrong tokens a minute and no more."""
    assert scraped.get("/metrics").status_code == 401
    wrong = [scraped.get("/metrics", headers={"Authorization": "Bearer no"}).status_code for _ in range(11)]
    assert wrong == [401] * 10 + [429]


def test_metrics_are_what_prometheus_reads(scraped):
    """Each line is a sample of a declared name; buckets grow and end in the count."""
    text = scraped.get("/metrics", headers={"Authorization": "Bearer t0ken"}).text
    lines = text.splitlines()
    declared = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    samples = [SAMPLE.fullmatch(line) for line in lines if line[0] != "#"]
    assert all(samples)
    assert {re.sub("_(bucket|sum|count)$", "", sample["name"]) for sample in samples} == declared
    buckets = [int(line.split()[-1]) for line in lines if "_bucket{" in line]
    assert buckets == sorted(buckets)
    assert buckets[-1] == 2
    assert {"wirespeed_runs 2", "wirespeed_ready 1", "wirespeed_open_pages 1"} <= set(lines)
    assert 'wirespeed_verdicts_total{verdict="low"} 1' in lines


def test_a_process_that_does_not_answer_is_named_and_left_out(tmp_path):
    """One listens and says nothing, then is gone: the counts of the others, and who is missing, in time."""
    folder = tmp_path / "s"
    folder.mkdir()
    first, second = (Team(Metrics(), folder, number, 3) for number in (0, 1))
    second.listen()
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(folder / "2.sock"))
        silent.listen()
        silent_team = first.counts()
    second_left = first.counts()

    assert [number for number, counts in silent_team.items() if counts is None] == [2]
    assert second_left == silent_team
    assert 'wirespeed_worker_up{worker="2"} 0' in first.lines()
    assert 'wirespeed_open_pages{worker="1"} 0' in first.lines()


def test_alerts_and_dashboard_ask_for_what_is_there(scraped):
    """Every name in the rules and in the dashboard is one that the server tells."""
    text = scraped.get("/metrics", headers={"Authorization": "Bearer t0ken"}).text
    rules = yaml.safe_load((MONITORING / "wirespeed.rules.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((MONITORING / "grafana-dashboard.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules] + [
        target["expr"] for panel in panels for target in panel["targets"]
    ]
    names = set(re.findall(r"wirespeed_[a-z_]+", " ".join(asked)))

    assert names
    assert all(name in text for name in names)
