"""``python -m gpu_probe check`` and ``fit``: the gate, its exit codes, and a machine of one's own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.catalog import SYSTEMS
from core.collectives.fitted import fit_json
from core.collectives.pricing import Scenario, sweep
from core.measurement import Run, Sample
from core.measurement.run_json import to_json
from core.verdict.points import fit_runs
from tests.gpu_probe.inside import probe

ROOT = Path(__file__).parents[2]
SIZES = (65536, 1 << 20, 1 << 24, 1 << 28, 1 << 30)


def check(*words):
    return probe("check", *words)


def shell(module, *words):
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(
    params=[(1, 0, "fine"), (5, 1, "low"), (0.1, 1, "impossible")], ids=["fine", "low", "impossible"]
)
def graded(request, tmp_path):
    factor, code, word = request.param
    times = sweep(Scenario(SYSTEMS["dgx-a100"], "all_gather", 8, dtype="float"), SIZES).time_s * factor
    samples = tuple(
        Sample("all_gather", s, float(t), "out-of-place") for s, t in zip(SIZES, times, strict=True)
    )
    path = tmp_path / "run.json"
    path.write_text(
        json.dumps(to_json(Run("a", "wirespeed-run", "all_gather", 8, samples=samples, dtype="float")))
    )
    return path, code, word


def test_the_exit_tells_the_verdict(graded):
    """0 fine, 1 low or impossible; JSON has a band and a reason per size."""
    path, code, word = graded
    process = check(path, "--system", "dgx-a100", "--json")
    (run,) = json.loads(process.stdout)

    assert (process.returncode, run["verdict"]) == (code, word)
    assert len(run["sizes"]) == len(SIZES)
    assert {"low_us", "high_us", "expected_us", "verdict", "reason", "text"} <= set(run["sizes"][0])


def test_the_eye_sees_the_same(graded):
    """Without --json the verdict stands in the first line, with its number."""
    path, code, word = graded
    process = check(path, "--system", "dgx-a100")

    assert process.returncode == code
    assert f": {word}" in process.stdout.splitlines()[0]


@pytest.mark.parametrize(
    "words",
    [
        ["--system", "dgx-a100", "/no/such/file"],
        ["--system", "nope", "/no/such/file"],
        ["/no/such/file"],
        ["--system-file", "/no/such/file", "x"],
        ["--system", "dgx-a100", "--domains", "0", "x"],
    ],
)
def test_what_cannot_be_checked_is_two(words):
    """Unreadable files and impossible machines are exit 2 and one line."""
    process = check(*words)

    assert process.returncode == 2
    assert len(process.stderr.splitlines()) == 1


def test_a_fit_of_the_machine_judges_its_later_runs(tmp_path):
    """A machine known to be slow is fine by its own fit, and low by what such machines reach."""
    times = sweep(Scenario(SYSTEMS["dgx-a100"], "all_gather", 8, dtype="float"), SIZES).time_s * 5
    samples = tuple(
        Sample("all_gather", s, float(t), "out-of-place") for s, t in zip(SIZES, times, strict=True)
    )
    run = Run("a", "wirespeed-run", "all_gather", 8, samples=samples, dtype="float")
    log, fit = tmp_path / "run.json", tmp_path / "slow.json"
    log.write_text(json.dumps(to_json(run)))
    fit.write_text(json.dumps(fit_json(fit_runs("slow", [run], SYSTEMS["dgx-a100"]))))

    assert check(log, "--system", "dgx-a100").returncode == 1
    assert check(log, "--system", "dgx-a100", "--rates", f"fitted:{fit}").returncode == 0


def test_a_fit_is_made_in_the_shell(tmp_path):
    """From a log to a file that every calculator takes: the machine's own time, its residuals told."""
    machine = SYSTEMS["dgx-a100"]
    times = sweep(Scenario(machine, "all_gather", 8, dtype="float"), SIZES).time_s * 1.3
    samples = tuple(
        Sample("all_gather", s, float(t), "out-of-place") for s, t in zip(SIZES, times, strict=True)
    )
    log, fit = tmp_path / "run.json", tmp_path / "ours.json"
    log.write_text(
        json.dumps(to_json(Run("a", "wirespeed-run", "all_gather", 8, samples=samples, dtype="float")))
    )

    process = shell("gpu_probe", "fit", log, "--system", "dgx-a100", "-o", fit)
    asked = ("--system", "dgx-a100", "--collective", "all_gather", "--size", str(SIZES[-1]), "--json")
    answer = shell("core", "collective", *asked, "--rates", f"fitted:{fit}")

    assert (process.returncode, process.stderr) == (0, "")
    assert "1 sweep;" in process.stdout
    assert "off by 23" in process.stdout
    assert json.loads(answer.stdout)["time_s"] == pytest.approx(times[-1], rel=1e-3)


@pytest.mark.parametrize("words", [["/no/such.log"], ["{log}", "-o", "/no/such/folder/fit.json"]])
def test_no_fit_is_one_line(tmp_path, words):
    """An unreadable log, or nowhere to write: exit 2 and one line."""
    log = tmp_path / "rows.json"
    log.write_text("{}")
    arguments = [word.format(log=log) for word in words]

    process = probe("fit", "--system", "dgx-a100", "-o", tmp_path / "fit.json", *arguments)

    assert process.returncode == 2
    assert len(process.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["check", "fit"])
def test_the_help_says_how_many_domains_are_taken(command):
    """Both take as many domains as the run spans, where `core` takes one."""
    assert "default as the run needs" in " ".join(probe(command, "--help").stdout.split())
