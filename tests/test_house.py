"""Rules of the house that no other tool watches."""

import ast
import gzip
import os
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

from tests.each import table

ROOT = Path(__file__).resolve().parents[1]
TEST_FILES = sorted((ROOT / "tests").rglob("test_*.py"))
OURS = [path for room in ("core", "db", "gpu_probe", "pages") for path in sorted((ROOT / room).rglob("*.py"))]


def written_in(path):
    """Every test function of a file."""
    tree = ast.parse(path.read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, functions) and node.name.startswith("test_")]


@table("path", TEST_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_test_says_what_it_shows(path):
    """A test's docstring is a sentence about the world."""
    silent = [test.name for test in written_in(path) if not (ast.get_docstring(test) or "").strip()]

    assert silent == []


ASKED = r"httpx\.(get|post|put|patch|delete|head|request|stream|(Async)?Client)"
WAITS = {"timeout": re.compile(ASKED), "open_timeout": re.compile("connect")}
"""Calls that wait for another process, by the argument that says how long; in process, with a transport, nothing is waited for."""


def unlimited(path):
    """Calls of a file that wait as long as their library thinks: five seconds of httpx, ten of a websocket."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    for call in calls:
        named = {keyword.arg for keyword in call.keywords}
        for argument, pattern in WAITS.items():
            if pattern.fullmatch(ast.unparse(call.func)) and not named & {argument, "transport"}:
                yield f"{path.relative_to(ROOT)}:{call.lineno}"


def test_a_busy_machine_is_waited_for():
    """Every request of a test says how long it waits: at a load of eight a start or an answer takes longer than usual."""
    with_network = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if "connect(" in (text := path.read_text()) or "httpx." in text
    ]

    assert [call for path in with_network for call in unlimited(path)] == []


def opens_with_words(path):
    """Whether the first statement of a file is a text: the tokens after it are never read."""
    with tokenize.open(path) as file:
        tokens = tokenize.generate_tokens(file.readline)
        first = next(token for token in tokens if token.type not in (tokenize.COMMENT, tokenize.NL))
    return first.type == tokenize.STRING and bool(ast.literal_eval(first.string).strip())


def test_every_module_says_its_idea():
    """Each file of the product opens with a sentence."""
    assert [str(path.relative_to(ROOT)) for path in OURS if not opens_with_words(path)] == []


def test_rooms_stay_small():
    """No file of the product grows past 400 lines."""
    large = {
        str(path.relative_to(ROOT)): size
        for path in OURS
        if (size := len(path.read_text().splitlines())) > 400
    }

    assert large == {}


def test_core_loads_without_the_heavy_packages():
    """Every calculator imports with numpy alone: no torch, Streamlit, pandas or database."""
    calculators = "bandwidth_hierarchy, capacity, gradient_sync, layouts, tensor_parallel, training"
    script = (
        f"import sys; from core.calculators import {calculators}; from core.shell import main; "
        "heavy = {'torch', 'streamlit', 'pandas', 'sqlalchemy', 'altair', 'scipy'} & set(sys.modules); "
        "print(*sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_app_lock_has_no_torch_and_only_hashed_pins():
    """The web application installs no torch, and nothing without a hash."""
    lock = (ROOT / "requirements" / "app.txt").read_text()
    pins = [line for line in lock.splitlines() if line and not line.startswith((" ", "#"))]

    assert not any(pin.startswith("torch") for pin in pins)
    assert all("==" in pin and pin.endswith("\\") for pin in pins)


def test_installed_nowhere():
    """The project is run from its folder: core, db and tests never reach site-packages."""
    import core

    assert Path(core.__file__).is_relative_to(ROOT)


def test_every_command_of_make_runs_though_a_folder_has_its_name():
    """A described target is phony: `make docs` builds the site beside a folder docs."""
    text = (ROOT / "Makefile").read_text()
    phony = set(re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split())

    assert set(re.findall(r"^([a-z-]+):.*##", text, re.MULTILINE)) <= phony


def test_tests_that_belong_together_stay_in_one_process(request):
    """Where tests run in several processes, each carries the group by which xdist keeps a file together."""
    several = "PYTEST_XDIST_WORKER" in os.environ and request.config.getoption("loadgroup", default=False)

    assert request.node.nodeid.endswith("@test_house.py") or not several


def test_a_tests_name_is_the_same_in_every_process(request):
    """Packed bytes hold the time of the clock: as names they would differ between processes, which then share no test."""
    packed = (r"\x1f\x8b", r"PK\x03\x04")

    assert not [item.nodeid for item in request.session.items if any(mark in item.nodeid for mark in packed)]


@pytest.mark.parametrize("data", [gzip.compress(b"a trace"), "words"])
def test_bytes_are_named_by_their_argument(request, data):
    """The name of a test says which argument holds bytes, not what they are; a word stands in it as it is."""
    assert f"[{data if isinstance(data, str) else 'data'}]" in request.node.nodeid
