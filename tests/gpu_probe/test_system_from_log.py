"""``check`` and ``accept`` where no system is named, and a cluster's folder with odd files in it."""

import json
import re

import pytest

from core.verdict.recognition import system_of_file
from gpu_probe.__main__ import main
from gpu_probe.parsers import read
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
    assert report["system_from"] == "1 × 8 GPUs, taken as DGX H100"
    assert (alone, report | {"system_from": None}) == (named, same)


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


def test_a_file_that_cannot_be_judged_leaves_the_others(tmp_path, capsys):
    """A network asked of a machine without NICs costs that file a line, and the page counts it as not judged."""
    cards = tmp_path / "cards.log"
    cards.write_bytes(text(nccl_tests()).replace(b"H100 80GB HBM3", b"L40S"))
    whole = tmp_path / "whole.log"
    whole.write_bytes(text(nccl_tests()))

    assert main(["accept", "--network", "ib-hdr", str(cards), str(whole)]) == 2
    page, errors = capsys.readouterr()
    assert "whole.log" in page
    assert "not on this page, one line each on stderr: 1 file not judged" in page
    assert "cards.log: nics_per_domain: l40s-x8 has" in errors


@pytest.mark.parametrize(
    "lines", [[], ["host0:1:1 [0] NCCL INFO NET/IB: [0] mlx5_0:1/IB/SHARP speed=200000 context=0x1"]]
)
def test_cards_beside_nics_are_judged(tmp_path, capsys, lines):
    """NICs that a log names beside cards of one host carry nothing, and are no error."""
    cards = tmp_path / "cards.log"
    log = nccl_tests()
    cards.write_bytes(text([*log[:3], *lines, *log[3:]]).replace(b"H100 80GB HBM3", b"L40S"))

    main(["check", str(cards)])
    assert "taken as 8 x L40S" in capsys.readouterr().err


def test_a_host_of_many_gpus_is_one_host():
    """Sixteen different devices on one host stand in one host; eight twice are two that share its name."""
    same = text(nccl_tests(ranks=16)).replace(b"node1", b"node0")
    numbered = re.sub(rb"(Rank\s+(\d+) .*device\s+)\d+", rb"\1\2", same)

    assert [system_of_file(read("log", data)).system.domains for data in (same, numbered)] == [2, 1]
