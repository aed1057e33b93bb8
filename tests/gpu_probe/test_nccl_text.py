"""nccl-tests text and every way in which real logs spoil it."""

import pytest

from gpu_probe.parsers import read
from tests.each import table
from tests.gpu_probe.formats import SIZES, codes, nccl_tests, new_table, old_table, only, rank_lines, text

PREFIXES = {
    "mpirun": lambda _, line: f"[1,0]<stdout>:{line}",
    "mpirun with space": lambda _, line: f"[1,0]<stdout>: {line}",
    "srun": lambda _, line: f"0: {line}",
    "srun padded": lambda _, line: f"  0: {line}",
    "bare rank": lambda _, line: f"[0] {line}",
    "torchrun": lambda _, line: f"[default0]: {line}",
    "docker compose": lambda _, line: f"nccl-test_1  | {line}",
    "kubectl": lambda _, line: f"[pod/launcher-x7/main] {line}",
    "time stamps": lambda i, line: f"2026-01-02T03:04:{i % 60:02d}.123456789Z {line}",
    "quoted": lambda _, line: f"> {line}",
    "indented": lambda _, line: f"        {line}",
    "pdsh": lambda _, line: f"node-17: {line}",
    "colours": lambda _, line: f"\x1b[32m{line}\x1b[0m",
    "skypilot": lambda _, line: f"(head, rank=0, pid=3808) [1,0]<stdout>:{line}",
    "ray": lambda _, line: f"(worker pid=17, ip=10.0.0.1) {line}",
    "a logger": lambda _, line: f"2026-01-02 03:04:05,678 INFO {line}",
    "host and rank": lambda _, line: f"[node1:rank0]: {line}",
    "two at once": lambda _, line: f"2026-01-02T03:04:05Z [1,0]<stdout>:{line}",
    "carriage returns": lambda _, line: f"{line}\r",
}


@pytest.mark.parametrize("old", [False, True], ids=["with root and #wrong", "with error"])
@pytest.mark.parametrize("name", ["all_reduce", "reduce_scatter"])
def test_columns_follow_the_header(name, old):
    """Old tables have no root column: nothing slips by one column into 100,000 GB/s."""
    run = only(nccl_tests(name, old=old))

    assert (run.collective, run.ranks) == (name, 8)
    assert [s.size_bytes for s in run.samples] == [size for size in SIZES for _ in range(2)]
    assert max(s.size_bytes / s.time_s for s in run.samples) < 250e9
    assert {s.wrong for s in run.samples} == ({None} if old else {0})
    assert run.warnings == ()


@table("prefix", PREFIXES.values(), ids=PREFIXES)
def test_launcher_prefixes_change_nothing(prefix):
    """What a launcher puts before each line is no part of the measurement."""
    lines = nccl_tests()
    plain = only(lines)
    run = only([prefix(i, line) for i, line in enumerate(lines)])

    assert (run.samples, run.ranks, run.machine) == (plain.samples, plain.ranks, plain.machine)


@pytest.mark.parametrize("label", ["[1,0]<stdout>:", "0:", "[0]", "3:"])
def test_a_rank_label_between_columns_is_cut_out(label):
    """Mpirun flushes a row in three parts and labels each of them, glued to the root column."""
    plain = only(nccl_tests())
    lines = []
    for line in nccl_tests():
        row = line.replace(" -1  ", f" -1{label}  ", 1) if " float " in line else line
        lines.append(f"{label} {row}")

    assert only(lines).samples == plain.samples


@pytest.mark.parametrize("pieces", [1, 2])
def test_a_row_torn_by_nccl_output_is_joined(pieces):
    """NCCL INFO in the middle of a row, even twice, loses no row."""
    plain = only(nccl_tests())
    lines = []
    for line in nccl_tests():
        words = line.split()
        if len(words) == 13 and words[0] == "1048576":
            cut = line.index("-1") + 2
            rest = line[cut:]
            lines.append(line[:cut] + "node1:17:42 [0] NCCL INFO Channel 00/0 : 7[3] -> 0[0] via NET/IB/2")
            lines.append("node1:17:42 [0] NCCL INFO Connected all rings")
            if pieces == 2:
                half = len(rest) // 2
                half = rest.index(" ", half)
                lines.append(rest[:half] + " node1:17:42 [0] NCCL INFO Connected all trees")
                rest = rest[half:]
            lines.append(rest)
        else:
            lines.append(line)

    assert only(lines).samples == plain.samples


def test_a_row_torn_between_its_halves_is_joined():
    """Torn after the out-of-place figures, a row does not lose the others."""
    lines = []
    for line in nccl_tests():
        words = line.split()
        if len(words) == 13 and words[0].isdigit():
            lines += [
                " ".join(words[:9]) + " node1:17:42 [0] NCCL INFO Using network IB",
                " ".join(words[9:]),
            ]
        else:
            lines.append(line)

    assert only(lines).samples == only(nccl_tests()).samples


def test_a_row_cut_at_the_end_is_dropped_with_a_word():
    """A log that ends within a row keeps the complete ones."""
    lines = nccl_tests(footer=False)
    lines[-1] = lines[-1][:40]
    run = only(lines)

    assert len(run.samples) == 2 * (len(SIZES) - 1)
    assert codes(run) == ["row_incomplete"]


def test_only_out_of_place_columns():
    """Some builds time out-of-place only, under a header that names both."""
    lines = [line[: line.rindex("5e-07") + 5] if "5e-07" in line else line for line in nccl_tests(old=True)]
    run = only(lines)

    assert {s.placement for s in run.samples} == {"out-of-place"}
    assert len(run.samples) == len(SIZES)


def test_only_in_place_figures():
    """A replayed trace leaves the out-of-place half blank: its figures are in place."""
    lines = []
    for line in nccl_tests():
        words = line.split()
        lead = line.index("-1") + 2 if len(words) == 13 and words[0].isdigit() else 0
        lines.append(line[:lead] + " " * 33 + line[lead + 33 :] if lead else line)
    run = only(lines)

    assert {s.placement for s in run.samples} == {"in-place"}
    assert len(run.samples) == len(SIZES)


def test_unchecked_results_are_no_zero():
    """``N/A`` under #wrong means that nobody looked."""
    run = only(nccl_tests(inside="N/A"))

    assert {(s.placement, s.wrong) for s in run.samples} == {("out-of-place", 0), ("in-place", None)}


@pytest.mark.parametrize(
    ("printed", "wrong"), [("2752", 2752), ("1e+06", 1_000_000), ("1.34218e+08", 134_218_000)]
)
def test_wrong_results_are_kept_and_flagged(printed, wrong):
    """A wrong result stays in the table and is named in a warning with its line."""
    run = only(nccl_tests(inside=printed))

    assert {s.wrong for s in run.samples if s.placement == "in-place"} == {wrong}
    assert codes(run) == ["wrong_results"] * len(SIZES)
    assert all(notice.line for notice in run.warnings)


def test_a_header_without_hash_sign():
    """A table copied without its hash signs reads the same."""
    run = only(new_table(hash_sign=" "))

    assert len(run.samples) == 2 * len(SIZES)
    assert codes(run) == ["collective_unknown", "ranks_unknown"]
    assert (run.collective_guess, run.ranks_guess) == ("all_reduce", 8)


def test_an_elided_device_list_still_counts():
    """Dots in the device list hide ranks; the last one tells how many there are."""
    lines = nccl_tests(ranks=64)
    first = next(i for i, line in enumerate(lines) if "Rank  3" in line)
    last = next(i for i, line in enumerate(lines) if "Rank 61" in line)
    run = only([*lines[:first], "#  ...", *lines[last:]])

    assert run.ranks == 64
    assert run.machine.gpus[0].count == 64
    assert codes(run) == ["ranks_elided"]


def test_rank_lines_with_dots_inside_still_count():
    """Documents replace process ids and addresses by dots."""
    lines = [
        f"#  Rank {line.split()[2]} Group  0 Pid ... device  0 ... NVIDIA GB300"
        if "# " in line and "Rank" in line
        else line
        for line in nccl_tests(ranks=16)
    ]

    assert only(lines).ranks == 16


def test_rows_of_dots_are_dropped_with_a_word():
    """A document that shows dots for figures has no such row."""
    row = "8388608       2097152     float     sum      -1      ...     ...     ...       0      ...     ...     ...       0"
    run = only([*nccl_tests(footer=False), row])

    assert len(run.samples) == 2 * len(SIZES)
    assert codes(run) == ["row_incomplete"]


@pytest.mark.parametrize("bus", ["[0x0f]", "[0000:8f:00]", "[000f:01:00]", "[0002:00:00.0]"])
def test_bus_addresses_of_all_kinds(bus):
    """Short, long and AMD's addresses stand before the GPU's name."""
    run = only([line.replace("[0x00]", bus).replace("[0x01]", bus) for line in nccl_tests(ranks=2)])

    assert run.ranks == 2


def test_groups_side_by_side_count_for_themselves():
    """Two communicators of four print eight ranks: each has four."""
    lines = [line.replace("Group  0", f"Group  {i % 2}") for i, line in enumerate(nccl_tests())]
    run = only(lines)

    assert run.ranks == 4
    assert "several_groups" in codes(run)


def test_size_zero_rows_are_kept_without_a_rate():
    """All-gather below one element per rank moves nothing, in some time."""
    from gpu_probe.parsers.report import run_json

    run = only(nccl_tests("all_gather", sizes=(0, 0, 1024), redop="none"))
    sample = run_json(run)["samples"][0]

    assert (sample["size_bytes"], sample["algbw_GBps"]) == (0, 0.0)
    assert len(run.samples) == 6


def test_one_rank_has_no_bus():
    """Alone there is no bus: busbw is null, not the printed 0."""
    from gpu_probe.parsers.report import run_json

    run = only(nccl_tests(ranks=1))

    assert run.ranks == 1
    assert {s["busbw_GBps"] for s in run_json(run)["samples"]} == {None}
    assert run.warnings == ()


def test_sizes_that_are_no_powers_of_two():
    """Ten ranks cut 32 MiB to 33554400 bytes."""
    run = only(nccl_tests("alltoall", ranks=10, sizes=(33554400, 67108800), redop="none", inside="N/A"))

    assert [s.size_bytes for s in run.samples] == [33554400, 33554400, 67108800, 67108800]


def test_several_collectives_in_one_file():
    """Each execution in a file is a run of its own."""
    names = ["all_reduce", "alltoall", "sendrecv"]
    runs = read("log", text([line for name in names for line in nccl_tests(name)]))

    assert [run.collective for run in runs] == ["all_reduce", "all_to_all", "send_recv"]


def test_one_header_per_row():
    """A script that starts the test once per size makes one run per size."""
    lines = [line for size in SIZES for line in nccl_tests(sizes=(size,), named=False)]
    runs = read("log", text(lines))

    assert [[s.size_bytes for s in run.samples] for run in runs] == [[size, size] for size in SIZES]
    assert {run.ranks for run in runs} == {8}
    assert {run.collective_guess for run in runs} == {"all_reduce"}


def test_a_failed_run_beside_a_good_one_is_kept_with_its_reason():
    """In a file of several, the execution without rows says why."""
    failed = [
        *nccl_tests("alltoall", sizes=(8,), footer=False)[:-1],
        "node1: Test NCCL failure alltoall.cu:274",
    ]
    runs = read("log", text([*failed, *nccl_tests()]))

    assert [len(run.samples) for run in runs] == [0, 2 * len(SIZES)]
    assert codes(runs[0]) == ["no_rows"]


@pytest.mark.parametrize("figure", ["999.99", "1.00"])
def test_a_printed_rate_that_time_contradicts_is_a_warning(figure):
    """Rates come from size and time; a print off by more than two percent is told."""
    lines = nccl_tests()
    where = next(i for i, line in enumerate(lines) if line.split()[:1] == ["33554432"])
    words = lines[where].split()
    lines[where] = lines[where].replace(words[6], figure, 1)
    run = only(lines)

    assert codes(run) == ["rate_mismatch"]
    assert run.warnings[0].line == where + 1


def test_a_log_inside_markdown():
    """Prose, fences and the answer of a shell around a table do not matter."""
    lines = [
        "# Results",
        "",
        "| size | time |",
        "|---|---|",
        "```bash",
        "$ ./all_reduce_perf -b 8",
        *nccl_tests(named=False),
    ]
    run = only([*lines, "```", "", "All 8 GPUs reach the peak."])

    assert (run.collective, run.ranks, len(run.samples)) == ("all_reduce", 8, 2 * len(SIZES))


def test_extra_columns_of_newer_builds():
    """Per-iteration columns and time stamps stand beside the known ones."""
    head = (
        "#       size         count      type   redop    root     time   algbw   busbw  #wrong   i_min   i_max   i_p99   i_cv%"
        "     time   algbw   busbw  #wrong   i_min   i_max   i_p99   i_cv% timestamp"
    )
    row = "1048576 262144 float sum -1 20.00 52.43 91.75 0 19 21 21 1.0 19.00 55.19 96.58 0 18 20 20 1.0 2026-01-02 03:04:05"
    run = only([*rank_lines(8), "# Collective test starting: all_reduce_perf", *rank_lines(8), head, row])

    assert [(s.placement, s.time_s) for s in run.samples] == [
        ("out-of-place", pytest.approx(20e-6)),
        ("in-place", pytest.approx(19e-6)),
    ]


def test_rccl_is_told_apart():
    """rccl-tests prints the same table; its banner or AMD's GPUs give it away."""
    lines = nccl_tests(named=False)
    lines.insert(1, "rccl-tests: Version develop:ae3e635")

    assert only(lines).format == "rccl-tests-text"
    assert only(
        [line.replace("NVIDIA H100 80GB HBM3", "AMD Instinct MI300X") for line in nccl_tests()]
    ).format == ("rccl-tests-text")


def test_settings_and_versions_are_taken_from_the_log():
    """Exports, mpirun -x and NCCL's own lines give settings; the rest of the environment is not kept."""
    lines = [
        "+ export NCCL_CROSS_NIC=0",
        "+ export 'NCCL_NET=AWS Libfabric'",
        "+ export AWS_SECRET_ACCESS_KEY=hush",
        "mpirun -x NCCL_ALGO=ring -x HF_TOKEN=hush -np 8 ./all_reduce_perf -b 8",
        "- set NCCL_NVLS_ENABLE=1 for more speed",
        *nccl_tests(named=False),
        "node1:1:2 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to SYS",
        "node1:1:2 [0] NCCL INFO NCCL version 2.22.3+cuda12.6",
    ]
    machine = only(lines).machine

    assert machine.env == {"NCCL_CROSS_NIC": "0", "NCCL_NET": "AWS Libfabric", "NCCL_ALGO": "ring"} | {
        "NCCL_P2P_LEVEL": "SYS"
    }
    assert (machine.nccl, machine.cuda) == ("2.22.3", "12.6")


def test_old_all_gather_without_reduction_column():
    """Old all-gather tables have neither redop nor root."""
    run = only([*rank_lines(2, group=False), *old_table("all_gather", 2, redop="")])

    assert len(run.samples) == 2 * len(SIZES)


def test_a_time_too_small_to_divide_by_is_no_rate():
    """A subnormal time is kept as printed, without a rate and without a traceback."""
    header = new_table(sizes=())
    row = "1048576 262144 float sum -1 1e-320 14.31 25.04 0 57.59 18.21 31.86 0"
    run = only(["# all_reduce_perf", *rank_lines(8), *header, row])

    assert [sample.time_s for sample in run.samples] == pytest.approx([0.0, 57.59e-6])
