"""``check`` and ``accept`` where no system is named, and a cluster's folder with odd files in it."""

import json

import pytest

from gpu_probe.__main__ import main
from tests.gpu_probe.formats import nccl_tests, text


@pytest.fixture
def folder(tmp_path):
    """A folder of logs: two nodes, a pair, a host that stands twice, and files that hold nothing."""
    whole = text(nccl_tests())
    logs = {
        "node_0.log": whole,
        "node_1.log": whole.replace(b"node0", b"node1"),
        "pair.log": text(nccl_tests(ranks=16)),
        "twice.log": text(nccl_tests(ranks=16)).replace(b"node1", b"node0"),
        "two_tools.log": whole + b"\nnvbandwidth Version: v0.5\n",
        "empty.log": b"",
        "cut.log": whole[: len(whole) // 3],
        "binary.log": bytes(range(256)) * 4,
        "prose.log": b"all is well\n",
        "no_gpu.log": text([line for line in nccl_tests() if "Rank" not in line]),
    }
    for name, data in logs.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_a_log_alone_is_judged_on_its_own_system(folder, capsys):
    """The log's GPUs name the system; a line says so, and the verdict is that with the system named."""
    alone = main(["check", "--json", str(folder / "node_0.log")])
    (report,), said = json.loads((printed := capsys.readouterr()).out), printed.err
    named = main(["check", "--json", "--system", "dgx-h100", str(folder / "node_0.log")])
    (same,) = json.loads(capsys.readouterr().out)

    assert "system as the log tells: 1 × 8 GPUs, taken as DGX H100" in said
    assert (alone, report) == (named, same)


def test_a_log_that_names_no_gpu_asks_for_the_system(folder, capsys):
    """One line says what to add."""
    assert main(["check", str(folder / "no_gpu.log")]) == 2
    assert "add --system ID" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--system", "dgx-h100"]])
def test_odd_files_of_a_cluster_cost_a_line_each(folder, capsys, options):
    """What cannot be read is said once and counted on the page; all else is judged, one host twice too."""
    files = sorted(map(str, folder.iterdir()))
    status = main(["accept", "--json", *options, *files])
    page, errors = json.loads((printed := capsys.readouterr()).out), printed.err

    judged = {run["file"].rpartition("/")[2] for run in page["runs"]}
    assert {"node_0.log", "node_1.log", "pair.log", "twice.log", "two_tools.log"} <= judged
    assert status == 2
    assert page["unread_files"] == len(files) - len(judged)
    unread = {file.rpartition("/")[2] for file in files} - judged
    assert all(sum(f"{name}:" in line for line in errors.splitlines()) == 1 for name in unread)
