"""Two serving processes behind one port: a browser stays on one, and one that ends is replaced."""

import ipaddress
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from core.errors import InputError
from db import settings
from pages.http.processes.choice import COOKIE, by_address, by_cookie
from pages.http.processes.passing import Incoming, hand_over
from tests.bench.window import ENDED, Window
from tests.db.examples import log
from tests.server import ANSWER_S, ROOT, START_S, Server


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """`python app.py` with two workers, behind a trusted proxy on this machine."""
    settings_of_it = {
        "WIRESPEED_WORKERS": "2",
        "WIRESPEED_PROXIES": "127.0.0.1",
        "WIRESPEED_OPEN": "write",
        "WIRESPEED_ASK_PER_MINUTE": "3",
    }
    with Server(tmp_path_factory.mktemp("team"), by="python", **settings_of_it) as running:
        for number in (0, 1):
            until(lambda: worker_of(running, {COOKIE: str(number)}) == number)  # noqa: B023 - called at once
        yield running


def until(holds):
    """Wait for something that happens soon."""
    end = time.monotonic() + START_S
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)


def worker_of(server, cookies):
    """The worker that a browser with these cookies reaches: a new one is told by a cookie, a known one is not."""
    answer = server.get("/", cookies=cookies)
    answer.raise_for_status()
    match = re.search(rf"{COOKIE}=(\d+)", answer.headers.get("set-cookie", ""))
    return int(match[1]) if match else int(cookies[COOKIE])


def finished(server, cookie):
    """Open the page of a browser with this cookie; the kind of the last message."""
    window = Window("collectives")
    with server.websocket(additional_headers={"Cookie": f"{COOKIE}={cookie}"}) as channel:
        channel.send(window.request())
        kind = ""
        while kind != ENDED:
            kind = window.read(channel.recv(ANSWER_S))
    return kind, window.failed, len(window.ids)


def children(process):
    """The workers of the process that listens."""
    return [int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_new_browsers_are_spread_and_each_stays_where_it_was(team):
    """Without a cookie the workers take turns; with one it is always the same; one of no worker is replaced."""
    numbers = {worker_of(team, {}) for _ in range(4)}

    assert numbers == {0, 1}
    assert [worker_of(team, {COOKIE: "1"}) for _ in range(3)] == [1, 1, 1]
    assert worker_of(team, {COOKIE: "7"}) in {0, 1}


def test_pages_open_on_either_worker_and_share_the_store(team):
    """A websocket is handed over like any connection; a run sent by a program is there for both."""
    assert [finished(team, cookie)[:2] for cookie in "01"] == [(ENDED, ""), (ENDED, "")]
    sent = team.post("/api/v1/runs", content=log(3), headers={"content-type": "text/plain"})

    assert sent.status_code == 201
    assert "set-cookie" not in sent.headers
    for cookie in "01":
        # the connection stays with the worker of its first request
        with httpx.Client(base_url=team.base, cookies={COOKIE: cookie}, timeout=ANSWER_S) as browser:
            browser.get("/")
            assert [run["file"] for run in browser.get("/api/v1/runs").json()["runs"]]


def test_metrics_are_of_all_processes(team):
    """Whichever answers: what either has served is in its worker's counts."""
    text = ""

    def told():
        nonlocal text
        text = team.get("/metrics").text
        return re.findall(r'wirespeed_worker_up{worker="(\d)"} 1', text) == ["0", "1"]

    def counted(number):
        until(told)  # a process waits a second for the other, which on a busy machine may be late
        line = rf'wirespeed_http_requests_total{{worker="{number}",kind="page",status="2xx"}} (\d+)'
        return int((re.search(line, text) or [0, 0])[1])

    before = [counted(number) for number in (0, 1)]
    for number in (0, 1, 1):
        team.get("/", cookies={COOKIE: str(number)})

    # a request is counted when its answer has gone
    until(lambda: counted(0) > before[0])
    until(lambda: counted(1) > before[1] + 1)


def test_a_connection_from_a_proxy_serves_one_request(team):
    """A proxy sends several browsers over one connection: it is closed after each answer, unlike a browser's."""
    own = team.get("/healthz")
    passed_on = team.get("/healthz", headers={"X-Forwarded-For": "192.0.2.1"})

    assert own.headers.get("connection") != "close"
    assert passed_on.headers["connection"] == "close"


def test_clients_of_a_trusted_proxy_have_each_their_own_limit(team):
    """The fourth question of one client in a minute is refused, whatever cookie it sends; another's first is not."""
    cookies = itertools.cycle("01")

    def asked(client):
        headers = {"X-Forwarded-For": f"6.6.6.6, {client}", "Cookie": f"{COOKIE}={next(cookies)}"}
        return team.post("/api/v1/ask/tp", content=b"[]", headers=headers).status_code

    assert [asked("198.51.100.7") for _ in range(4)] == [400, 400, 400, 429]
    assert asked("198.51.100.8") == 400


def test_a_worker_that_is_killed_is_replaced_while_the_other_serves(team):
    """Its browsers meet a new process under the same number; nobody else notices."""
    before = children(team.process.pid)
    os.kill(before[0], signal.SIGKILL)
    assert worker_of(team, {COOKIE: "1"}) == 1
    until(lambda: len(set(children(team.process.pid)) - set(before)) == 1)
    until(lambda: worker_of(team, {COOKIE: "0"}) == 0)

    assert finished(team, "0")[0] == ENDED


def test_half_a_request_and_silence_hold_nobody_up(team):
    """Visitors who send nothing, a part, or noise: the next is served at once."""
    silent = [socket.create_connection(("127.0.0.1", team.port)) for _ in range(20)]
    for number, connection in enumerate(silent):
        connection.sendall(b"GET / HT"[: number % 9] if number % 3 else b"\x00\xff\r\n\r\n")

    assert team.get("/healthz").status_code == 200
    for connection in silent:
        connection.close()


def test_the_choice_reads_the_first_lines_alone():
    """A cookie wins, in any case and among others; programs go by their address; nothing else decides."""
    head = b"GET /collectives HTTP/1.1\r\nHost: a\r\nCookie: x=2; wirespeed_worker=1; y=0\r\n\r\n"
    program = b"POST /api/v1/runs HTTP/1.1\r\nHost: a\r\n\r\n"

    assert by_cookie(head, 2) == by_cookie(head.replace(b"Cookie", b"cookie"), 2) == 1
    assert by_cookie(head, 1) is by_cookie(program, 2) is None
    assert by_cookie(head.replace(b"=1", b"=99999999999999999999"), 2) is None
    assert by_cookie(b"GET /?wirespeed_worker=1 HTTP/1.1\r\n\r\n", 2) is None
    assert by_address(head, "192.0.2.1", 2) is None
    assert by_address(program, "192.0.2.1", 2) == by_address(program, "192.0.2.1", 2)
    assert {by_address(program, f"192.0.2.{number}", 2) for number in range(20)} == {0, 1}
    assert by_address(b"\xff\xfe", "192.0.2.1", 2) is None
    for target in (b"/%61pi/v1/runs", b"http://a/api/v1/runs", b"/metrics", b"/mcp"):
        same = b"\r\nGET " + target + b" HTTP/1.1\r\n\r\n"
        assert by_address(same, "192.0.2.1", 2) == by_address(program, "192.0.2.1", 2), target


def test_programs_behind_a_proxy_are_spread_by_their_own_address():
    """Those of a trusted proxy take different processes, each always the same; nobody else names an address."""
    proxy = (ipaddress.ip_network("192.0.2.7"),)

    def chosen(client, trusted=proxy):
        head = f"POST /api/v1/runs HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {client}\r\n\r\n"
        return by_address(head.encode(), "192.0.2.7", 2, trusted)

    clients = [f"198.51.100.{number}" for number in range(20)]
    assert {chosen(client) for client in clients} == {0, 1}
    assert [chosen(client) for client in clients] == [chosen(f"203.0.113.9, {client}") for client in clients]
    assert len({chosen(client, ()) for client in clients}) == 1
    assert len({chosen(f"2001:db8::{number:x}") for number in range(20)}) == 1
    within = {chosen(f"198.51.100.1\r\n\r\nX-Forwarded-For: {client}") for client in clients}
    assert within == {chosen("198.51.100.1")}, "a body names nobody"


def test_a_connection_is_handed_over_with_what_it_has_received():
    """What a visitor has sent is there for the one who takes the connection, and nothing where none has come."""
    here, there = socket.socketpair()
    incoming = Incoming(there.detach())
    with socket.create_server(("127.0.0.1", 0)) as listener, here, incoming:
        with pytest.raises(BlockingIOError):
            incoming.accept()
        visitor = socket.create_connection(listener.getsockname())
        visitor.sendall(b"GET /")
        accepted, address = listener.accept()
        hand_over(here, accepted)
        accepted.close()
        connection, same = incoming.accept()
        with connection, visitor:
            assert (connection.recv(9), same) == (b"GET /", address)


def test_python_app_starts_on_the_address_and_with_the_secret_of_its_settings(tmp_path):
    """Not on those of config.toml, which Streamlit reads once more; and it says nothing on the way."""
    program = (
        "import runpy; from streamlit import config; from streamlit.web.server.starlette import starlette_server as s;"
        "s.UvicornRunner.run = lambda self: print(*map(config.get_option,"
        " ('server.cookieSecret', 'server.address', 'server.port')));"
        "runpy.run_path('app.py', run_name='__main__')"
    )
    own = {"WIRESPEED_COOKIE_SECRET": "the-same", "HOST": "127.0.0.2", "PORT": "8999"}
    own |= {"WIRESPEED_DATA_DIR": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", program], check=False, cwd=ROOT, env=own, capture_output=True, text=True
    )

    assert (ran.stdout.split(), ran.stderr) == (["the-same", "127.0.0.2", "8999"], "")


@pytest.mark.parametrize("value", ["0", "65", "two", "1.5", "-1"])
def test_a_wrong_number_of_workers_is_refused(value):
    """A whole number from 1 to 64."""
    with pytest.raises(InputError, match="WIRESPEED_WORKERS"):
        settings.workers({"WIRESPEED_WORKERS": value})
