"""A machine that got slower is told to a real receiver: once a day, signed, and no upload waits for it."""

import hashlib
import hmac
import json
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.errors import InputError
from core.measurement import Machine, Sample
from core.measurement.drift import slowdowns
from db import settings
from db.drift_alerts import DriftAlerts, from_environment, shown_by
from db.store import Store
from db.webhook import PAUSES_S, SIGNATURE, Webhook
from tests.db.examples import MACHINE, simple

KEY = "a-key-of-this-test"
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SIZES = [1024 << index for index in range(8)]
sqlite_only = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


def at(day, slower=1.0, operation="all_reduce", **changes):
    """A sweep of that day, so many times slower than usual."""
    samples = tuple(
        Sample(operation, size, (20e-6 + size / 1e9) * slower * (1 + day / 1e4), "out-of-place", 0)
        for size in SIZES
    )
    facts = {"machine": MACHINE, "samples": samples, "started_at": f"2026-03-{day:02}T00:00:00"}
    return replace(simple(operation=operation), **(facts | changes))


class Receiver:
    """A server that keeps what is posted and answers with the statuses that it was given, then with 200."""

    def __init__(self, *statuses):
        self.posted, self.paths, self.statuses = [], [], list(statuses)
        self.held = threading.Event()
        self.held.set()
        self.arrived = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                data = self.rfile.read(int(self.headers["Content-Length"]))
                outer.paths.append(self.path)
                outer.posted.append((dict(self.headers), data))
                outer.arrived.set()
                outer.held.wait(30)
                self.send_response(outer.statuses.pop(0) if outer.statuses else 200)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST  # noqa: N815

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks/a-secret-path"

    @property
    def bodies(self):
        """What was posted, as JSON."""
        return [json.loads(data) for _, data in self.posted]

    def __enter__(self):
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_):
        self.held.set()
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def telling(store, receiver, now=lambda: NOW, key=KEY):
    """Alerts of a store to a receiver, with pauses of no length."""
    alerts = DriftAlerts(store, Webhook(receiver.url, key, (0.0, 0.0, 0.0)), now)
    alerts.start()
    yield alerts
    alerts.close()
    alerts._thread.join(30)


def test_a_slower_machine_is_told_once_a_day_over_all_replicas(store):
    """Two processes share a database: one message; the next day, or for another operation, another."""
    moment = [NOW]
    other = Store(store.url.render_as_string(hide_password=False))
    with (
        Receiver() as receiver,
        telling(store, receiver, lambda: moment[0]) as here,
        telling(other, receiver, lambda: moment[0]) as there,
    ):
        for day in (1, 2, 3):
            store.save([at(day), at(day, operation="all_gather")])
        store.save([at(4, 1.3)])
        here.settle()
        other.save([at(5, 1.3)])
        there.settle()
        assert [body["slowdown"]["operation"] for body in receiver.bodies] == ["all_reduce"]
        store.save([at(6, 1.3, "all_gather")])
        here.settle()
        moment[0] += timedelta(days=1)
        other.save([at(7, 1.4)])
        there.settle()
    other.close()

    assert [body["slowdown"]["operation"] for body in receiver.bodies] == [
        "all_reduce",
        "all_gather",
        "all_reduce",
    ]


@sqlite_only
def test_the_message_is_signed_and_holds_no_private_detail(url, store):
    """A line for a chat, fields for programs, an HMAC of the bytes; no host, file, note or tag."""
    with Receiver() as receiver, telling(store, receiver) as alerts:
        store.save([at(1), at(2)])
        machine = replace(MACHINE, gpus=(replace(MACHINE.gpus[0], name=MACHINE.gpus[0].name),))
        (slow,) = store.save(
            [at(3, 1.5, machine=machine, file="secret.log")],
            note="between us",
            tags=["rack-of-x"],
            uploaded_by="ann",
        )
        alerts.settle()
    ((headers, data),) = receiver.posted
    body = json.loads(data)

    assert headers[SIGNATURE] == f"sha256={hmac.new(KEY.encode(), data, hashlib.sha256).hexdigest()}"
    assert headers["Content-Type"] == "application/json"
    assert body["text"] == (
        f"Wirespeed: 16 × NVIDIA H100 80GB HBM3 ({body['machine']['id'][:6]}) takes 1.5 times as long for all_reduce "
        f"as the median of its 2 earlier runs; 8 of 8 message sizes are slower beyond noise. "
        f"Run {slow.id}: /measurements?runs={slow.id}"
    )
    assert body["slowdown"] == {
        "operation": "all_reduce", "ratio": pytest.approx(1.5, rel=1e-3), "sizes": 8, "slower": 8, "earlier_runs": 2,
    }  # fmt: skip
    for private in (*MACHINE.hosts, "secret.log", "between us", "rack-of-x", "ann"):
        assert private not in data.decode()


@sqlite_only
def test_a_gpu_name_cannot_call_a_chat(url, store):
    """What a log calls its GPUs comes from outside: no link, mention or markup of a chat is passed on."""
    gpu = replace(MACHINE.gpus[0], name="<!channel> @all *H100* https://evil.example " + "x" * 300)
    machine = replace(MACHINE, gpus=(gpu,))
    with Receiver() as receiver, telling(store, receiver) as alerts:
        store.save([at(day, machine=machine) for day in (1, 2)])
        store.save([at(3, 1.5, machine=machine)])
        alerts.settle()
    (body,) = receiver.bodies

    assert not set("<>@*:") & set(body["text"].split("(")[0].removeprefix("Wirespeed:"))
    assert len(body["machine"]["gpu"]) <= 80


@sqlite_only
@pytest.mark.parametrize(
    "runs",
    [
        [at(1), at(2), at(3)],
        [at(1), at(2), at(3, 0.7)],
        [at(1), at(2, 1.5)],
        [at(1), at(2), at(4), at(3, 1.5)],
        [at(1), at(2), at(3, 1.5, ranks=64)],
        [at(1), at(2), at(3, 1.5, dtype="half")],
        [at(1), at(2), at(3, 1.5, machine=Machine(gpus=MACHINE.gpus))],
        [at(1, 1.0), at(2, 2.0), at(3, 1.6)],
    ],
    ids=[
        "same",
        "faster",
        "one earlier",
        "backdated",
        "other ranks",
        "other type",
        "no host",
        "always scattered",
    ],
)
def test_what_is_no_drift_is_not_told(url, store, runs):
    """As fast, faster, no history, an old log, another question, unknown machines, or noise."""
    with Receiver() as receiver, telling(store, receiver) as alerts:
        for run in runs:
            store.save([run])
        alerts.settle()

    assert receiver.posted == []


@sqlite_only
def test_an_outage_of_the_receiver_is_tried_again_a_few_times(url, store, capsys):
    """Two answers of 503 and then 200: one message, the same each time."""
    with Receiver(503, 503) as receiver, telling(store, receiver) as alerts:
        store.save([at(1), at(2)])
        store.save([at(3, 1.5)])
        alerts.settle()

    assert len(receiver.posted) == 3
    assert len({body["id"] for body in receiver.bodies}) == 1
    assert capsys.readouterr().err == ""


@sqlite_only
@pytest.mark.parametrize(("status", "tries"), [(500, 4), (404, 1), (302, 1), (307, 1)])
def test_a_receiver_that_refuses_is_given_up(url, store, capsys, status, tries):
    """Four tries where it may help, one where it cannot; redirects lead nowhere; the log names no secret."""
    with Receiver(*[status] * 9) as receiver, telling(store, receiver) as alerts:
        store.save([at(1), at(2)])
        (slow,) = store.save([at(3, 1.5)])
        alerts.settle()

    assert receiver.paths == ["/hooks/a-secret-path"] * tries
    assert capsys.readouterr().err == (
        f"wirespeed: the drift of run {slow.id} was not told: 127.0.0.1 answered {status}\n"
    )


@sqlite_only
def test_an_upload_does_not_wait_for_the_receiver(url, store):
    """While the receiver holds its answer back, uploads are stored and acknowledged."""
    with Receiver() as receiver, telling(store, receiver) as alerts:
        receiver.held.clear()
        store.save([at(1), at(2)])
        store.save([at(3, 1.5)])
        assert receiver.arrived.wait(30)
        later = [store.save([at(day, 1.5)])[0] for day in (4, 5, 6)]
        receiver.held.set()
        alerts.settle()

    assert all(run.new for run in later)
    assert len(receiver.posted) == 1


@sqlite_only
def test_a_receiver_that_is_not_there_costs_a_line_of_the_log(url, store, capsys):
    """Nobody listens: the upload is stored, and the log says that nobody was told."""
    with Receiver() as gone:
        pass
    with telling(store, gone) as alerts:
        store.save([at(1), at(2)])
        (slow,) = store.save([at(3, 1.5)])
        alerts.settle()

    assert slow.new
    assert "127.0.0.1 cannot be reached" in (said := capsys.readouterr().err)
    assert "secret-path" not in said


@sqlite_only
def test_without_the_setting_nothing_is_looked_at(url, store, monkeypatch):
    """No webhook: no thread, no query, no connection."""
    monkeypatch.delenv("WIRESPEED_DRIFT_WEBHOOK", raising=False)

    assert from_environment(store) is None
    assert store.after_save is None


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/x",
        "https://",
        "ftp://127.0.0.1/x",
        "https://[::1",
        "https://a b/",
        "hooks.example",
    ],
)
def test_an_address_that_would_show_the_message_to_others_is_refused_at_start(url):
    """TLS, or this very machine; the reason does not repeat the address."""
    with pytest.raises(InputError, match=r"^WIRESPEED_DRIFT_WEBHOOK: https://HOST/PATH") as refused:
        settings.check({"WIRESPEED_DRIFT_WEBHOOK": url})
    assert "hooks.example" not in str(refused.value)


def test_an_address_of_the_settings_is_used(store, monkeypatch, tmp_path):
    """From a file as well, as secrets are; the default gives up after about a minute."""
    file = tmp_path / "webhook"
    file.write_text("https://hooks.example/services/T0/B0\n")
    monkeypatch.setenv("WIRESPEED_DRIFT_WEBHOOK_FILE", str(file))
    alerts = from_environment(store)

    assert alerts._webhook.url == "https://hooks.example/services/T0/B0"
    assert sum(PAUSES_S) == 71


@sqlite_only
def test_some_sizes_alone_are_no_drift(url, store):
    """Three of eight sizes slower: a page shows it, nobody is woken."""
    usual, slow = at(3), at(3, 1.5)
    mixed = replace(usual, samples=slow.samples[:3] + usual.samples[3:])
    store.save([at(1), at(2), mixed])
    newest = store.run(store.runs(limit=1).runs[0].id)

    assert shown_by(store, newest) == ()
    assert slowdowns([at(1), at(2)], slow)[0].slower == 8
