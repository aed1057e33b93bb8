"""Sending runs to a server: a real one on this machine that can be told to misbehave."""

import gzip
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.measurement import GpuCount, Machine, Matrix, Notice, Observation, Run, Sample
from core.measurement.run_json import file_json, from_json
from gpu_probe.__main__ import main
from gpu_probe.anonymous import anonymous
from gpu_probe.client import Client, Journal, PushError
from gpu_probe.commands.job_push import job_file
from tests.gpu_probe.inside import probe

ROOT = Path(__file__).parents[2]
WORD = "secret"
POLL_S = 0.02
"""How often the server looks whether it shall end: as often as not a test waits for that."""


class Handler(BaseHTTPRequestHandler):
    """Takes runs as the contract says, after the failures that it was told to have."""

    def do_POST(self):
        server = self.server
        body = gzip.decompress(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append((self.path, dict(self.headers), body))
        if server.failures:
            status, headers = server.failures.pop(0)
            self.answer(status, {"error": "told to"}, headers)
            return
        new = body not in server.kept
        server.kept.add(body)
        self.answer(
            201 if new else 200, {"id": 1, "url": f"http://x/measurements?runs={len(server.kept)}"}, {}
        )

    def answer(self, status, value, headers):
        text = json.dumps(value).encode()
        self.send_response(status)
        for name, item in headers.items():
            self.send_header(name, item)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Keep quiet."""


@pytest.fixture
def server():
    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.asked, found.kept, found.failures = [], set(), []
    found.url = f"http://127.0.0.1:{found.server_port}"
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": POLL_S}, daemon=True)
    thread.start()
    yield found
    found.shutdown()
    found.server_close()
    thread.join()


def a_run(time_s=1e-3, **change):
    return Run(
        "run.json", "wirespeed-run", "all_reduce", 2, samples=(Sample("all_reduce", 1024, time_s),), **change
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(file_json([a_run(1e-3), a_run(2e-3), a_run(3e-3)])))
    return path


def push(*words, env=None):
    return probe("push", *words, env={"PATH": "/usr/bin:/bin"} | (env or {}))


def push_from_shell(*words):
    return subprocess.run(
        [sys.executable, "-m", "gpu_probe", "push", *map(str, words)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def client(server, **options):
    return Client(server.url, pause_s=0.01, **options)


def test_every_run_is_sent_once(server, file):
    """Three runs are three requests; pushing again sends nothing and says so."""
    first, again = (push_from_shell(file, "--server", server.url, "--token", "secret") for _ in range(2))

    assert (first.returncode, again.returncode) == (0, 0)
    assert len(server.asked) == 3
    assert first.stdout.count("(new)") == 3
    assert again.stdout.count("(sent before)") == 3
    path, headers, body = server.asked[0]
    assert path == "/api/v1/runs"
    assert headers["Authorization"] == "Bearer secret"
    assert from_json(json.loads(body)) == a_run(1e-3)
    assert file.exists()


def test_runs_are_sent_to_a_project(server, file):
    """Its name stands in the question; what everyone has is sent again, and an unknown project is said."""
    push(file, "--server", server.url)
    sent = push(file, "--server", server.url, "--project", "alpha & co")
    server.failures = [(404, {})]
    refused = push(file, "--server", server.url, "--project", "none")

    assert "(sent before)" not in sent.stdout
    assert {path for path, _, _ in server.asked[3:6]} == {"/api/v1/runs?project=alpha+%26+co"}
    assert refused.returncode == 1
    assert "no such project for this token" in refused.stderr


def test_a_run_that_another_file_brought_is_no_new_one(server, file, tmp_path):
    """The server knows a run again, whatever file it comes from."""
    copy = tmp_path / "copy.json"
    copy.write_bytes(file.read_bytes())
    push(file, "--server", server.url)
    process = push(copy, "--server", server.url)

    assert process.stdout.count("(already there)") == 3


def test_a_broken_push_is_resumed(server, file):
    """What was sent before the server failed is not sent again."""
    journal = Journal.of(file, server.url)
    client(server).push(journal, a_run(1e-3))
    server.failures = [(413, {})]
    with pytest.raises(PushError, match="larger than the server takes"):
        client(server).push(journal, a_run(2e-3))
    process = push(file, "--server", server.url)

    assert process.returncode == 0
    assert process.stdout.count("(sent before)") == 1
    assert process.stdout.count("(new)") == 2


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_passing_faults_are_tried_again(server, file, status):
    """A server that is busy twice gets the run the third time, once."""
    server.failures = [(status, {}), (status, {})]
    sent = client(server).push(Journal.of(file, server.url), a_run())

    assert sent.new
    assert len(server.kept) == 1


@pytest.mark.parametrize(
    ("status", "headers", "text"),
    [
        (401, {}, "wants a token"),
        (403, {}, "allows no uploads"),
        (404, {}, "no Wirespeed API"),
        (413, {}, "larger than the server takes"),
        (307, {"Location": "http://elsewhere/"}, "redirects to http://elsewhere/"),
        (500, {}, "answered 500"),
    ],
)
def test_refusals_are_clear(server, file, status, headers, text):
    """Each refusal is one sentence with the server's own reason, and no token goes elsewhere."""
    server.failures = [(status, headers)] * 4
    with pytest.raises(PushError, match=text) as caught:
        client(server, token=WORD).push(Journal.of(file, server.url), a_run())

    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "text"),
    [(404, "does not take jobs: it is older than this program"), (415, "does not take job files")],
)
def test_refusals_of_jobs_speak_of_jobs(server, file, status, text):
    """A server of before jobs takes runs, so its address is right; a trace is no run file."""
    server.failures = [(status, {})]
    with pytest.raises(PushError, match=text) as caught:
        client(server).push_job(Journal.of(file, server.url), {}, "job.json")
    assert "run" not in str(caught.value)


def test_a_wrong_token_stops_at_once(server, file):
    """After a 401 the other runs are not tried, and the exit is 1."""
    server.failures = [(401, {})] * 3
    process = push(file, "--server", server.url)

    assert process.returncode == 1
    assert len(server.asked) == 1
    assert len(process.stderr.splitlines()) == 1


def test_a_run_that_is_too_large_does_not_stop_the_others(server, file):
    """413 is about one run: the rest is sent, the exit is 1."""
    server.failures = [(413, {})]
    process = push(file, "--server", server.url)

    assert process.returncode == 1
    assert process.stdout.count("(new)") == 2


def test_offline_keeps_the_file(file):
    """Without a server the file is kept, with a word to come back."""
    with pytest.raises(PushError, match=r"cannot be reached .* push it again later"):
        Client("http://127.0.0.1:9", pause_s=0.01).push(Journal.of(file, "x"), a_run())
    assert file.exists()


@pytest.mark.parametrize(
    "url", ["http://[::1", "ftp://host", "host:80", "http://", "file:///etc/passwd", "http://user:pw@host"]
)
def test_only_addresses_of_servers(url, file):
    """A server is http or https and a host; exit 2 and one line else."""
    process = push(file, "--server", url)

    assert process.returncode == 2
    assert len(process.stderr.splitlines()) == 1


def test_a_strange_answer_is_said(server, file, monkeypatch):
    """A proxy that answers 200 with a page is no Wirespeed server."""
    monkeypatch.setattr(
        Handler,
        "answer",
        lambda self, *_: (self.send_response(200), self.end_headers(), self.wfile.write(b"<html>")),
    )
    with pytest.raises(PushError, match="not that of Wirespeed"):
        client(server).push(Journal.of(file, server.url), a_run())


def test_the_token_may_come_from_a_file(server, file, tmp_path):
    """Secrets lie in files on many machines."""
    secret = tmp_path / "token"
    secret.write_text("from-a-file\n")
    push(file, "--server", server.url, env={"WIRESPEED_API_TOKEN_FILE": str(secret)})

    assert server.asked[0][1]["Authorization"] == "Bearer from-a-file"


def test_a_tools_log_can_be_pushed(server, tmp_path):
    """A log of nccl-tests is read here and sent as a run."""
    from tests.gpu_probe import formats

    log = tmp_path / "nccl.log"
    log.write_bytes(formats.text(formats.nccl_tests()))
    process = push(log, "--server", server.url)

    assert process.returncode == 0
    assert from_json(json.loads(server.asked[0][2])).format == "nccl-tests-text"


def test_anonymous_runs_hold_no_names():
    """Hosts, addresses and people's paths are gone from every corner; the figures stay."""
    machine = Machine(
        (GpuCount("H100", 8),),
        ("secret-node", "secret-node-2"),
        env={"NCCL_COMM_ID": "10.0.0.1:5", "NCCL_TOPO_FILE": "/home/ann/topo.xml"},
    )
    matrix = Matrix("m on secret-node", "topology", None, None, ("secret-node",), ("GPU0",), (("X",),))
    run = a_run(
        machine=machine,
        matrices=(matrix,),
        warnings=(Notice("x", "secret-node-2 at 10.1.2.3 fe80::1:2:3 failed"),),
        observations=(
            Observation("nics", "mlx5_0:1/IB", "secret-node-2", 3),
            Observation("network", "IB", "secret-login"),
            Observation("warning", "connect to secret-node at 10.1.2.3 failed", "secret-node"),
        ),
    )
    clean = anonymous(run)
    text = json.dumps(file_json([clean]))

    assert "secret" not in text
    assert "ann" not in text
    assert "10." not in text
    assert "fe80" not in text
    assert clean.machine.hosts == ("host1", "host2")
    assert clean.samples == run.samples
    assert [item.host for item in clean.observations] == ["host2", "host3", "host1"]
    assert clean.observations[0].value == "mlx5_0:1/IB"


def test_the_anonymous_option_sends_anonymous_runs(server, tmp_path):
    """--anonymous is applied before anything leaves the machine."""
    path = tmp_path / "secret-node.json"
    path.write_text(json.dumps(file_json([a_run(machine=Machine(hosts=("secret-node",)))])))
    process = push(path, "--server", server.url, "--anonymous")

    assert process.returncode == 0
    assert b"secret" not in server.asked[0][2]


def test_traces_are_one_job_without_the_trace(server, tmp_path):
    """Files of several ranks arrive as one job file at the address of jobs; a second push sends nothing."""
    traces = [tmp_path / f"rank{rank}.json.gz" for rank in (0, 1)]
    for trace in traces:
        trace.write_bytes((ROOT / "docs" / "examples" / "job" / trace.name).read_bytes())
    first = push(*traces, "--server", server.url)
    again = push(*traces, "--server", server.url)
    ((path, _, body),) = server.asked

    assert (first.returncode, again.returncode) == (0, 0)
    assert "(new)" in first.stdout
    assert "(sent before)" in again.stdout
    assert path == "/api/v1/jobs?file=rank0.json.gz+and+1+more"
    assert [trace["rank"] for trace in json.loads(body)["ranks"]] == [0, 1]


def test_an_anonymous_job_holds_no_file_names(server, tmp_path):
    """Neither the address nor the job says what the trace was called."""
    (source,) = (ROOT / "docs" / "examples" / "job").glob("rank0*")
    secret = tmp_path / "secret-node.json.gz"
    secret.write_bytes(source.read_bytes())
    process = push(secret, "--server", server.url, "--anonymous")
    ((path, _, body),) = server.asked

    assert process.returncode == 0
    assert "secret" not in path
    assert b"secret" not in body


def test_a_file_that_cannot_be_read_is_one_line(server, file, tmp_path, capsys):
    """One whose reading fails, one whose name is too long, one that is missing; the others are sent."""
    unreadable = ["/proc/self/mem", str(tmp_path / ("x" * 300)), str(tmp_path / "missing")]
    status = main(["push", *unreadable, str(file), "--server", server.url])
    lines = capsys.readouterr().err.splitlines()

    assert status == 2
    assert [line.split(":")[0] for line in lines] == unreadable
    assert len(server.asked) == 3


def test_a_file_named_twice_is_sent_once(server, file, tmp_path, monkeypatch, capsys):
    """A trace is not two files of one rank, nor are runs sent again, however the name is written."""
    trace = tmp_path / "rank0.json.gz"
    trace.write_bytes((ROOT / "docs" / "examples" / "job" / trace.name).read_bytes())
    monkeypatch.chdir(tmp_path)
    twice = [str(file), trace.name, f"./{trace.name}", str(file)]

    assert main(["push", *twice, "--server", server.url]) == 0
    assert len(server.asked) == 4
    assert capsys.readouterr().out.count("(new)") == 4


def test_an_anonymous_job_holds_no_notes(server, tmp_path):
    """A job file may note a host for the job and for a rank; neither leaves the machine."""
    job = job_file([ROOT / "docs" / "examples" / "job" / "rank0.json.gz"], anonymous=False)
    job["notes"] = job["ranks"][0]["notes"] = ["Traced on secret-node."]
    path = tmp_path / "job.json"
    path.write_text(json.dumps(job))

    assert main(["push", str(path), "--server", server.url, "--anonymous"]) == 0
    assert b"secret" not in server.asked[0][2]
