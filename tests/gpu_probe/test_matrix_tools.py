"""The tools that print matrices, and the JSON reports."""

import json

import pytest

from core.measurement.run_json import file_json, to_json
from gpu_probe.parsers import ParseError, read
from gpu_probe.parsers.report import run_json
from tests.each import table
from tests.gpu_probe import formats as tools
from tests.gpu_probe.formats import codes, text


def only(data):
    (run,) = read("log", data if isinstance(data, bytes) else text(data))
    return run


def test_p2p_bandwidth_and_latency():
    """Direction, peer access and unit of each matrix come from its title."""
    run = only(tools.p2p())
    facts = [(m.name, m.kind, m.direction, m.peer_access) for m in run.matrices]

    assert facts == [
        ("Unidirectional P2P=Disabled Bandwidth", "bandwidth", "one_way", False),
        ("Unidirectional P2P=Enabled Bandwidth (P2P Writes)", "bandwidth", "one_way", True),
        ("Bidirectional P2P=Enabled Bandwidth", "bandwidth", "both_ways", True),
        ("P2P=Enabled Latency (P2P Writes) (GPU)", "latency", None, True),
        ("P2P=Enabled Latency (P2P Writes) (CPU)", "latency", None, True),
    ]
    assert run.matrices[1].values[0][1] == pytest.approx(270e9)
    assert run.machine.gpus[0].count == 4


def test_enabled_without_access_is_staged():
    """``P2P=Enabled`` between GPUs that cannot reach each other is a copy through the host."""
    run = only(tools.p2p(cannot={(0, 1), (1, 0)}))

    assert {m.peer_access for m in run.matrices} == {False}
    assert codes(run) == ["staged_copies"]
    assert "0-1, 1-0" in run.warnings[0].message


@pytest.mark.parametrize("prefix", ["# ", "[1,0]<stdout>:", "0: ", "    "])
def test_p2p_behind_prefixes(prefix):
    """A commented or launched matrix is the same matrix."""
    assert only([prefix + line for line in tools.p2p()]).matrices == only(tools.p2p()).matrices


def test_two_p2p_tests_are_two_runs():
    """A title that comes again begins another execution."""
    runs = read("log", text([*tools.p2p(), *tools.p2p(2)]))

    assert [len(run.matrices[0].rows) for run in runs] == [4, 2]


def test_elided_rows_are_told():
    """Dots instead of rows leave a matrix with fewer rows, and a warning."""
    lines = [
        "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)",
        "   D\\D     0      1      2      3",
    ]
    run = only([*lines, "     0 1000.0 270.1 270.2 270.3", "     ..."])

    assert len(run.matrices[0].rows) == 1
    assert codes(run) == ["truncated"]


@pytest.mark.parametrize("tabs", [False, True])
@pytest.mark.parametrize("legend", [False, True])
def test_topology(tabs, legend):
    """Tabs or blanks, legend or not: the words between devices are the same."""
    run = only(tools.topology(tabs=tabs, legend=legend))
    (matrix,) = run.matrices

    assert (run.format, matrix.kind, matrix.rows) == ("topo-m", "topology", matrix.columns)
    assert matrix.columns == ("GPU0", "GPU1", "GPU2", "GPU3", "NIC0", "NIC1")
    assert matrix.values[0] == ("X", "NV12", "NV12", "NV12", "SYS", "SYS")
    assert run.warnings == ()


def test_topology_cut_off():
    """A matrix cut after two rows and a half keeps them and says so."""
    lines = tools.topology(rows=3, legend=False)
    lines[-1] = lines[-1][:12]
    run = only(lines)

    assert run.matrices[0].rows == ("GPU0", "GPU1", "GPU2")
    assert run.matrices[0].values[2] == ("NV12", None, None, None, None, None)
    assert codes(run) == ["truncated"]


@pytest.mark.parametrize("path", ["PIX", "PXB", "PHB", "NODE", "SYS", "NV2", "NV18"])
def test_all_words_of_a_topology(path):
    """Every kind of path is kept as its word."""
    assert only(tools.topology(path=path)).matrices[0].values[0][1] == path


def test_peer_status_is_no_topology():
    """``topo -p2p`` says which pairs may talk: one pair that may not is no peer access."""
    good = ["$ nvidia-smi topo -p2p r", "        GPU0    GPU1", " GPU0   X       OK", " GPU1   OK      X"]
    bad = [line.replace("OK", "CNS") for line in good]

    assert [(m.name, m.peer_access) for m in only(good).matrices] == [("topo -p2p r", True)]
    assert [(m.name, m.peer_access) for m in only(bad).matrices] == [("topo -p2p r", False)]


def test_nvlink_states():
    """Links of each GPU with their unidirectional rate; a dead one is empty and told; no UUID is kept."""
    run = only(tools.nvlink(inactive={(1, 3)}))
    (matrix,) = run.matrices

    assert (run.format, matrix.kind, matrix.direction) == ("nvlink-s", "links", "one_way")
    assert matrix.values[0] == pytest.approx((25.781e9,) * 6)
    assert matrix.values[1][3] is None
    assert codes(run) == ["links_inactive"]
    assert "GPU-" not in json.dumps(to_json(run))


def test_elided_links_are_told():
    """A document that leaves links out is read as far as it goes."""
    lines = ["GPU 0: NVIDIA H100 80GB HBM3", "\t Link 0: 26.562 GB/s", "\t ...", "\t Link 17: 26.562 GB/s"]
    run = only(lines)

    assert run.matrices[0].columns == ("Link 0", "Link 17")
    assert codes(run) == ["truncated"]


@pytest.mark.parametrize("nic", ["NIC0", "mlx5_0", "mlx4_bond_0", "bnxt_re0", "ibp24s0", "rdmap79s0"])
def test_network_cards_of_all_names(nic):
    """What stands between the GPUs and the affinity columns is a network card."""
    lines = [
        line.replace("NIC0", f"{nic:4}").replace("NIC1", "other7")
        for line in tools.topology(tabs=True, legend=False)
    ]

    assert only(lines).matrices[0].columns[4:] == (nic, "other7")


def test_older_two_way_copies_between_gpus_count_one_stream():
    """Before it printed totals, nvbandwidth timed one of the two streams."""
    lines = [
        "Running device_to_device_bidirectional_memcpy_read_ce.",
        "memcpy CE GPU(row) <-> GPU(column) bandwidth (GB/s)",
        "          0         1",
        "0       N/A    170.54",
        "1    170.54       N/A",
    ]

    assert codes(only(lines)) == ["one_stream_of_two"]


def test_a_list_of_gpus_is_no_link():
    """``nvidia-smi -L`` looks alike and holds nothing."""
    with pytest.raises(ParseError, match="no NVLink"):
        read("log", text(line for line in tools.nvlink() if "Link" not in line))


@pytest.mark.parametrize("kind", ["text", "json"])
def test_nvbandwidth(kind):
    """Text and JSON of nvbandwidth give the same matrices in the same units."""
    data = text(tools.nvbandwidth_text()) if kind == "text" else json.dumps(tools.nvbandwidth_json()).encode()
    run = only(data)
    facts = [(m.name, m.kind, m.direction, len(m.rows)) for m in run.matrices]

    assert run.format == f"nvbandwidth-{kind}"
    assert facts == [
        ("host_to_device_memcpy_ce", "bandwidth", "one_way", 1),
        ("device_to_device_bidirectional_memcpy_read_ce read1", "bandwidth", "one_way", 2),
        ("device_to_device_bidirectional_memcpy_read_ce read2", "bandwidth", "one_way", 2),
        ("device_to_device_bidirectional_memcpy_read_ce total", "bandwidth", "both_ways", 2),
        ("host_device_latency_sm", "latency", None, 1),
    ]
    assert run.matrices[0].values[0][0] == pytest.approx(55.1e9)
    assert run.matrices[4].values[0][0] == pytest.approx(6e-7, rel=0.5)
    assert run.matrices[1].values[0][0] is None
    assert (run.machine.driver, run.machine.cuda, run.tool_version) == ("570.86.16", "12.8", "v0.8")
    assert [(g.name, g.count) for g in run.machine.gpus] == [("NVIDIA H100 80GB HBM3", 2)]
    assert codes(run) == (["waived"] if kind == "text" else ["waived", "tool_error"])


def test_two_way_host_copies_count_one_direction():
    """Nvbandwidth times one stream while the other runs: that is said."""
    report = tools.nvbandwidth_json()
    report["nvbandwidth"]["testcases"][0]["name"] = "host_to_device_bidirectional_memcpy_ce"
    run = only(json.dumps(report).encode())

    assert run.matrices[0].direction == "both_ways"
    assert "one_stream_of_two" in codes(run)


@pytest.mark.parametrize("prefix", ["", "0: ", "[1,0]<stdout>:"])
def test_nvbandwidth_json_inside_a_log(prefix):
    """A report printed under a launcher is cut out of the log."""
    lines = ["+ srun ./nvbandwidth -j", *tools.styled(tools.nvbandwidth_json()), "done"]
    run = only([prefix + line for line in lines])

    assert run.format == "nvbandwidth-json"
    assert len(run.matrices) == 5


def test_nvbandwidth_json_cut_short():
    """Of a report without its end the complete cases are kept."""
    whole = json.dumps(tools.nvbandwidth_json())
    run = only(whole[: whole.index("host_device_latency_sm")].encode())

    assert len(run.matrices) == 4
    assert "truncated" in codes(run)


def test_nvbandwidth_that_failed():
    """A report with nothing but errors says what nvbandwidth said."""
    report = {"nvbandwidth": {"error": "CUDA_ERROR_SYSTEM_NOT_READY", "testcases": []}}

    with pytest.raises(ParseError, match="CUDA_ERROR_SYSTEM_NOT_READY"):
        read("log", json.dumps(report).encode())


@table("version", [1, 2, 3])
@table("name", ["all_reduce", "alltoall", "sendrecv"])
def test_nccl_json(name, version):
    """All versions of the report give rows, ranks and collective."""
    run = only(json.dumps(tools.nccl_json(name, version=version)).encode())

    assert (run.format, run.ranks, len(run.samples)) == ("nccl-tests-json", 8, 2 * len(tools.SIZES))
    assert run.collective == {"alltoall": "all_to_all", "sendrecv": "send_recv"}.get(name, name)
    assert run.machine.nccl == "2.29.2"
    assert run.started_at == "2026-01-02 03:04:05"
    assert run.warnings == ()


def test_nccl_json_lists_one_device_a_process():
    """A process with four GPUs lists only its first: ranks follow from the settings."""
    run = only(json.dumps(tools.nccl_json(ranks=16, per_process=4)).encode())

    assert run.ranks == 16
    assert run.machine.gpus[0].count == 16


def test_secrets_of_an_environment_never_get_in():
    """Of the dumped process environment only NCCL's settings are kept."""
    env = ["NCCL_ALGO=Tree", "AWS_SECRET_ACCESS_KEY=hush", "HOME=/root", "MY_NCCL_TOKEN=hush"]
    run = only(json.dumps(tools.nccl_json(env=env)).encode())

    assert run.machine.env == {"NCCL_ALGO": "Tree"}
    assert "hush" not in json.dumps([to_json(run), run_json(run)])


def test_nccl_json_with_null_nan_and_wrong():
    """An absent placement, NaN as a text and wrong results are what they are."""
    report = tools.nccl_json()
    report["results"][0]["out_of_place"] = None
    report["results"][1]["in_place"]["bus_bw"] = "nan"
    report["results"][2]["in_place"]["nwrong"] = 17.0
    report["results"][3]["in_place"]["nwrong"] = None
    run = only(json.dumps(report).encode())

    assert len(run.samples) == 2 * len(tools.SIZES) - 1
    assert run.samples[2].reported_busbw_bytes_per_s is None
    assert [s.wrong for s in run.samples if s.placement == "in-place"] == [0, 0, 17, None]
    assert codes(run) == ["wrong_results"]


@pytest.mark.parametrize("keep", [0.5, 0.8, 0.97])
def test_nccl_json_cut_short(keep):
    """A report that was cut keeps its complete results and says so."""
    whole = json.dumps(tools.nccl_json(sizes=tuple(2**n for n in range(10, 30))))
    run = only(whole[: int(len(whole) * keep)].encode())

    assert 0 < len(run.samples) < 40
    assert "truncated" in codes(run)


def test_nccl_json_cut_before_its_results():
    """A report that ends within the environment says that there are no results."""
    whole = json.dumps(tools.nccl_json(env=["A=1"]))

    with pytest.raises(ParseError):
        read("log", whole[: whole.index('"env"') + 12].encode())


@pytest.mark.parametrize("between", ["\n", "", " \n\n"])
def test_reports_one_after_the_other(between):
    """A tool that appends its reports to one file gives a run for each, the last one cut or not."""
    reports = [json.dumps(tools.nccl_json(name)) for name in ("all_reduce", "alltoall")]
    whole = read("log", between.join(reports).encode())
    cut = read("log", between.join(reports)[:-400].encode())

    assert [run.collective for run in whole] == ["all_reduce", "all_to_all"]
    assert [codes(run) for run in cut] == [[], ["truncated"]]


def test_a_run_file_is_read_as_it_was_written():
    """What the store exports or the probe writes comes back equal."""
    runs = [only(tools.p2p()), only(tools.nccl_tests()), only(tools.topology())]

    assert read("other name", json.dumps(file_json(runs)).encode()) == runs
    assert read("one alone", json.dumps(to_json(runs[0])).encode()) == runs[:1]


@table(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"  \n\n ", "empty"),
        (b"\x00\x01\x02binary", "not a text file"),
        (b'{"format_version": 2, "runs": []}', "format_version"),
        (b'{"format_version": 1, "runs": []}', "without runs"),
        (b'{"hello": 1}', "JSON of no known tool"),
        (b'{"hello": ', "not valid JSON"),
        (b"[{}, {}]", "JSON of no known tool"),
        (b"\x1f\x8b\x08\x00", "unpack it"),
        (b"hello world", "begins 'hello world'"),
        (b"bash: all_reduce_perf: command not found", "command not found"),
        (b"1024 256 float sum -1 1.0 1.0 1.0 0", "without the header line"),
    ],
)
def test_what_is_no_measurement_says_so(data, reason):
    """Anything else is refused in one clear line."""
    with pytest.raises(ParseError, match=reason):
        read("log", data)


def test_a_file_of_several_tools():
    """Each block of a file goes to exactly one reader, in the order of the file."""
    lines = [
        *tools.topology(),
        "$ nvidia-smi nvlink -s",
        *tools.nvlink(),
        *tools.nccl_tests(),
        *tools.p2p(),
        *tools.nvbandwidth_text(),
        *tools.nccl_tests("alltoall"),
    ]
    formats = [run.format for run in read("log", text(lines))]

    assert formats == [
        "topo-m",
        "nvlink-s",
        "nccl-tests-text",
        "p2p-bandwidth-latency-test",
        "nvbandwidth-text",
        "nccl-tests-text",
    ]


def test_json_speaks_the_tools_units():
    """Microseconds and GB/s outside, with the contract's keys."""
    sample = run_json(only(tools.nccl_tests()))["samples"][-2]
    size, time_us = 1073741824, tools.time_us(1073741824)

    assert list(sample) == [
        "operation",
        "size_bytes",
        "time_us",
        "placement",
        "algbw_GBps",
        "busbw_GBps",
        "wrong",
    ]
    assert sample["time_us"] == pytest.approx(time_us, abs=0.01)
    assert sample["algbw_GBps"] == pytest.approx(size / time_us / 1e3, rel=1e-4)
    assert sample["busbw_GBps"] == pytest.approx(size / time_us / 1e3 * 1.75, rel=1e-4)
    matrix = run_json(only(tools.p2p()))["matrices"][3]
    assert (matrix["unit"], matrix["values"][0][1]) == ("us", 2.0)
