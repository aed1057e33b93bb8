"""A measurement told in a sentence: what is taken from it, and what is no measurement."""

import pytest

from core.verdict import judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from tests.gpu_probe.formats import nccl_tests, text


def told(sentence):
    """The run of a sentence, its bus bandwidth in GB/s, the system that it names, and the verdict."""
    (run,) = read("log", sentence.encode())
    system = system_of_file([run]).system
    (verdict,) = judge_runs([run], system)
    factor = 2 * (run.ranks - 1) / run.ranks
    return run, factor * run.samples[0].size_bytes / run.samples[0].time_s / 1e9, system, verdict


@pytest.mark.parametrize(
    ("sentence", "ranks", "busbw", "system", "status"),
    [
        ("I get only 5 GB/s busbw on 2 nodes x 8 A100 with 4x200G", 16, 5, ("dgx-a100", "ib-hdr", 4), "low"),
        ("all_reduce on two servers, each 8x H100 and 8x400G RoCE: busbw 120 GB/s", 16, 120, ("dgx-h100", "roce-400", 8), "low"),
        ("NCCL all-reduce over 4 RTX 4090 reaches 3.1 GB/s at 512 MB", 4, 3.1, ("rtx-4090-x4", None, 0), "low"),
        ("2 nodes of 8 A100, 4x200Gb: the theoretical busbw is 100 GB/s, ours is: 92 GB/s", 16, 92, ("dgx-a100", "ib-hdr", 4), "fine"),
        ("nccl-tests all_reduce, algbw 250 GB/s on 8 H100", 8, 437.5, ("dgx-h100", "ib-ndr", 8), "fine"),
        ("nccl-tests on 2 nodes with 8 A100 each and 8x200G: busbw 80 Gb/s", 16, 10, ("dgx-a100", "ib-hdr", 8), "low"),
    ],
)  # fmt: skip
def test_a_sentence_is_judged(sentence, ranks, busbw, system, status):
    """Rate with its convention and unit, ranks, NICs: as stated; what was expected is not taken for measured."""
    run, rate, machine, verdict = told(sentence)

    assert run.ranks == ranks
    assert rate == pytest.approx(busbw)
    assert (machine.id, machine.network, machine.nics_per_domain) == system
    assert str(verdict.status) == status
    assert any("taken from a sentence" in warning for warning in verdict.warnings)


@pytest.mark.parametrize(
    "sentence",
    [
        "Where is the documentation? 5 GB/s would be nice.",
        "NCCL on 8 H100 should give 450 GB/s",
        "busbw 46 GB/s, is that fine?",
        "copying a file to 8 H100 nodes takes 3 GB/s",
    ],
)
def test_a_sentence_without_a_measurement_is_none(sentence):
    """A rate needs what was measured, on which GPUs, and that it was measured."""
    with pytest.raises(ParseError, match="no measurement"):
        read("log", sentence.encode())


def test_a_table_says_more_than_the_prose_around_it():
    """Where a log holds the tool's own output, sentences beside it are not taken for measurements."""
    (run,) = read("log", text(["I get only 5 GB/s busbw on 2 nodes x 8 A100", *nccl_tests()]))

    assert len(run.samples) > 1
    assert not any(notice.code == "from_prose" for notice in run.warnings)
