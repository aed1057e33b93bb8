"""What a log holds is named as the field names it: tool, collective, and remarks on it."""

from core.measurement import FORMATS, Sample
from core.measurement.run import Run
from pages.ui.shared import log_names, pick


def test_every_format_has_the_name_of_its_tool():
    """No format is shown by the id of the program."""
    assert {log_names.tool(key) for key in FORMATS}.isdisjoint(
        {"nccl-tests-text", "topo-m", "nvlink-s", "deepep", "osu"}
    )
    assert {*log_names.TOOLS} == {*FORMATS}


def test_a_collective_is_told_in_words_and_a_copy_as_its_tool_calls_it():
    """An all-reduce has its hyphen; a test case of nvbandwidth keeps its name; a remark changes its collectives alone."""
    assert log_names.operation("all_reduce") == "all-reduce"
    assert log_names.operation("host_to_device_memcpy_ce") == "host_to_device_memcpy_ce"
    assert (
        log_names.remark("taken for all_reduce in my_reduce.log") == "taken for all-reduce in my_reduce.log"
    )


def test_the_line_on_a_run_has_no_id():
    """Tool and collective stand in words, a guessed one with what it rests on."""
    samples = (Sample("all_reduce", 1024, 1e-5),)
    run = Run("a.log", "nccl-tests-text", "all_reduce", 8, samples=samples)

    assert pick.summary(run).startswith("nccl-tests · all-reduce · 8 ranks")
    guessed = Run("a.log", "nccl-tests-text", None, 8, samples=samples, collective_guess="all_gather")
    assert "all-gather (by algbw and busbw)" in pick.summary(guessed)
