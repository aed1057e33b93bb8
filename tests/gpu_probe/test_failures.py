"""Runs that failed or hang: the line that tells why, what it means, and what to try."""

import pytest

from gpu_probe.parsers import read
from gpu_probe.parsers.failures import explained
from gpu_probe.parsers.problem import ParseError
from tests.each import table
from tests.gpu_probe.formats import nccl_tests, text

WARN = "hosta:101:201 [0] NCCL WARN "


def without_rows(*lines):
    """nccl-tests that ended before its first row, with these lines at the end."""
    log = nccl_tests(footer=False)
    return text([*[line for line in log if not line.strip()[:1].isdigit()], *lines])


@table(
    ("line", "meaning"),
    [
        (f"{WARN}NET/IB : Got completion from peer 10.0.0.2<33397> with error 4, opcode 1, len 0, vendor err 81 (Send)", "ACS"),
        (f"{WARN}NET/IB: Got completion from peer 10.0.0.2<4> with status=12 opcode=0 len=0 vendor err 129 (Recv)", "does not answer"),
        (f"{WARN}Call to ibv_reg_mr failed", "ulimit -l"),
        (f"{WARN}Call to ibv_modify_qp failed with 110 Connection timed out", "NCCL_IB_GID_INDEX"),
        (f"{WARN}Error while creating shared memory segment /dev/shm/nccl-1 (size 9637888)", "--shm-size"),
        (f"{WARN}socketStartConnect: Connect to 10.0.0.2<4> failed : Connection refused", "NCCL_SOCKET_IFNAME"),
        (f"{WARN}Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000", "one rank for each"),
        (f"{WARN}Cuda failure 802 'system not yet initialized'", "fabricmanager"),
        (f"{WARN}Cuda failure 'peer access is not supported between these two devices'", "NCCL_P2P_DISABLE=1"),
        ("hosta: Test CUDA failure common.cu:730 'out of memory'", "no GPU memory left"),
        ("[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=23)", "flight recorder"),
        ("[ 12.3] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.", "grep Xid"),
    ],
)  # fmt: skip
def test_a_known_message_is_explained(line, meaning):
    """The message stands in the answer with its meaning, in one line and with the number of its own."""
    data = without_rows(line)
    with pytest.raises(ParseError) as problem:
        read("log", data)

    assert meaning in str(problem.value)
    assert problem.value.line == data.decode().splitlines().index(line) + 1


def test_a_failure_without_any_table_is_explained_too():
    """A training job's own log holds no measurement, and still says why it stopped."""
    with pytest.raises(ParseError, match=r"the run failed: .*flight recorder"):
        read("log", b"epoch 1\n[E] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(1)\n")


def test_a_run_that_connected_and_printed_nothing_hangs():
    """NCCL connects before the first data moves: no row after that is a hang, not a cut log."""
    with pytest.raises(ParseError, match="hangs; NCCL_P2P_DISABLE=1"):
        read("log", without_rows("hosta:101:201 [0] NCCL INFO Connected all rings, use ring PXN 0 GDR 1"))


@pytest.mark.parametrize(
    "line",
    [
        "hosta:101:201 [0] NCCL INFO NET/IB : No device found.",
        "hosta:101:201 [0] NCCL INFO NET/Plugin: Failed to find ncclNetPlugin_v7 symbol.",
        "# Out of bounds values : 0 OK",
        "a line of prose about an error",
    ],
)
def test_usual_lines_are_no_failures(line):
    """What healthy runs print too is not explained away."""
    assert explained(line) == ""
