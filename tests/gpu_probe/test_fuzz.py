"""Whatever a file holds: a list of runs or one clear line, never anything else."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.measurement import Run
from core.measurement.run_json import file_json, from_json, to_json
from gpu_probe.parsers import ParseError, read
from gpu_probe.parsers.documents import mend
from gpu_probe.parsers.report import run_json
from tests.gpu_probe import formats as tools
from tests.gpu_probe.formats import text

EXAMPLES = int(os.environ.get("WIRESPEED_FUZZ", "120"))

LOGS = {
    "nccl-tests": tools.nccl_tests(),
    "nccl-tests, old": tools.nccl_tests(old=True, named=False),
    "p2p": tools.p2p(3, cannot={(0, 1)}),
    "topology": tools.topology(),
    "nvlink": tools.nvlink(),
    "nvbandwidth": tools.nvbandwidth_text(),
    "rocm-bandwidth-test": tools.rocm_bandwidth(),
    "TransferBench": tools.transferbench(),
    "bandwidthTest": tools.cuda_bandwidth(),
    "OSU": [
        "$ mpirun -np 8 ./osu_alltoall -d cuda",
        "# OSU MPI-CUDA All-to-All Personalized Exchange Latency Test v7.5",
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations",
        "1024                   22.10             21.50             23.00        1000",
        "1048576               508.22            501.00            512.00         100",
    ],
    "rccl-tests CSV": [
        "numCycle, name, nodes, ranks, ranksPerNode, gpusPerRank, size, type, redop, inPlace, time, algBw, busBw, wrong",
        "0, AllReduce, 1, 8, 8, 1, 1048576, float, sum, 0, 15.2, 68.9, 120.7, 0",
    ],
    "nvbandwidth JSON in a log": ["+ nvbandwidth -j", *tools.styled(tools.nvbandwidth_json()), "end"],
}
REPORTS = {
    "nccl-tests JSON": tools.nccl_json(env=["NCCL_ALGO=Tree"]),
    "nvbandwidth JSON": tools.nvbandwidth_json(),
    "run file": file_json(read("log", text([*tools.nccl_tests(), *tools.p2p()]))),
}
WORDS = st.sampled_from(
    [
        "nan",
        "inf",
        "-1",
        "1e999",
        "0",
        "9" * 30,
        "N/A",
        "...",
        "\u2014",
        "[0]",
        "0:",
        "NCCL INFO",
        "\x1b[31m",
        "\x00",
        "{",
        "}",
    ]
)
JUNK = WORDS | st.text(max_size=12) | st.integers().map(str) | st.floats().map(repr)


def whole(data):
    """Read, and check that what came out can be printed, kept and read again."""
    reason = ""
    try:
        runs = read("fuzz", data)
    except ParseError as error:
        reason = str(error)
        runs = []
    assert runs or (reason and "\n" not in reason)
    for run in runs:
        assert isinstance(run, Run)
        json.dumps(run_json(run), allow_nan=False)
        assert from_json(json.loads(json.dumps(to_json(run), allow_nan=False))) == run
    return runs


@st.composite
def spoiled(draw, lines):
    """A log with lines lost, doubled, swapped, cut, joined, and words replaced."""
    lines = list(lines)
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(lines) - 1)) if lines else 0
        what = draw(st.integers(0, 6))
        if not lines:
            break
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, lines[draw(st.integers(0, len(lines) - 1))])
        elif what == 2:
            words = lines[at].split(" ")
            words[draw(st.integers(0, len(words) - 1))] = draw(JUNK)
            lines[at] = " ".join(words)
        elif what == 3:
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
        elif what == 4:
            lines.insert(at, draw(JUNK))
        elif what == 5:
            lines[at] += draw(JUNK)
        else:
            lines[at : at + 2] = ["".join(lines[at : at + 2])]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("lines", LOGS.values(), ids=LOGS)
def test_a_spoiled_log_is_runs_or_one_line(lines):
    """A log of each tool, damaged at random, never raises anything but a ParseError."""

    @settings(max_examples=EXAMPLES)
    @given(data=spoiled(lines))
    def check(data):
        whole(data)

    check()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("nan"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(value, path=()):
    """The paths of all values inside a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_a_spoiled_report_is_runs_or_one_line(report):
    """A JSON report with any of its values replaced, or cut anywhere, is read or refused."""
    paths = list(places(report))
    flat = json.dumps(report)

    @settings(max_examples=EXAMPLES)
    @given(path=st.sampled_from(paths), value=VALUES, cut=st.none() | st.integers(0, len(flat)))
    def check(path, value, cut):
        copy = json.loads(flat)
        if path:
            inner = copy
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
        else:
            copy = value
        whole(json.dumps(copy).encode()[:cut])

    check()


@settings(max_examples=EXAMPLES)
@given(data=st.binary(max_size=300) | st.text(max_size=300).map(lambda s: s.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_runs_or_one_line(data):
    """Bytes of no tool are refused in one line."""
    whole(data)


@settings(max_examples=EXAMPLES)
@given(cut=st.integers(1, 10_000))
def test_a_mended_text_is_json(cut):
    """A report cut anywhere is closed to valid JSON, or given up."""
    flat = json.dumps(tools.nccl_json())
    mended = mend(flat[: cut % len(flat)])

    assert not mended or isinstance(json.loads(mended), dict)


@pytest.mark.parametrize("lines", [LOGS["nccl-tests"], LOGS["p2p"], LOGS["topology"], LOGS["nvlink"]])
def test_noise_between_lines_loses_nothing(lines):
    """NCCL's own lines anywhere between a tool's lines change no sample and no matrix."""
    plain = read("log", text(lines))

    @settings(max_examples=30)
    @given(every=st.integers(1, 7))
    def check(every):
        noisy = []
        for i, line in enumerate(lines):
            noisy.append(line)
            if i % every == 0:
                noisy.append("node1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM")
        runs = read("log", text(noisy))
        assert [run.samples for run in runs] == [run.samples for run in plain]
        assert [run.matrices for run in runs] == [run.matrices for run in plain]

    check()
