"""iperf and iperf3: what their rows tell of TCP between two hosts, and what the words beside them tell of the port."""

import pytest

from core.units import GIGABIT_BYTES
from core.verdict import judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from tests.each import table

PORT = "Two hosts with 100G NICs."
HEADER = "[ ID] Interval           Transfer     Bitrate         Retr"
RULE = "- - - - - - - - - - - - - - - - - - - - - - - - -"


def told(lines):
    """Gb/s and detail of each test of a paste."""
    runs = read("paste.log", "\n".join(lines).encode())
    samples = [run.samples[0] for run in runs]
    return [(round(item.size_bytes / item.time_s / GIGABIT_BYTES, 2), item.detail) for item in samples]


@table(
    ("lines", "tests"),
    [
        (("[SUM]  0.0-30.0 sec    337 GBytes  96.4 Gbits/sec",), [(96.4, "the NIC, TCP")]),
        ((HEADER, "[  5]   0.00-10.00  sec  10.9 GBytes  9.37 Gbits/sec    0             sender", "[  5]   0.00-10.04  sec  10.9 GBytes  9.33 Gbits/sec                  receiver"), [(9.33, "the NIC, TCP, 1 stream")]),
        ((HEADER, "[  5]   0.00-1.00   sec  1.05 GBytes  9.00 Gbits/sec    0", "[  5]   1.00-2.00   sec  1.16 GBytes  10.0 Gbits/sec    0", RULE, "[  5]   0.00-2.00   sec  2.21 GBytes  9.50 Gbits/sec                  receiver"), [(9.5, "the NIC, TCP, 1 stream")]),
        (("[  3]  0.0-10.0 sec  1.10 GBytes   940 Mbits/sec", "[  3]  0.0- 1.0 sec   100 MBytes   839 Mbits/sec"), [(0.94, "the NIC, TCP, 1 stream")]),
        (("[  3]  0.0-10.0 sec  1.00 GBytes   900 Mbits/sec", "[  4]  0.0-10.0 sec  1.00 GBytes   800 Mbits/sec"), [(1.7, "the NIC, TCP, 2 streams")]),
        (("iperf:", "[SUM]  0.0-30.0 sec    337 GBytes  96.4 Gbits/sec", "then iperf3:", "[SUM]   0.00-30.00  sec   123 GBytes  35.2 Gbits/sec                  receiver"), [(96.4, "the NIC, TCP"), (35.2, "the NIC, TCP")]),
        ((HEADER, "[  5]   0.00-10.00  sec  1.16 GBytes   998 Mbits/sec  0.012 ms  3/857013 (0%)  receiver"), [(1.0, "the NIC, UDP, 1 stream")]),
    ],
)  # fmt: skip
def test_rows(lines, tests):
    """The longest interval counts, received before sent, all streams together; other lines end a test."""
    assert told(lines) == tests


@table(
    ("words", "rate", "verdict", "reason"),
    [
        (PORT, "96.4", "fine", "as_expected"),
        (PORT, "35.2", "low", "few_queues"),
        ("Two hosts on a 40Gb network.", "4.18", "low", "few_queues"),
        ("Two hosts with 25GbE NICs.", "23.4", "fine", "as_expected"),
    ],
)
def test_the_port_that_words_name_judges_it(words, rate, verdict, reason):
    """TCP is measured by its port, be it slower than those of the catalog; few streams are the first cause."""
    runs = read("paste.log", f"{words}\n\n[SUM]  0.0-30.0 sec    100 GBytes  {rate} Gbits/sec".encode())
    (found,) = judge_runs(runs, system_of_file(runs).system)

    assert (found.status.value, found.reason.code) == (verdict, reason)


@table(
    "rows",
    [
        "[  5]   0.00-10.00  sec  1.16 GBytes  998 Mbits/sec  0.012 ms  3/857013 (0%)  receiver",
        "iperf3 -u gives 1.05 Mbits/sec.",
        "iperf with UDP reaches 1.05 Mbits/sec.",
    ],
)
def test_udp_sends_what_it_is_asked_for(rows):
    """UDP far below the port is first of all the rate that the command asks for, in rows and in words."""
    runs = read("paste.log", f"{PORT}\n{HEADER if 'receiver' in rows else ''}\n{rows}".encode())
    (found,) = judge_runs(runs, system_of_file(runs).system)

    assert found.causes[0].reason.short == "the rate of -b"


@table(
    ("line", "tests"),
    [
        ("Connecting to host 127.0.0.1, port 5201", []),
        ("$ iperf3 -c localhost -t 10", []),
        ("[  5] local ::1 port 40000 connected to ::1 port 5201", []),
        ("Connecting to host 10.0.0.127, port 5201", [(39.5, "the NIC, TCP, 1 stream")]),
    ],
)
def test_a_host_with_itself(line, tests):
    """What a host sends to itself crosses no NIC, so that no port is judged by it."""
    lines = (PORT, line, HEADER, "[  5]   0.00-10.00  sec  46 GBytes  39.5 Gbits/sec   receiver")
    if tests:
        assert told(lines) == tests
        return
    with pytest.raises(ParseError, match="iperf of a host with itself"):
        told(lines)


def test_a_test_without_traffic():
    """Rows of nothing are no measurement."""
    with pytest.raises(ParseError):
        read("paste.log", b"[SUM]  0.0-30.0 sec  0.00 Bytes  0.00 bits/sec")
