"""The run file: what is written is read back, and nothing else gets in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.measurement import (
    COLLECTIVES_MEASURED,
    FORMATS,
    GpuCount,
    Machine,
    Matrix,
    Notice,
    Run,
    Sample,
)
from core.measurement.bus_factor import bus_factor
from core.measurement.run_json import file_json, from_json, runs_from_json, to_json
from tests.each import table

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
TIMES = st.floats(0, 1e9)
COUNTS = st.integers(0, 10**6)
MAYBE = st.none() | TIMES
SAMPLES = st.builds(
    Sample,
    operation=st.sampled_from([None, "all_reduce", "p2p_copy"]),
    size_bytes=st.integers(0, 10**18),
    time_s=TIMES,
    placement=st.sampled_from([None, "out-of-place", "in-place"]),
    wrong=st.none() | COUNTS,
    reported_algbw_bytes_per_s=MAYBE,
    low_s=MAYBE,
    detail=st.none() | TEXTS,
)
MACHINES = st.builds(
    Machine,
    gpus=st.lists(st.builds(GpuCount, TEXTS, COUNTS), max_size=3).map(tuple),
    hosts=st.lists(TEXTS, max_size=3).map(tuple),
    driver=st.none() | TEXTS,
    env=st.dictionaries(st.sampled_from(["NCCL_ALGO", "NCCL_P2P_LEVEL"]), TEXTS),
)


@st.composite
def matrices(draw):
    rows, columns = draw(st.lists(TEXTS, max_size=3)), draw(st.lists(TEXTS, max_size=3))
    cell = st.none() | TIMES | TEXTS
    values = tuple(tuple(draw(cell) for _ in columns) for _ in rows)
    kind = draw(st.sampled_from(["bandwidth", "topology"]))
    return Matrix(
        draw(TEXTS),
        kind,
        None,
        draw(st.sampled_from([None, True, False])),
        tuple(rows),
        tuple(columns),
        values,
    )


RUNS = st.builds(
    Run,
    file=TEXTS,
    format=st.sampled_from(FORMATS),
    collective=st.sampled_from([None, *COLLECTIVES_MEASURED]),
    ranks=st.none() | COUNTS,
    machine=MACHINES,
    samples=st.lists(SAMPLES, max_size=4).map(tuple),
    matrices=st.lists(matrices(), max_size=2).map(tuple),
    warnings=st.lists(st.builds(Notice, st.just("note"), TEXTS, st.none() | COUNTS), max_size=2).map(tuple),
    dtype=st.none() | TEXTS,
    collective_guess=st.sampled_from([None, "all_reduce"]),
    origin=st.sampled_from([None, "gpu", "cpu"]),
)


@given(run=RUNS)
def test_a_run_survives_the_way_through_json(run):
    """Whatever a run holds, its file holds too."""
    assert from_json(json.loads(json.dumps(to_json(run), allow_nan=False))) == run


@given(runs=st.lists(RUNS, max_size=3))
def test_a_file_is_a_list_of_runs(runs):
    """A run file keeps all its runs in order."""
    assert runs_from_json(json.loads(json.dumps(file_json(runs)))) == runs


GOOD = {"format_version": 1, "file": "a", "format": "wirespeed-run"}


@table(
    ("change", "named"),
    [
        ({"format_version": 2}, "format_version"),
        ({"format_version": True}, "format_version"),
        ({"colour": 1}, "run.colour"),
        ({"format": "excel"}, "run.format"),
        ({"collective": "shuffle"}, "run.collective"),
        ({"ranks": -1}, "run.ranks"),
        ({"ranks": True}, "run.ranks"),
        ({"samples": {}}, "run.samples"),
        ({"samples": [{"size_bytes": 8}]}, "run.samples[0].time_s"),
        ({"samples": [{"size_bytes": 8, "time_s": float("nan")}]}, "run.samples[0].time_s"),
        ({"samples": [{"size_bytes": 8.5, "time_s": 1}]}, "run.samples[0].size_bytes"),
        ({"samples": [{"size_bytes": 8, "time_s": 1, "operation": "DROP TABLE"}]}, "operation"),
        (
            {"matrices": [{"name": "m", "kind": "links", "rows": ["0"], "columns": [], "values": []}]},
            "values",
        ),
        ({"file": "\ud800"}, "run.file"),
        ({"file": "x" * 3000}, "run.file"),
        ({"warnings": [{"code": "a"}]}, "message"),
        ({"observations": [{"kind": "path", "value": " "}]}, "run.observations[0].value"),
    ],
)
def test_what_a_run_cannot_hold_is_refused_by_name(change, named):
    """A file made by hand that is wrong gets one line that names the wrong key."""
    with pytest.raises(InputError) as caught:
        from_json(GOOD | change)

    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_secrets_of_an_environment_are_dropped():
    """Of a process environment only NCCL's own settings are kept."""
    env = {"NCCL_ALGO": "ring", "AWS_SECRET_ACCESS_KEY": "x", "PATH": "/bin", "XNCCL_ALGO": "1"}

    assert from_json(GOOD | {"machine": {"env": env}}).machine.env == {"NCCL_ALGO": "ring"}


@table(
    ("collective", "ranks", "factor"),
    [
        ("all_reduce", 16, 1.875),
        ("all_gather", 4, 0.75),
        ("all_to_all", 8, 0.875),
        ("scatter", 2, 0.5),
        ("broadcast", 8, 1.0),
        ("send_recv", 2, 1.0),
        ("all_reduce", 1, None),
        ("all_reduce", None, None),
        (None, 8, None),
    ],
)
def test_bus_factors_are_those_of_nccl_tests(collective, ranks, factor):
    """doc/PERFORMANCE.md of nccl-tests gives these factors."""
    assert bus_factor(collective, ranks) == factor


def test_a_number_beyond_any_float_is_refused():
    """A reported rate of four hundred digits is bad input, not a crash."""
    sample = Sample("all_reduce", 8, time_s=1.0, reported_busbw_bytes_per_s=1.0)
    run = file_json([Run("a.log", "nccl-tests-text", "all_reduce", 2, Machine(), (sample,))])
    text = json.dumps(run).replace(
        '"reported_busbw_bytes_per_s": 1.0', f'"reported_busbw_bytes_per_s": {10**400}'
    )

    with pytest.raises(InputError, match="reported_busbw_bytes_per_s"):
        runs_from_json(json.loads(text))
