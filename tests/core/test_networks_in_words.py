"""A network whose rate words tell, without the number of NICs: healthy runs over it are not low."""

import pytest

from core.verdict import Status, judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from tests.gpu_probe.formats import nccl_tests

_FINE = (
    "2 nodes of 8x A100 over 100GbE RoCE, all_reduce busbw 11 GB/s",
    "2 nodes with 8x H100 each, 100G RoCE network: all_reduce busbw 11.2 GB/s",
    "2 nodes with 8x H100 each, 200G RoCE network: all_reduce busbw 190 GB/s",
    "4 servers with one L40S each, connected by 100 Gb/s RoCE. nccl all_reduce busbw 11 GB/s.",
    "2 nodes 2x A100 PCIe each 100Gb/s EDR; all_reduce busbw 10.8 GB/s",
    "Perlmutter 2 nodes 4x A100 each, 4x Slingshot 200G: all_reduce busbw 75 GB/s",
    "2 nodes each a single H100 PCIe, 100G RoCE; all_reduce_perf busbw 11.2 GB/s",
)
_LOW = (
    "2 nodes of 8x H100 with 400G InfiniBand, all_reduce busbw 45 GB/s",
    "2 nodes of 8x H100 with 400G RoCE, all_reduce busbw 45 GB/s",
    "4 servers with one L40S each, connected by 100 Gb/s RoCE. nccl all_reduce busbw 3 GB/s.",
    "2 nodes of 8x A100, 8x200G InfiniBand: all_reduce busbw 22 GB/s",
    "2 nodes of 8x H100, all_reduce busbw 100 Gb/s over InfiniBand",
)
_UNKNOWN = (
    "2 nodes x 8 H100, 25 GbE only: all_reduce busbw 2.8 GB/s",
    "2 servers, each with one RTX 4090 and a 25GbE NIC: all_reduce busbw 2.7 GB/s",
    "2 servers, 1x RTX 4090 each, 10GbE: all_reduce busbw 1.1 GB/s",
    "8 nodes, one V100 each, 10 Gb Ethernet TCP: all_reduce busbw 1.1 GB/s",
)


def _judged(words):
    runs = read("paste.log", words.encode())
    match = system_of_file(runs)
    return match, judge_runs(runs, match.system)[0].status if match.system else Status.UNKNOWN


@pytest.mark.parametrize(
    ("words", "status"),
    [
        *((words, Status.FINE) for words in _FINE),
        *((words, Status.LOW) for words in _LOW),
        *((words, Status.UNKNOWN) for words in _UNKNOWN),
    ],
)
def test_the_rate_of_a_network_in_words(words, status):
    """As many NICs as the rate needs where words name no number; the usual ones at the usual rate."""
    assert _judged(words)[1] is status


def test_what_was_assumed_of_the_nics_is_told():
    """The number of NICs that nobody named, and a network that the catalog lacks."""
    assert "1 NIC a node assumed, or as many more as its rate needs" in _judged(_FINE[0])[0].remark
    assert "25 Gb/s" in _judged(_UNKNOWN[0])[0].remark


def test_lines_of_the_log_decide_before_words():
    """A frontend of 10 or 100 Gb/s in words beside adapters that NCCL names."""
    lines = [
        f"node{host}:1:1 [{gpu}] NCCL INFO NET/IB : Using "
        + " ".join(f"[{i}]mlx5_{i}:1/RoCE" for i in range(8))
        for host in range(2)
        for gpu in range(8)
    ]
    logs = {
        words: _judged("\n".join([words, *lines, *nccl_tests(ranks=16)]))[0]
        for words in ("Management is 10GbE.", "")
    }
    assert len({match.remark for match in logs.values()}) == 1


def test_bytes_told_as_bits_are_a_cause():
    """``230 Gb/s`` of eight A100 is their 230 GB/s in another unit; a rate that is low in both is not."""

    def causes(words):
        runs = read("paste.log", words.encode())
        verdict = judge_runs(runs, system_of_file(runs).system)[0]
        return verdict.status, [cause.reason.code for cause in verdict.causes]

    status, codes = causes("8x A100, all_reduce busbw is 230 Gb/s")
    assert (status, codes[0]) == (Status.LOW, "unit_misread")
    assert causes("8x A100, all_reduce busbw is 1850 Gb/s")[0] is Status.FINE
    for words in ("8x A100, all_reduce busbw is 28.8 GB/s", "8x A100, all_reduce busbw is 30 Gb/s"):
        status, codes = causes(words)
        assert status is Status.LOW
        assert codes[:1] != ["unit_misread"]
