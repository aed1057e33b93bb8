"""The calculators over HTTP: a real server, real requests."""

import json
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.shell import call
from db.api import routes
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from pages.http.ask.openapi import document
from pages.http.ask.routes import MOST_BYTES, Ask, Rate
from pages.http.ask.workers import TimeLimitError, Worker, Workers
from tests import openapi
from tools import answers

SLOW = {
    "layers": 80,
    "hidden": 8192,
    "heads": 64,
    "ffn": 28672,
    "vocab": 128000,
    "topk": 2,
    "experts": 9_999_999,
    "gpus": 1_000_000,
    "domains": 100_000,
}


@pytest.fixture
def client(store):
    """The routes beside those of the store, three questions a minute, without a server."""
    workers = Workers(most=1, limit_s=60)
    beside = Ask(workers, Rate(3)).routes()
    with TestClient(Starlette(routes=routes(store, read, read_trace_upload, beside=beside))) as visitor:
        yield visitor
    workers.close()


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    from db.store import Store

    kept = Store(f"sqlite:///{tmp_path}/wirespeed.db")
    kept.prepare()
    yield kept
    kept.close()


@pytest.mark.parametrize("name", call.names())
def test_every_calculator_answers_as_described(server, name):
    """Each of them answers what the shell answers, and as the served document says."""
    described = server.get("/api/v1/openapi.json").json()
    validator = openapi.answering(described | {"$ref": f"#/components/schemas/{_title(name)}Answer"})
    for values in answers.QUESTIONS[name]:
        reply = server.post(f"/api/v1/ask/{name}", json=values)

        assert reply.status_code == 200, reply.text
        assert reply.json() == call.answer(name, values)
        assert list(validator.iter_errors(reply.json())) == []


def test_the_list_says_how_to_ask(server):
    """Each calculator has a sentence, and a schema of which its default question is a value."""
    listed = server.get("/api/v1/ask").json()["calculators"]

    assert [entry["name"] for entry in listed] == list(call.names())
    for entry in listed:
        assert entry["summary"]
        assert entry["inputs"] == json.loads(json.dumps(call.inputs(entry["name"])))


def test_the_document_is_openapi_3_1_and_names_every_route(client):
    """A validator of the specification finds no fault, and no calculator is left out."""
    described = document()

    assert openapi.faults(described) == []
    for path in described["paths"]:
        method = "POST" if "/ask/" in path else "GET"
        assert client.request(method, path.replace("{number}", "1"), content=b"[]").status_code != 405
    assert {f"/api/v1/ask/{name}" for name in call.names()} < set(described["paths"])


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b'{"tokens": 0}', "tokens: "),
        (b'{"tokens": NaN}', "a JSON object"),
        (b'{"mfu": 1e400}', "mfu: a finite number"),
        (b"[1]", "a JSON object"),
        (b"", "a JSON object"),
        (b"\xff", "a JSON object"),
        (b"[" * 100_000, "a JSON object"),
        (b'{"model": "\\u0000"}', "model: "),
    ],
)
def test_a_wrong_body_is_answered_400_in_one_line(server, body, part):
    """Never a traceback: JSON with the reason and the field."""
    reply = server.post("/api/v1/ask/tp", content=body, headers={"content-type": "application/json"})

    assert reply.status_code == 400
    assert part in reply.json()["error"]
    assert reply.json()["line"] is None


def test_too_much_is_refused(client):
    """A body over 2 MB is 413, another kind 415, an unknown calculator 404, each in JSON."""
    large = client.post("/api/v1/ask/tp", content=b" " * (MOST_BYTES + 1))
    image = client.post("/api/v1/ask/tp", content=b"{}", headers={"content-type": "image/png"})
    unknown = client.post("/api/v1/ask/none", json={})

    assert [reply.status_code for reply in (large, image, unknown)] == [413, 415, 404]
    assert large.json()["error"] == "at most 2 MB, unpacked, are taken"
    assert all(reply.json()["line"] is None for reply in (large, image, unknown))


def test_an_address_asks_so_many_times_a_minute(client):
    """The question after the last is 429 and says how long to wait; the list stays open."""
    statuses = [client.post("/api/v1/ask/systems", json={}).status_code for _ in range(4)]
    refused = client.post("/api/v1/ask/tp", json={})

    assert statuses == [200, 200, 200, 429]
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert client.get("/api/v1/ask").status_code == 200


def test_a_long_question_is_ended_and_the_next_is_answered(monkeypatch):
    """At the limit the process is ended and the reply says so; another one takes the next question."""
    worker = Worker()
    monkeypatch.setattr("pages.http.ask.workers.START_S", 60)
    try:
        worker.answer("systems", {}, 60)
        with pytest.raises(TimeLimitError, match=r"more than 0\.05 s"):
            worker.answer("strategy", SLOW, 0.05)
        assert worker.answer("collective", {}, 60)["time_s"] > 0
    finally:
        worker.close()


def test_the_limit_is_503(store, monkeypatch):
    """Over HTTP the limit is a status and one line."""
    monkeypatch.setattr("pages.http.ask.workers.START_S", 60)
    workers = Workers(most=1, limit_s=0.2)
    app = Starlette(routes=routes(store, read, read_trace_upload, beside=Ask(workers, Rate(60)).routes()))
    try:
        with TestClient(app) as visitor:
            visitor.post("/api/v1/ask/systems", json={})
            reply = visitor.post("/api/v1/ask/strategy", json=SLOW)
    finally:
        workers.close()

    assert reply.status_code == 503
    assert "takes more than" in reply.json()["error"]


def test_another_site_may_not_ask(server):
    """A page of another site is refused before it reaches a calculator."""
    host = urlsplit(server.base).netloc
    foreign = server.post("/api/v1/ask/tp", json={}, headers={"origin": "https://evil.example"})
    own = server.post("/api/v1/ask/systems", json={}, headers={"origin": f"http://{host}"})

    assert (foreign.status_code, own.status_code) == (403, 200)


def _title(name):
    return "".join(word.capitalize() for word in name.split("-"))
