"""The shell over traces of a job: what it prints, writes and refuses."""

import json

from core.traces.detect import read_job
from gpu_probe.__main__ import main
from tests.core.traces.test_hostile import GOOD
from tests.core.traces.written import called, kernel, trace

SHAPES = {"Collective name": "allreduce", "In msg nelems": 1024, "Out msg nelems": 1024, "dtype": "Float"}


def files(folder):
    """Two ranks' traces."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"rank{rank}.json" for rank in range(2)]
    for rank, path in enumerate(paths):
        events = [kernel("gemm", 90, 40), called(1, 100, 50, **SHAPES)]
        path.write_bytes(trace(*events, told={"rank": rank, "world_size": 2}))
    return [str(path) for path in paths]


def test_the_collectives_of_a_trace(tmp_path, capsys):
    """Totals of each rank, calls by operation and size."""
    assert main(["trace", *files(tmp_path)]) == 0

    shown = capsys.readouterr().out.splitlines()
    assert shown[:3] == [
        "kineto, 2 ranks; NVIDIA H100",
        "rank 0: 1 collectives, 0.050 ms in all, 0.050 ms of the clock, 0.020 ms exposed",
        "  1 x all_reduce 4 KiB float32",
    ]


def test_captures_as_scripts_read_them(tmp_path, capsys):
    """``job --json``: calls, bytes and microseconds of each rank; a format without times has null for them."""
    logged = tmp_path / "nccl.log"
    logged.write_bytes(GOOD["log"])
    keys = ["file", "rank", "world_size", "gpu", "collective_kernels", "sum_us", "union_us", "exposed_us"]
    calls = {"all_reduce": {"count": 1, "bytes": 4096, "time_us": 50.0}}

    assert main(["job", "--json", *files(tmp_path / "traced")]) == 0
    traced = json.loads(capsys.readouterr().out)
    assert main(["job", "--json", str(logged)]) == 0
    (untimed,) = json.loads(capsys.readouterr().out)["ranks"]

    assert (traced["format"], traced["job"]) == ("kineto", None)
    assert [list(rank) for rank in traced["ranks"]] == [[*keys, "operations"]] * 2
    assert [[rank[key] for key in keys] for rank in traced["ranks"]] == [
        [f"rank{rank}.json", rank, 2, "NVIDIA H100", 1, 50.0, 50.0, 20.0] for rank in range(2)
    ]
    assert [rank["operations"] for rank in traced["ranks"]] == [calls, calls]
    assert [untimed[key] for key in keys[5:]] == [None] * 3


def test_a_job_file_stands_for_the_traces(tmp_path, capsys):
    """What is written is read again as the same job."""
    out = tmp_path / "job.json"
    assert main(["trace", *files(tmp_path), "-o", str(out)]) == 0
    with out.open("rb") as file:
        job = read_job([("job.json", file)])

    assert [entry.rank for entry in job.ranks] == [0, 1]
    assert job.ranks[1].collectives.bytes_in.tolist() == [4096]
    assert main(["trace", str(out)]) == 0
    assert "1 x all_reduce 4 KiB float32" in capsys.readouterr().out


def test_what_is_no_trace(tmp_path, capsys):
    """A missing file and a file of no known kind: status 2 and one line."""
    other = tmp_path / "notes.txt"
    other.write_text("hello")

    for name, reason in (
        (str(tmp_path / "none.json"), "No such file"),
        (str(other), "no trace of a known kind"),
    ):
        assert main(["trace", name]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert reason in line
