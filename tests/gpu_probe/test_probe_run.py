"""The probe itself: real processes over gloo, a valid file however it ends, and its single file."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.measurement.run_json import runs_from_json
from core.verdict import Status, judge_run
from gpu_probe.__main__ import main
from gpu_probe.parsers import read
from tests.gpu_probe.conftest import QUIET, build

ROOT = Path(__file__).parents[2]
COLLECTIVES = ["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv", "broadcast"]


def test_four_processes_of_the_single_file_measure_all_collectives(four):
    """With the node's torch: every collective at every size, checked, with a spread around its median."""
    runs = read("run.json", four.path.read_bytes())

    assert [run.collective for run in runs] == COLLECTIVES
    for run in runs:
        assert (run.format, run.ranks, run.origin) == ("wirespeed-run", 4, "cpu")
        assert [s.size_bytes for s in run.samples] == [4096, 65536, 1048576]
        assert {s.wrong for s in run.samples} == {0}
        assert all(0 < s.low_s <= s.time_s <= s.high_s for s in run.samples)
        assert {s.placement for s in run.samples} <= {"in-place", "out-of-place"}


def test_a_run_over_gloo_is_labelled(four):
    """What was measured on the CPU says so in the file and in its verdict."""
    from core.catalog import SYSTEMS

    for run in read("run.json", four.path.read_bytes()):
        assert "on_cpu" in {notice.code for notice in run.warnings}
        verdict = judge_run(run, SYSTEMS["dgx-h100"])
        assert (verdict.status, verdict.reason.code) == (Status.UNKNOWN, "measured_on_cpu")


def test_skipped_probes_say_why(four):
    """Without a GPU the copies are skipped, each with its reason, in the file and on the terminal."""
    first = read("run.json", four.path.read_bytes())[0]
    skipped = [notice.message for notice in first.warnings if notice.code == "skipped"]

    assert [text.split(":")[0] for text in skipped] == ["memory", "host", "peers"]
    assert four.stderr.count("skipped, no CUDA device") == 3


def test_only_allowed_facts_of_the_machine_are_kept(four):
    """No environment but NCCL's, no user, no path."""
    text = four.path.read_text()
    (run, *_) = read("run.json", text.encode())

    assert run.machine.env == {"NCCL_ALGO": "ring"}
    assert len(run.machine.hosts) == 1
    assert "hush" not in text
    assert str(ROOT) not in text
    assert "PYTHONPATH" not in text
    assert "OMP_NUM_THREADS" not in text


def test_alone_the_collectives_are_skipped_with_a_hint(alone):
    """One process leaves a valid file that says how to start more."""
    (run,) = runs_from_json(json.loads(alone.path.read_text()))

    assert "torchrun" in run.warnings[-1].message
    assert run.machine.hosts


def test_ctrl_c_leaves_a_valid_file(tmp_path):
    """Stopped in the middle, the file holds what was measured until then."""
    path = tmp_path / "run.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "gpu_probe", "run", "--full", "--ranks", "2", "-o", str(path)],
        cwd=tmp_path,
        env=QUIET,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and not (path.exists() and '"samples"' in path.read_text()):
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        status = process.wait(240)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    runs = read("run.json", path.read_bytes())

    assert status != 0
    assert any(run.samples for run in runs)
    assert sum(len(run.samples) for run in runs) < 6 * 24


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "-o", "no/such/folder/run.json"], "No such file"),
        (["run", "--only", "colour"], "--only: one of memory, host, peers, collectives"),
        (["run", "--ranks", "0"], "--ranks"),
        (["run", "--quick", "--full"], "not allowed with"),
    ],
)
def test_a_run_that_cannot_start_is_one_line(words, named, tmp_path, monkeypatch, capsys):
    """A bad option or an unwritable file is known before anything is measured."""
    monkeypatch.chdir(tmp_path)
    try:
        status = main(words)
    except SystemExit as stop:
        status = stop.code

    error = capsys.readouterr().err
    assert status == 2
    assert named in error
    assert len(error.splitlines()) == 1


def bare(single, *words, cwd):
    """Run the file with nothing installed and no project in reach."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-S", single, *map(str, words)],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_single_file_reads_without_numpy(single, four, tmp_path):
    """With neither numpy nor torch the file still reads, and says what it lacks for the rest."""
    good = bare(single, "read", four.path, "--json", cwd=tmp_path)

    assert (good.returncode, len(json.loads(good.stdout))) == (0, len(COLLECTIVES))
    for command, text in (("run", "torch 2.1 or newer"), ("check", "not in this file")):
        process = (
            bare(single, command, "x", cwd=tmp_path)
            if command == "check"
            else bare(single, command, cwd=tmp_path)
        )
        assert process.returncode == 2
        assert text in process.stderr
        assert len(process.stderr.splitlines()) == 1


def test_the_same_sources_give_the_same_file(single, tmp_path):
    """Built twice, the file is the same to the byte."""
    again = tmp_path / "again.pyz"
    build(again)

    assert again.read_bytes() == single.read_bytes()
