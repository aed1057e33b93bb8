"""Traces of a program's steps, made by real processes over gloo and read again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.traces.detect import read_job
from gpu_probe import profiling, record_step
from gpu_probe.__main__ import main

ROOT = Path(__file__).parents[2]
TRAIN = """
import sys
import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

torch.set_num_threads(1)
distributed.init_process_group("gloo")
layers = [torch.nn.Linear(128, 128) for _ in range(2)]
model = DistributedDataParallel(torch.nn.Sequential(*layers), bucket_cap_mb=0.05)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(int(sys.argv[1])):
    optimizer.zero_grad()
    model(torch.ones(8, 128)).sum().backward()
    optimizer.step()
distributed.destroy_process_group()
"""


def job(folder):
    """The job of a folder's traces."""
    streams = [(path.name, path.open("rb")) for path in sorted(folder.glob("rank*.json.gz"))]
    try:
        return read_job(streams)
    finally:
        for _, stream in streams:
            stream.close()


def test_two_ranks_under_torchrun(tmp_path):
    """An unchanged script: a trace a rank, three steps each, every bucket's all-reduce with its bytes."""
    (tmp_path / "train.py").write_text(TRAIN)
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "train.py", "7"]
    done = subprocess.run(
        [sys.executable, "-m", "gpu_probe", "profile", "-o", "out", "--", sys.executable, *launcher],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "2 traces in" in done.stdout
    read = job(tmp_path / "out")

    assert [trace.rank for trace in read.ranks] == [0, 1]
    assert (read.world_size, read.groups[0].ranks) == (2, (0, 1))
    for trace in read.ranks:
        calls = trace.collectives
        assert [step.name for step in trace.steps] == [f"ProfilerStep#{number}" for number in (1, 2, 3)]
        assert set(calls.operation) == {"all_reduce"}
        assert sum(calls.bytes_in) == 3 * 2 * (128 * 128 + 128) * 4
        assert set(calls.step.tolist()) == {0, 1, 2}
        assert ((calls.exposed_s >= 0) & (calls.exposed_s <= calls.duration_s)).all()
        assert trace.compute.total_s > 0


def test_a_thread_that_waits_for_the_interpreter_gets_it_before_its_end(tmp_path):
    """Threads of gloo free tensors after the program's last line; later the process would be aborted."""
    (tmp_path / "train.py").write_text(
        "import os, sys, threading\n"
        "sys.setswitchinterval(60)\n"
        "reader, writer = os.pipe()\n"
        "def free():\n"
        "    os.read(reader, 1)\n"
        "    os.write(1, b'freed')\n"
        "threading.Thread(target=free, daemon=True).start()\n"
        "os.write(writer, b'.')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "gpu_probe", "profile", "-o", "out", "--", sys.executable, "train.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout == "freed", done.stderr


def test_steps_marked_by_the_program(tmp_path, monkeypatch):
    """The loop's own marks: the first steps pass, the next are kept, those after cost nothing."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(profiling._Running, "recorder", None)
    monkeypatch.setattr(profiling._Running, "marked", False)
    for _ in range(6):
        with record_step(str(tmp_path / "traces"), steps=2, skip=1):
            torch.ones(4) @ torch.ones(4)
    (trace,) = job(tmp_path / "traces").ranks

    assert [step.name for step in trace.steps] == ["ProfilerStep#1", "ProfilerStep#2"]
    assert (trace.rank, len(trace.collectives)) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--", "torchrun", "train"], "a command with a Python script"),
        (["--skip", "0", "--", "python", "train.py"], "--steps and --skip"),
        (["--", "no-such-launcher", "train.py"], "no-such-launcher"),
    ],
)
def test_what_cannot_be_profiled(capsys, arguments, reason):
    """No script, no step, no program: status 2 and one line."""
    assert main(["profile", *arguments]) == 2

    assert reason in capsys.readouterr().err


def test_a_program_without_steps(tmp_path, capfd):
    """A program that never steps an optimizer leaves no trace, and the shell says what to do."""
    script = tmp_path / "idle.py"
    script.write_text("print('ran', __name__)")

    assert main(["profile", "-o", str(tmp_path / "out"), "--", sys.executable, str(script)]) == 1
    shown = capfd.readouterr()
    assert "ran __main__" in shown.out
    assert "no trace was made" in shown.err
