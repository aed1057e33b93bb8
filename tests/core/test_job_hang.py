"""A flight recorder of a job that stands still: who waits for whom, and whom nobody waits for."""

from core.job.hang import find_hang
from core.shell.job_text import hang_text
from core.traces.building import Call, collectives
from core.traces.records import Group, Job, RankTrace
from tests.core.jobs import data_parallel


def recorded(rank, sequences, *, size=1024, operation="all_reduce", state="scheduled"):
    """A rank's flight recorder with calls of these numbers in group 0."""
    calls = [
        Call(operation, group=0, bytes_in=size, bytes_out=size, sequence=number, state=state)
        for number in sequences
    ]
    nan = float("nan")
    return RankTrace(rank, -1, "", nan, nan, collectives(calls))


def test_the_flight_recorder_names_who_is_waited_for():
    """Ranks 0 and 1 wait in call 4, which rank 2 never made; rank 3 left no record."""
    group = Group("7", (0, 1, 2, 3), 4, "TENSOR_MODEL_PARALLEL_GROUP")
    ranks = (recorded(0, range(1, 5)), recorded(1, range(1, 5)), recorded(2, range(1, 4)))
    hang = find_hang(Job("flight-recorder", ranks, (group,), world_size=4))
    wait = hang.waits[0]

    assert (wait.sequence, wait.waiting, wait.missing, wait.absent) == (4, (0, 1), (2,), (3,))
    assert wait.operation == "all_reduce"
    assert dict(hang.culprits) == {2: 1}
    assert hang.unrecorded == (3,)
    assert hang.mismatches == ()
    assert hang_text(hang).startswith("Waited for: rank 2 (1 groups)\n\nNo record of rank 3.")


def test_a_healthy_flight_recorder_is_no_hang():
    """Calls that have completed wait for nobody, though another rank's record is missing or ends earlier."""
    group = Group("7", (0, 1), 2)
    ranks = (recorded(0, range(1, 6), state="completed"), recorded(1, range(1, 4), state="completed"))
    for present in (ranks[:1], ranks):
        hang = find_hang(Job("flight-recorder", present, (group,), world_size=2))

        assert (hang.waits, hang.culprits, hang.unfinished) == ((), (), 0)
        assert hang_text(hang).startswith("No rank is behind in any group; 0 calls have not completed.")
    assert find_hang(Job("flight-recorder", ranks[:1], (group,), world_size=2)).unrecorded == (1,)


def test_a_rank_that_never_called_its_group_is_waited_for():
    """Rank 1 left a record without any call of the group that rank 0 waits in."""
    group = Group("7", (0, 1), 2)
    hang = find_hang(Job("flight-recorder", (recorded(0, [1]), recorded(1, [])), (group,), world_size=2))

    assert (hang.waits[0].missing, hang.waits[0].absent, hang.unrecorded) == ((1,), (), ())


def test_the_flight_recorder_shows_sizes_that_differ():
    """Two ranks that give one all-reduce different sizes never finish it."""
    group = Group("7", (0, 1), 2)
    job = Job("flight-recorder", (recorded(0, [1]), recorded(1, [1], size=2048)), (group,), world_size=2)

    assert find_hang(job).unblamed == "Ranks call with different sizes"
    assert find_hang(job).mismatches[0].calls == ((0, "all_reduce", 1024), (1, "all_reduce", 2048))
    assert find_hang(data_parallel()) is None
