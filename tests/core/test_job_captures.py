"""Captures of real jobs explained: the replay gives their step back, the hang its culprit, the model their times."""

from pathlib import Path

import pytest

from core import catalog
from core.collectives.question import FabricQuestion
from core.job.change import Change
from core.job.explain import explain
from core.job.hang import find_hang
from core.job.what_if import what_if
from core.traces.detect import read_job

TRACES = Path(__file__).parents[3] / "shared/data/traces"
pytestmark = pytest.mark.skipif(
    not TRACES.is_dir(), reason="the captured traces are not beside this checkout"
)


def job(pattern):
    """The job of the captures that match."""
    streams = [(path.name, path.open("rb")) for path in sorted(TRACES.glob(pattern))]
    try:
        return read_job(streams)
    finally:
        for _, stream in streams:
            stream.close()


@pytest.mark.parametrize("pattern", ["kineto/v100_dlrm_ws8/rank*", "kineto/mi300x_resnet*"])
def test_a_real_step_is_replayed(pattern):
    """Nothing changed gives the trace back; free communication is faster and never less than compute."""
    told = explain(job(pattern))
    answer = what_if(told.job, Change(), told)

    assert abs(answer.replay_error) < 0.01
    assert answer.new.step_s == pytest.approx(told.step_s)
    compute_s = sum(shares.compute_s for shares in told.per_step) / len(told.per_step)
    assert 0.99 * compute_s <= answer.free_s <= answer.best_overlap_s <= answer.today.step_s


def test_all_ranks_tell_wire_from_waiting():
    """Eight ranks of one job: the sum of the shortest durations is 217 us, all else is waiting."""
    told = explain(job("kineto/v100_dlrm_ws8/rank*"))

    assert told.matches.complete
    assert sum(told.matches.wire_s[0]) == pytest.approx(217e-6, rel=1e-3)
    assert told.straggler.rank == 7


def test_a_hang_names_the_rank_that_failed():
    """Rank 12 had a GPU error: every group that it is in waits for it, and no call differs in size."""
    hang = find_hang(job("flight_recorder/megatron_tp2pp4ep4_gpu_error_1st/_dump_*"))

    assert hang.culprits[0][0] == 12
    assert all(wait.missing == (12,) for wait in hang.waits)
    assert hang.mismatches == ()


def test_the_model_meets_the_calls_of_a_70b_job():
    """Llama-70B under FSDP on eight MI300X: within a quarter, and of four large calls three in the 80 % interval."""
    report = job("tracelens_report/*implicit_sync.csv")
    told = explain(report, FabricQuestion(catalog.system("mi300x-x8")))
    large = [total for total in told.totals if total.kind.size_bytes > 1e9]

    assert len(large) == 4
    assert [str(total.verdict.status) for total in large].count("fine") == 3
    for total in large:
        assert total.verdict.expected_s == pytest.approx(total.time_s, rel=0.25)
