"""The whole server behind sign-in, over its own port, with a conforming identity provider on loopback."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress

import httpx
import pytest

from pages.http.processes import worker
from pages.http.sign_in.session import COOKIE, Cookie, Session
from tests.db.examples import log
from tests.http.test_gate import handshake
from tests.server import ANSWER_S, ROOT, START_S, Server
from tests.sign_in.forger import environment, settings
from tests.sign_in.mock import provider

TOKEN = "a-token-of-this-test"  # noqa: S105
PAGE = {"Accept": "text/html"}


def eventually(holds):
    """Wait for what takes a moment: a process that starts, an end that the other one is to hear of."""
    end = time.monotonic() + START_S
    while True:
        with suppress(AssertionError):
            if holds():
                return
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.2)


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A server whose people sign in at a conforming provider; a group gives the role."""
    with provider() as issuer:
        chosen = environment(issuer, "{base}", WIRESPEED_UPLOADERS="group:lab", WIRESPEED_API_TOKEN=TOKEN)
        with Server(tmp_path_factory.mktemp("closed"), **chosen) as running:
            running.cookie = Cookie(settings(issuer)).value(
                Session("ada@example.com", frozenset({"lab"}), time.time() + 1e6)
            )
            yield running


def test_pages_and_channels_are_closed_and_health_and_documents_are_not(closed):
    """A stranger gets the way to sign in; probes of the cluster and the readers of the documents go on."""
    page = closed.get("/measurements?runs=1", headers=PAGE)
    as_ada = closed.get("/measurements", headers=PAGE | {"Cookie": f"{COOKIE}={closed.cookie}"})

    assert page.status_code == 303
    assert "sign-in?next=%2Fmeasurements%3Fruns%3D1" in page.headers["location"]
    assert handshake(closed, f"127.0.0.1:{closed.port}", closed.base) == 403
    assert as_ada.status_code == 200
    assert [closed.get(path).status_code for path in ("/healthz", "/readyz", "/sign-in")] == [200] * 3
    # Streamlit's own sign-in verifies less than ours
    assert closed.get("/oauth2callback?code=x&state=y", headers=PAGE).status_code == 404


def test_no_browser_keeps_a_page(closed):
    """Back after signing out asks the server again; scripts, which say nothing of anybody, are kept."""
    ada = {"Cookie": f"{COOKIE}={closed.cookie}"}
    page = closed.get("/measurements", headers=PAGE | ada)
    (path,) = re.findall(r'src="\./(static/js/index[^"]+)', page.text)
    script = closed.get(f"/{path}", headers=ada)

    assert page.headers["cache-control"] == "no-store"
    assert script.status_code == 200
    assert "no-store" not in script.headers["cache-control"]


def test_programs_use_the_token_and_nothing_else(closed):
    """Without a token not even this machine; with the server's, an upload is kept under its name."""
    runs, ask = "/api/v1/runs", "/api/v1/ask"
    bearer = {"Authorization": f"Bearer {TOKEN}"}

    assert closed.post(runs, content=log(1)).status_code == 401
    assert closed.get(ask).status_code == 401
    kept = closed.post(runs, content=log(1), headers=bearer)
    assert kept.status_code == 201
    assert closed.get(runs, headers=bearer).json()["runs"][0]["uploaded_by"] == "token"
    assert closed.get(ask, headers=bearer).status_code == 200


def test_a_server_that_others_reach_does_not_start_by_accident():
    """Exit 2 and one line that names both ways on."""
    command = [sys.executable, "app.py"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WIRESPEED_")}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=kept | {"HOST": "0.0.0.0"},  # noqa: S104
        capture_output=True,
        text=True,
        timeout=START_S,
        check=False,
    )

    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("wirespeed:")]
    assert "WIRESPEED_OIDC_ISSUER" in line
    assert "WIRESPEED_OPEN=read or write" in line


def test_somebody_signs_in_at_a_conforming_provider(closed):
    """oidc-provider-mock: redirect, click, code, token, userinfo, session; a group gives the role."""
    base = closed.base
    with httpx.Client(timeout=ANSWER_S) as browser:
        away = browser.get(f"{base}/sign-in/start?next=/cost").headers["location"]
        back = browser.post(away, data={"sub": "ada"}).headers["location"]
        home = browser.get(back)

        assert (home.status_code, home.headers["location"]) == (303, f"{base}/cost")
        assert browser.get(f"{base}/cost", headers=PAGE).status_code == 200
        assert browser.get(back).status_code == 403
        assert browser.get(f"{base}/cost", headers=PAGE).status_code == 200
        browser.get(f"{base}/sign-out")
        assert browser.get(f"{base}/cost", headers=PAGE).status_code == 303


def test_a_session_ends_in_both_processes_behind_one_port(tmp_path):
    """Signed out of the one, a copy of the cookie is out of the other within seconds."""
    chosen = environment("https://id.example.com", "{base}", WIRESPEED_UPLOADERS="ada@example.com")
    session = Session("ada@example.com", frozenset(), time.time() + 1e6)
    copied = Cookie(settings("https://id.example.com")).value(session)
    with Server(tmp_path, by="python", WIRESPEED_WORKERS="2", **chosen) as running:

        def asked(path, number):
            kept = f"{COOKIE}={copied}; {worker.COOKIE}={number}"
            answer = running.get(path, headers=PAGE | {"Cookie": kept})
            assert worker.COOKIE not in answer.headers.get("set-cookie", "")  # that process has answered
            return answer.status_code

        eventually(lambda: [asked("/cost", number) for number in (0, 1)] == [200, 200])
        assert asked("/sign-out", 0) == 200
        eventually(lambda: [asked("/cost", number) for number in (0, 1)] == [303, 303])
