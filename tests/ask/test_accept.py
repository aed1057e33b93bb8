"""``POST /api/v1/accept``: the acceptance report of the shell over HTTP, and what it refuses."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from db.store import Store
from gpu_probe.__main__ import main
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from pages.http.ask import accept, check
from pages.http.ask.accept import Accept
from pages.http.ask.check import Check
from pages.http.ask.routes import Rate
from tests.gpu_probe.formats import nccl_tests, text

QUESTION = "/api/v1/accept?system=dgx-h100"
SOUND = text(nccl_tests()).decode()


@pytest.fixture
def client(tmp_path):
    """The route beside those of an empty store, without a server."""
    from db.api import routes

    rate = Rate(30)
    both = [*Accept(rate).routes(), *Check(rate).routes()]
    store = Store(f"sqlite:///{tmp_path}/wirespeed.db")
    store.prepare()
    with TestClient(Starlette(routes=routes(store, read, read_trace_upload, beside=both))) as visitor:
        yield visitor
    store.close()


def body(*texts):
    """The logs as a request holds them."""
    return {"logs": [{"file": f"log-{number}", "text": log} for number, log in enumerate(texts)]}


def test_it_answers_what_the_shell_prints(client, tmp_path, monkeypatch, capsys):
    """The same logs, the same page; what is no log is named with its reason."""
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        (tmp_path / f"log-{number}").write_text(SOUND)
    main(["accept", "log-0", "log-1", "log-2", "--system", "dgx-h100", "--json"])
    printed = json.loads(capsys.readouterr().out)
    answered = client.post(QUESTION, json=body(SOUND, SOUND, SOUND)).json()
    with_other = client.post(QUESTION, json=body(SOUND, "hello")).json()

    assert answered == printed | {"unread": []}
    assert with_other["unread_files"] == 1
    assert with_other["unread"][0]["file"] == "log-1"
    assert "no measurement" in with_other["unread"][0]["error"]


@pytest.mark.parametrize(
    ("question", "content", "words"),
    [
        ("?system=nope", body(SOUND), "system"),
        ("?file=a", body(SOUND), "query"),
        ("", body("hello"), "no log can be judged"),
        ("", {"logs": []}, "logs: a list of 1 to 2500"),
        ("", [SOUND], "logs: a list"),
        ("", {"logs": [{"file": "a", "text": 1}]}, "logs: a list"),
        ("", {"logs": [{"file": "a"}]}, "logs: a list"),
        ("", body(SOUND) | {"more": 1}, "logs: a list"),
    ],
    ids=["system", "query", "hello", "none", "list", "number", "no-text", "more"],
)
def test_a_bad_question_is_400_with_one_line(client, question, content, words):
    """Each says in one line what is wrong."""
    reply = client.post(f"/api/v1/accept{question}", json=content)

    assert reply.status_code == 400
    assert reply.json()["error"].startswith(words)


def test_a_request_that_takes_too_long_ends(client, monkeypatch):
    """Judging many logs holds a server for no more than its minute."""
    monkeypatch.setattr(accept, "MOST_S", -1.0)
    reply = client.post(QUESTION, json=body(SOUND))

    assert reply.status_code == 413
    assert "send fewer" in reply.json()["error"]


def test_a_request_that_would_wait_too_long_is_sent_away(client, monkeypatch):
    """Where enough wait for their turn already, one more is to come again later."""
    monkeypatch.setattr(check, "MOST_WAITING", 0)
    replies = [client.post(QUESTION, json=body(SOUND)), client.post("/api/v1/check", content=SOUND)]

    assert [reply.status_code for reply in replies] == [503, 503]
    assert all("again later" in reply.json()["error"] for reply in replies)
    assert all(int(reply.headers["Retry-After"]) > 0 for reply in replies)
