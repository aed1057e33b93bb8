"""Which collective a log of nccl-tests is of: its name, the command, the printed rates, the user's answer."""

import pytest

from gpu_probe.parsers import ParseError
from gpu_probe.parsers.answer import answered, guessed
from tests.each import table
from tests.gpu_probe.formats import codes, nccl_tests, only


@pytest.mark.parametrize(
    "command",
    [
        "mpirun -np 8 ./build/all_reduce_perf -b 8 -e 1G -f 2",
        "$ ./build/all_reduce_perf",
        "+ srun -l /opt/nccl-tests/all_reduce_perf_mpi -b 8",
        "Step 8/8 : CMD /build/all_reduce_perf -b 8 -e 128M",
        'srun --container-image=x bash -c "all_reduce_perf -b 8 -e 1G"',
    ],
)
def test_the_command_line_names_the_collective(command):
    """Builds before mid 2025 print no name: the command in the log does."""
    run = only([command, *nccl_tests(named=False)])

    assert run.collective == "all_reduce"
    assert run.warnings == ()


@pytest.mark.parametrize(
    "line",
    [
        "Linking  ../build/sendrecv.o > ../build/sendrecv_perf",
        "Compiling  alltoall.cu > ../build/alltoall.o",
        "# see also broadcast_perf in the manual",
    ],
)
def test_a_compiler_line_is_no_command(line):
    """Building the tests mentions all of them and starts none."""
    run = only([line, *nccl_tests(named=False)])

    assert run.collective is None
    assert codes(run) == ["collective_unknown"]


def test_two_commands_before_one_table_tell_nothing():
    """A script echoed at its beginning leaves the collective open; the printed rates offer it."""
    run = only(["./all_gather_perf -b 8", "./all_reduce_perf -b 8", *nccl_tests(named=False)])

    assert run.collective is None
    assert run.collective_guess == "all_reduce"


@table(
    ("name", "redop", "inside", "guess"),
    [
        ("all_reduce", "sum", "0", "all_reduce"),
        ("all_gather", "none", "0", "all_gather"),
        ("reduce_scatter", "sum", "0", "reduce_scatter"),
        ("alltoall", "none", "N/A", "all_to_all"),
        ("sendrecv", "sum", "N/A", "send_recv"),
    ],
)
@table("ranks", [2, 8, 72])
def test_printed_rates_offer_the_collective(name, redop, inside, guess, ranks):
    """Ratio, reduction and unchecked columns leave one collective; it is offered, not assumed."""
    run = only(nccl_tests(name, ranks=ranks, named=False, redop=redop, inside=inside))

    assert (run.collective, run.collective_guess) == (None, guess)
    assert guessed(run).collective == guess


def test_an_answer_fills_what_the_log_left_open():
    """The user's answer names the samples and takes the warning away; it overrules no log."""
    run = only(nccl_tests(named=False), collective="all_reduce", ranks=99)

    assert (run.collective, run.ranks, run.warnings) == ("all_reduce", 8, ())
    assert {s.operation for s in run.samples} == {"all_reduce"}
    with pytest.raises(ParseError, match="one of all_reduce"):
        answered(run, "shuffle")
