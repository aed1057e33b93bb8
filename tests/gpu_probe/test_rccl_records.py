"""rccl-tests' own records (``-Z json``, ``-Z csv``): the same runs as its table."""

import json

import pytest

from gpu_probe.parsers import ParseError, read
from tests.gpu_probe.formats import FACTORS, text

KEYS = [
    "numCycle",
    "name",
    "nodes",
    "ranks",
    "ranksPerNode",
    "gpusPerRank",
    "size",
    "type",
    "redop",
    "inPlace",
    "time",
    "algBw",
    "busBw",
    "wrong",
]


def record(size, in_place, *, name="AllReduce", ranks=8, each=1, cycle=0, wrong="0", nodes=1):
    """One record as rccl-tests writes it: six decimals, wrong values as text."""
    gpus = ranks * each
    time_us = 10 + size / 200e3
    algbw = size / time_us / 1e3
    factor = FACTORS[{"AllReduce": "all_reduce", "AllGather": "all_gather"}[name]](gpus)
    values = (cycle, name, nodes, ranks, ranks // nodes, each, size, "float", "sum", in_place)
    return dict(
        zip(KEYS, (*values, round(time_us, 6), round(algbw, 6), round(algbw * factor, 6), wrong), strict=True)
    )


def written(records, form):
    """Records as a file of this form."""
    if form == "json":
        return text(["[", ",\n".join(json.dumps(entry) for entry in records), "]"])
    return text([", ".join(KEYS), *(", ".join(str(cell) for cell in entry.values()) for entry in records)])


SWEEP = [record(1 << power, place) for power in range(20, 31, 5) for place in (0, 1)]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_records_are_a_run(form):
    """Each record is a sample with its placement; the run has the collective and the ranks of its records."""
    (run,) = read("log", written(SWEEP, form))

    assert (run.format, run.collective, run.ranks) == (f"rccl-tests-{form}", "all_reduce", 8)
    assert [(s.size_bytes, s.placement, s.wrong) for s in run.samples[:2]] == [
        (1 << 20, "out-of-place", 0),
        (1 << 20, "in-place", 0),
    ]
    assert run.samples[-1].time_s == pytest.approx(SWEEP[-1]["time"] * 1e-6)
    assert not run.warnings


@pytest.mark.parametrize("form", ["json", "csv"])
def test_cycles_and_collectives_are_runs_of_their_own(form):
    """Another collective or cycle begins another run; ranks that drive several GPUs count those."""
    records = [
        *SWEEP,
        record(1 << 20, 0, cycle=1),
        record(1 << 20, 0, name="AllGather", ranks=2, each=4, nodes=2),
    ]
    runs = read("log", written(records, form))

    assert [(run.collective, run.ranks, len(run.samples)) for run in runs] == [
        ("all_reduce", 8, 6),
        ("all_reduce", 8, 1),
        ("all_gather", 8, 1),
    ]
    assert [(item.kind, item.value) for item in runs[2].observations] == [("nodes", "2")]


def test_wrong_values_and_none_checked():
    """Wrong values are kept, N/A is none checked."""
    (run,) = read("log", written([record(8, 0, wrong="3"), record(8, 1, wrong="N/A")], "json"))
    assert [sample.wrong for sample in run.samples] == [3, None]


def test_a_header_alone_is_told():
    """A file that holds no record says what it is."""
    with pytest.raises(ParseError, match="rccl-tests' records"):
        read("log", written([], "csv"))
