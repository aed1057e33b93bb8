"""The settings: one table, checked at start, told in the document."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from db import settings
from db.__main__ import main
from db.access import server_token
from db.engine import database_url
from db.opening import check_address
from db.setting_values import host, port

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("WIRESPEED_API_TOKN", "t", "WIRESPEED_API_TOKN is no setting of Wirespeed: WIRESPEED_API_TOKEN"),
        ("WIRESPEED_OPEN_SESAME", "t", "is no setting of Wirespeed"),
        ("WIRESPEED_DATABASE_URL_FILE", "/nowhere/url", "/nowhere/url cannot be read"),
        ("WIRESPEED_LOG", "xml", "WIRESPEED_LOG: text or json"),
        ("WIRESPEED_MAX_UPLOAD_MB", "lots", "WIRESPEED_MAX_UPLOAD_MB"),
        ("WIRESPEED_HOSTS", "http://x", "WIRESPEED_HOSTS"),
        ("WIRESPEED_PROXIES", "proxy.example", "WIRESPEED_PROXIES"),
        ("WIRESPEED_WORKERS", "many", "WIRESPEED_WORKERS"),
        ("WIRESPEED_ASK_PER_MINUTE", "1.5", "WIRESPEED_ASK_PER_MINUTE: a whole number from 1"),
        ("WIRESPEED_DATABASE_URL", "postgresql://u:p@h:port/d", "WIRESPEED_DATABASE_URL: sqlite:///PATH or"),
        ("PORT", "80a", "PORT: a whole number from 1 to 65535"),
        ("HOST", "http://fabric", "HOST: an address or name"),
        ("WIRESPEED_PUBLIC_URL", "ftp://fabric.example", "WIRESPEED_PUBLIC_URL: an address such as https"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_line(name, value, reason):
    """A misspelt name, an unreadable secret or a wrong value is told before anything starts."""
    with pytest.raises(InputError, match=reason) as refusal:
        settings.check({name: value})

    assert "\n" not in str(refusal.value)


ODD = (
    *(
        "ftp://x",
        "http://[::1",
        "https://x:99999",
        "https://x:y",
        "https://a b/",
        "https://x/?q",
        "https://",
        "//x",
    ),
    *(
        "javascript:alert(1)",
        "*",
        "::/0",
        "10.0.0.0/33",
        "a,b;c",
        "group:",
        "@",
        "a\nb",
        "\x1b[31m",
        "<b>",
        "\u00e9",
    ),
    *("-1", "0", "1e400", "nan", "inf", "+5", "0x10", "1_000", "\u0663", "\u00b2", "9" * 5000, "x" * 5000),
    *(
        "postgresql://u:pass-word@h:port/d",
        "mysql://u:pass-word@h/d",
        "sqlite://",
        "maybe",
        "/nowhere/at/all",
    ),
)
"""Values that hardly any setting takes."""
SIGN_IN = {
    "WIRESPEED_OIDC_ISSUER": "https://id.example.com",
    "WIRESPEED_OIDC_CLIENT_ID": "wirespeed",
    "WIRESPEED_OIDC_CLIENT_SECRET": "of the client",
    "WIRESPEED_PUBLIC_URL": "https://fabric.example.com",
    "WIRESPEED_COOKIE_SECRET": "a cookie secret of this test, long enough",
    "WIRESPEED_UPLOADERS": "@example.com",
}


@pytest.mark.parametrize(
    "beside", [{}, {"WIRESPEED_OPEN": "read"}, SIGN_IN], ids=["alone", "open", "sign-in"]
)
def test_an_odd_value_is_right_or_one_short_line_about_its_setting(beside):
    """Whatever a setting holds: taken, or refused by its own name; never a traceback, a secret or an escape."""
    refused, strange = set(), []
    for setting in settings.SETTINGS:
        for value in ODD:
            environment = beside | {setting.name: value}
            try:
                settings.check(environment)
                check_address(host(environment), environment)
            except InputError as problem:
                refused.add(setting.name)
                line = str(problem)
                shown = setting.secret and "pass-word" in line
                if setting.name not in line or not line.isprintable() or len(line) > 300 or shown:
                    strange.append((setting.name, value[:40], line[:200]))

    assert strange == []
    numbers = {name for name in settings.known() if "PER_MINUTE" in name or name.endswith(("_MB", "_DAYS"))}
    assert refused >= numbers | {
        "HOST",
        "PORT",
        "WIRESPEED_PUBLIC_URL",
        "WIRESPEED_PROXIES",
        "WIRESPEED_HOSTS",
    }


def test_what_is_refused_of_a_number_and_an_address():
    """Digits alone, however many; an address that a browser can open, and nothing beside it."""
    for name in ("PORT", "WIRESPEED_ASK_PER_MINUTE", "WIRESPEED_WORKERS"):
        for value in ("0", "-1", "+5", "1e2", "1_0", "\u0663", "9" * 5000):
            with pytest.raises(InputError, match=name):
                settings.check({name: value})
    for value in ("0", "0.0", "0.0000001", "-1", "1e400", "5."):
        with pytest.raises(InputError, match="WIRESPEED_MAX_UPLOAD_MB: a number of megabytes above 0"):
            settings.check({"WIRESPEED_MAX_UPLOAD_MB": value})
    for value in (
        "ftp://x.example",
        "x.example",
        "https://u@x.example",
        "https://x.example/?a",
        "https://x.example/\u00e9",
        "https://x.example:0",
    ):
        with pytest.raises(InputError, match="WIRESPEED_PUBLIC_URL: an address"):
            settings.check({"WIRESPEED_PUBLIC_URL": value})
    for value in ("https://x.example", "http://[::1]:8501", "https://x.example:444/tools/", "http://box"):
        settings.check({"WIRESPEED_PUBLIC_URL": value})
    assert (port({"PORT": " 80 "}), port({"PORT": " "}), host({"HOST": " "})) == (80, 8501, "127.0.0.1")


@pytest.mark.parametrize(
    "name",
    [
        "WIRESPEED_PORT",
        "WIRESPEED_SERVICE_HOST",
        "WIRESPEED_PORT_8501_TCP_ADDR",
        "WIRESPEED_DB_SERVICE_PORT_HTTP",
    ],
)
def test_what_a_cluster_adds_is_no_mistake(name):
    """Kubernetes puts names of services called wirespeed into every environment."""
    settings.check({name: "tcp://10.0.0.1:8501"})


def test_an_empty_environment_is_right():
    """`make run` with no settings starts."""
    settings.check({})


def test_a_secret_in_a_file_is_used_and_not_shown(tmp_path, monkeypatch, capsys):
    """Token and database address come from files; `python -m db settings` prints neither."""
    for name, text in (("API_TOKEN", "s3cret-token"), ("DATABASE_URL", f"sqlite:///{tmp_path}/pass-word.db")):
        (tmp_path / name).write_text(f"{text}\n")
        monkeypatch.delenv(f"WIRESPEED_{name}", raising=False)
        monkeypatch.setenv(f"WIRESPEED_{name}_FILE", str(tmp_path / name))
    assert server_token() == "s3cret-token"
    assert database_url() == f"sqlite:///{tmp_path}/pass-word.db"
    monkeypatch.setenv("WIRESPEED_COOKIE_SECRET", "c00kie")
    assert main(["settings"]) == 0

    said = capsys.readouterr().out
    assert all(setting.name in said for setting in settings.SETTINGS)
    assert not any(word in said for word in ("s3cret", "pass-word", "c00kie"))


def test_the_document_lists_every_setting():
    """docs/DEPLOY.md shows the table that the program checks against."""
    assert settings.table() in (ROOT / "docs" / "DEPLOY.md").read_text()


def test_the_server_refuses_a_misspelt_setting_at_start():
    """One line and no traceback, whoever starts it."""
    done = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={"WIRESPEED_HOST": "x", "PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 2
    assert "wirespeed: WIRESPEED_HOST is no setting of Wirespeed: WIRESPEED_HOSTS?" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_name_that_the_program_reads_is_a_setting():
    """A setting added anywhere stands in the table, or the server would refuse it."""
    rooms = [ROOT / "app.py", *(path for room in ("db", "pages") for path in (ROOT / room).rglob("*.py"))]
    read = {name for path in rooms for name in re.findall(r'"(WIRESPEED_[A-Z_]+)"', path.read_text())}

    assert read <= settings.known() | settings.FOR_DEVELOPERS


def test_what_tests_and_tools_are_told_stops_no_server():
    """A campaign starts servers in its own environment: its length, its examples and its browser are passed over."""
    paths = [path for room in ("tests", "tools") for path in (ROOT / room).rglob("*") if path.is_file()]
    texts = [path.read_text() for path in paths if path.suffix in {".py", ".sh"}]
    read = re.compile(r'(?:environ\.get\(|environ\[|\$\{)"?(WIRESPEED_[A-Z_]+)')
    told = {name for text in texts for name in read.findall(text)}

    assert "WIRESPEED_SOAK" in told
    settings.check(dict.fromkeys(told - settings.known(), "1"))
