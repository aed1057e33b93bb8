"""perftest's tables: what is read of them, and whether a NIC does what its port should."""

import pytest

from core.catalog import SYSTEMS
from core.systems import configure
from core.verdict import Status, headline, judge_run, judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from tests.figures.threads_2026_11_outputs import perftest as perftest_rows
from tests.gpu_probe.formats import only

HDR = configure(SYSTEMS["dgx-a100"], domains=2, network="ib-hdr")
RULE = "-" * 87


def perftest(
    rows, *, verb="RDMA_Write", both="", what="BW", unit="Gb/sec", link="IB", head=(), qps=1, dual="OFF"
):
    """The output of ``ib_write_bw`` and its kind; of one row (bytes, average) a line."""
    columns = f" #bytes     #iterations    BW peak[{unit}]    BW average[{unit}]   MsgRate[Mpps]"
    lines = [
        f" {size:<10d} 5000             {1.002 * rate:.2f}             {rate:.2f}\t\t   0.184"
        for size, rate in rows
    ]
    if what == "Latency":
        columns = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
        lines = [
            f" {size:<7d} 1000          {time - 0.1:.2f}         9.10         {time:.2f}  \t  {time + 0.1:.2f}  \t0.05"
            for size, time in rows
        ]
    parameters = [
        f" Dual-port       : {dual}\t\tDevice         : mlx5_3",
        f" Number of qps   : {qps}\t\tTransport type : IB",
        " Connection type : RC\t\tUsing SRQ      : OFF",
        " Mtu             : 4096[B]",
        f" Link type       : {link}",
    ]
    title = f"                    {verb} {both}{what} Test"
    return [
        *head,
        RULE,
        title,
        *parameters,
        RULE,
        " local address: LID 0x01 QPN 0x0154 PSN 0x76f7ac",
        RULE,
        columns,
        *lines,
        RULE,
    ]


def runs_of(*lines):
    """The runs of a text of these lines."""
    return read("log", "\n".join([*lines, ""]).encode())


def judged(lines, system=HDR):
    """The verdict on the only run of a log."""
    (verdict,) = judge_runs(runs_of(*lines), system)
    return verdict


@pytest.mark.parametrize(
    ("unit", "average", "bytes_per_s"),
    [("Gb/sec", 196.0, 24.5e9), ("MB/sec", 23365.0, 24.5e9), ("MiB/sec", 23365.0, 24.5e9)],
)
def test_units_of_the_table_are_told_apart(unit, average, bytes_per_s):
    """Perftest's MB is 2^20 bytes and its Gb 10^9 bits: one rate, whichever is printed."""
    (run,) = runs_of(*perftest([(65536, average)], unit=unit))

    (sample,) = run.samples
    assert (run.format, sample.operation, sample.detail) == ("perftest", "rdma_write", "mlx5_3, 1 QP")
    assert sample.size_bytes / sample.time_s == pytest.approx(bytes_per_s, rel=1e-3)


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (perftest([(65536, 196.2)]), Status.FINE),
        (perftest([(2, 0.04), (4096, 60.0), (65536, 195.8), (8388608, 196.4)]), Status.FINE),
        (perftest([(65536, 391.0)], verb="Send", both="Bidirectional "), Status.FINE),
        (perftest([(65536, 196.2)], verb="Send", both="Bidirectional "), Status.LOW),
        (perftest([(65536, 391.0)], dual="ON"), Status.FINE),
        (perftest([(65536, 782.0)], verb="Send", both="Bidirectional ", dual="ON"), Status.FINE),
        (perftest([(65536, 196.2)], dual="ON"), Status.LOW),
        (perftest([(65536, 97.9)]), Status.LOW),
        (perftest([(65536, 260.0)]), Status.IMPOSSIBLE),
        (perftest([(2, 1.9)], what="Latency"), Status.FINE),
        (perftest([(2, 31.0)], what="Latency"), Status.LOW),
        (perftest([(8 << 20, 360.0)], what="Latency"), Status.FINE),
        (perftest([(8 << 20, 900.0)], what="Latency"), Status.LOW),
        (perftest([(512, 3.0)]), Status.UNKNOWN),
    ],
)
def test_a_port_is_held_against_its_rate(lines, status):
    """Four fifths of a port's rate are fine, bidirectional or two ports twice as much; small messages tell nothing of it."""
    assert judged(lines).status is status


def test_gpu_memory_at_half_rate_points_at_the_pcie_path():
    """Host to host at full rate and GPU to GPU at half: the path between GPU and NIC, said in the table's unit."""
    head = ("initializing CUDA", "[pid = 3, dev = 0] device name = [NVIDIA A100-SXM4-80GB]")
    verdict = judged(perftest([(1 << 25, 92.4)], head=head))

    assert verdict.causes[0].reason.code == "pcie_path"
    assert headline(verdict).startswith("11.6 GB/s, mlx5_3 92.4 of 200 Gb/s (GPU memory, 1 QP): low, ")
    assert "try lspci" in headline(verdict)


def test_ibstat_beside_it_names_the_slow_port():
    """A port at 100 of 200 Gb/s is the cause where ibstat or ibstatus says so."""
    port = (
        "Infiniband device 'mlx5_3' port 1 status:",
        "\tstate:\t\t 4: ACTIVE",
        "\trate:\t\t 100 Gb/sec (4X EDR)",
    )
    verdict = judged([*port, *perftest([(65536, 96.9)])])

    assert verdict.causes[0].reason.code == "slow_port"
    assert verdict.causes[0].weight > 0.8


def test_a_port_at_its_rate_is_no_cause_of_a_slow_test_both_ways():
    """A port of 200 Gb/s carries 400 in both directions together: 196 of them do not come from a slow port."""
    port = ("CA 'mlx5_3'", "\tPort 1:", "\t\tState: Active", "\t\tRate: 200")
    verdict = judged([*port, *perftest([(65536, 196.2)], verb="Send", both="Bidirectional ")])

    assert verdict.status is Status.LOW
    assert verdict.causes[0].reason.code != "slow_port"
    assert all(not cause.lines for cause in verdict.causes if cause.reason.code == "slow_port")


@pytest.mark.parametrize(
    ("words", "network"),
    [
        ("HDR InfiniBand", "ib-hdr"),
        ("two ConnectX-7 of 400 Gb/s", "ib-ndr"),
        ("I am using EDR, that is 100Gbps", "ib-edr"),
    ],
)
def test_words_beside_it_tell_the_port(words, network):
    """Perftest does not print its port's rate: the sentence around it may."""
    match = system_of_file(runs_of(words, "", *perftest([(65536, 96.0)])))

    assert match.system is not None
    assert match.system.network == network


@pytest.mark.parametrize(
    ("words", "network"),
    [("The HDR port", "ib-hdr"), ("A NIC of 400 Gb/s", "ib-edr"), ("400 GB of RAM", "ib-edr")],
)
def test_a_generation_precedes_ibstat_which_precedes_a_number(words, network):
    """The cable's generation is what the port should do, ibstat what it does, a number in prose the least sure."""
    port = ("CA 'mlx5_3'", "\tPort 1:", "\t\tState: Active", "\t\tRate: 100")
    match = system_of_file(runs_of(words, "", *port, *perftest([(65536, 96.0)])))

    assert match.system is not None
    assert match.system.network == network


def test_without_its_port_it_asks():
    """What is half of one port is all of another: the answer asks for the network."""
    match = system_of_file(runs_of(*perftest([(65536, 96.0)])))

    assert match.system is None
    assert "name the network" in match.remark


def test_a_test_that_waits_is_no_measurement():
    """A server without a client prints its parameters and no row."""
    with pytest.raises(ParseError, match="waits for its other side"):
        runs_of(*perftest([])[:-2])


@pytest.mark.parametrize("rate", ["1e-320", "5e-324", "1e-310", "1e308"])
def test_a_rate_that_none_is_is_passed_over(rate):
    """A row whose time could not be told leaves the others."""
    row = f" 65536      5000             {rate}             {rate}\t\t   0.184"
    lines = perftest([(65536, 196.0)])
    lines.insert(-1, row)

    (run,) = runs_of(*lines)
    assert len(run.samples) == 1


def test_a_small_mtu_makes_its_cause_likelier():
    """At 110 of 200 Gb/s an MTU of 1024 bytes raises the weight of queue and MTU; one of 4096 does not."""
    weights = []
    for mtu in (4096, 1024):
        lines = [line.replace("4096[B]", f"{mtu}[B]") for line in perftest_rows("RDMA_Write", 65536, 13000)]
        lines = [line.replace("Number of qps   : 1 ", "Number of qps   : 4 ") for line in lines]
        verdict = judge_run(only(lines), HDR)
        weights.append(sum(cause.weight for cause in verdict.causes if cause.reason.code == "few_queues"))

    assert weights[0] == 0
    assert weights[1] > 0.2
