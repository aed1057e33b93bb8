"""``POST /api/v1/check``: the verdict of the shell over HTTP, and what it refuses."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from db.store import Store
from gpu_probe.__main__ import main
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from pages.http.ask import check
from pages.http.ask.check import Check
from pages.http.ask.routes import Rate
from tests.figures.threads_2026_11_outputs import SECOND as FIGURES
from tests.gpu_probe.formats import nccl_tests, text
from tests.gpu_probe.thread_logs import log_of

QUESTION = "/api/v1/check?system=dgx-h100"


@pytest.fixture
def client(tmp_path):
    """The route beside those of an empty store, without a server."""
    from db.api import routes

    store = Store(f"sqlite:///{tmp_path}/wirespeed.db")
    store.prepare()
    with TestClient(
        Starlette(routes=routes(store, read, read_trace_upload, beside=Check(Rate(30)).routes()))
    ) as visitor:
        yield visitor
    store.close()


def test_it_answers_what_the_shell_prints(client, tmp_path, capsys):
    """The same log, the same verdict, causes and sizes."""
    log = tmp_path / "log"
    log.write_bytes(text(nccl_tests()))
    main(["check", str(log), "--system", "dgx-h100", "--json"])
    (printed,) = json.loads(capsys.readouterr().out)
    (answered,) = client.post(
        QUESTION, content=log.read_bytes(), headers={"Content-Type": "text/plain"}
    ).json()["runs"]

    assert answered | {"file": ""} == printed | {"file": ""}
    assert {"verdict", "headline", "causes", "bottleneck", "rates"} <= set(answered)


@pytest.mark.parametrize("most", ["MOST_RUNS", "MOST_SAMPLES"])
def test_a_log_of_too_many_runs_is_refused_unjudged(client, monkeypatch, most):
    """Judging takes some 20 ms a slow run: a log of thousands is told how to be judged instead."""
    monkeypatch.setattr(check, most, 1)
    reply = client.post(QUESTION, content=2 * text(nccl_tests()))

    assert reply.status_code == 413
    assert reply.json()["error"].startswith("more than ")
    assert "python -m gpu_probe check" in reply.json()["error"]


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("?system=nope", "system"),
        ("?system=dgx-h100&domains=x", "domains"),
        ("?system=dgx-h100&domains=0", "domains"),
        (f"?system=dgx-h100&domains={'9' * 5000}", "domains: a whole number"),
        (f"?system=dgx-h100&ranks={'9' * 5000}", "ranks: a whole number"),
        ("?system=dgx-h100&network=nope", "network"),
        ("?system=dgx-h100&oversubscription=nan", "oversubscription"),
        ("?system=dgx-h100&ranks=1e3", "ranks"),
        ("?system=dgx-h100&collective=nope", "collective"),
        ("?system=dgx-h100&rates=fitted:/etc/passwd", "query"),
    ],
)
def test_a_bad_question_is_400_with_its_field(client, question, field):
    """Each says in one line what is wrong; no file of the server can be named."""
    reply = client.post(f"/api/v1/check{question}", content=text(nccl_tests()))

    assert reply.status_code == 400
    assert reply.json()["error"].startswith(field)


def test_without_a_system_the_log_tells_it(client):
    """Its GPUs name the machine; a log without them is 400 and says what to add."""
    log = nccl_tests()
    (alone,) = client.post("/api/v1/check", content=text(log)).json()["runs"]
    (named,) = client.post(QUESTION, content=text(log)).json()["runs"]
    silent = client.post("/api/v1/check", content=text([line for line in log if "Rank" not in line]))

    assert alone["system_from"] == "1 × 8 GPUs, taken as DGX H100"
    assert alone | {"system_from": None} == named
    assert silent.status_code == 400
    assert silent.json()["error"].startswith("system: missing, and the log names no GPU")


def test_no_log_is_400(client):
    """Text without a measurement is refused with the reason."""
    reply = client.post(QUESTION, content=b"hello")

    assert reply.status_code == 400
    assert "no measurement" in reply.json()["error"]


def test_a_log_of_other_gpus_is_judged_by_them(client, tmp_path, capsys):
    """An H800 log with ``dgx-h100`` gets the same verdict from shell and HTTP: that of a board of H800."""
    (thread,) = (item for item in FIGURES if item.id == "nccl-1374, H800")
    log = tmp_path / "log"
    log.write_text(log_of(thread))
    main(["check", str(log), "--system", "dgx-h100", "--json"])
    shell = capsys.readouterr()
    (printed,) = json.loads(shell.out)
    (answered,) = client.post(
        QUESTION, content=log.read_bytes(), headers={"Content-Type": "text/plain"}
    ).json()["runs"]

    assert printed["verdict"] == answered["verdict"] == "fine"
    assert printed["system"] == answered["system"] == "hgx-h800-x8"
    assert "the log says NVIDIA H800, not the H100" in shell.err
