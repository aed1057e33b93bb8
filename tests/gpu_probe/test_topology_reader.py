"""`nvidia-smi topo`: every line that belongs to a matrix is claimed, and no other."""

import pytest

from gpu_probe.parsers import ParseError, read
from gpu_probe.parsers.limits import COLUMNS_MOST, MATRICES_MOST
from gpu_probe.parsers.lines import lines_of
from gpu_probe.parsers.topology import Topology
from tests.each import table

HEAD = "        GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity"
ROWS = (
    "GPU0     X      NV12    PIX     0-31    0",
    "GPU1    NV12     X      SYS     32-63   1",
    "NIC0    PIX     SYS      X",
)
PAIR = "  GPU0 GPU1\nGPU0 X NV4\nGPU1 NV4 X\n"


def fed(*lines):
    """Which lines the reader claims, and what it makes of them."""
    reader = Topology("log")
    claimed = [reader.feed(line) for line in lines_of("\n".join(lines).encode() + b"\n")]
    return claimed, reader.finish()


def matrices(text):
    """The matrices of a text, by the door that every file takes."""
    return [matrix for run in read("log", text.encode()) for matrix in run.matrices]


def codes(text):
    """The warnings of a text's only run."""
    (run,) = read("log", text.encode())
    return [(notice.code, notice.line) for notice in run.warnings]


def test_what_the_tool_prints_is_claimed_to_the_last_line_of_the_legend():
    """Command, header, rows, both legends are the matrix's; blank lines and what follows are not."""
    listing = {
        "before": False,
        "$ nvidia-smi topo -m": True,
        HEAD: True,
        **dict.fromkeys(ROWS, True),
        "": False,
        "Legend:": True,
        "  X    = Self": True,
        "  SYS  = Connection traversing PCIe": True,
        "  NV#  = Connection traversing a bonded set of # NVLinks": True,
        "NIC Legend:": True,
        "  NIC0: mlx5_0": True,
        "after": False,
        "  PIX  = not a legend any more": False,
    }
    claimed, (run,) = fed(*listing)

    assert claimed == list(listing.values())
    assert (run.line, run.problem) == (3, None)
    (matrix,) = run.run.matrices
    assert (matrix.name, matrix.kind, matrix.direction, matrix.peer_access) == (
        "topo -m",
        "topology",
        None,
        None,
    )
    assert matrix.rows == matrix.columns == ("GPU0", "GPU1", "NIC0")
    assert matrix.values == (("X", "NV12", "PIX"), ("NV12", "X", "SYS"), ("PIX", "SYS", "X"))
    assert (run.run.file, run.run.format, run.run.warnings) == ("log", "topo-m", ())


def test_blank_lines_within_a_legend_do_not_end_it():
    """nvidia-smi prints a blank line below each heading of its legend."""
    claimed, _ = fed(
        HEAD, *ROWS, "Legend:", "", "  PHB  = host bridge", "", "NIC Legend:", "", "  NIC0: mlx5_0"
    )

    assert claimed == [True] * 5 + [False, True, False, True, False, True]
    assert fed(HEAD, *ROWS, "Legend:", "  X    = Self", "----")[0] == [True] * 6 + [False]


def test_a_legend_without_its_heading_is_no_legend():
    """Lines such as `X = Self` elsewhere in a log belong to nobody."""
    assert fed("  X    = Self", "  NIC0: mlx5_0", "GPU memory = 80")[0] == [False] * 3
    assert fed(HEAD, *ROWS, "  X    = Self")[0] == [True] * 4 + [False]


def test_a_matrix_is_open_from_its_header_to_the_first_other_line():
    """A reader is busy while rows may follow."""
    reader = Topology("log")
    busy = []
    for line in lines_of("\n".join(["x", HEAD, ROWS[0], "", ROWS[1], "something else"]).encode() + b"\n"):
        reader.feed(line)
        busy.append(reader.busy)

    assert busy == [False, True, True, True, True, False]


@table(
    ("line", "claimed"),
    [
        ("GPU0 GPU1", True),
        ("GPU0 CPU Affinity", True),
        ("GPU0 NIC0", True),
        ("GPU0 X", False),
        ("GPU0 NV12 X", False),
        ("GPU0", False),
        ("GPU0: NVIDIA H100", False),
        ("XGPU0 GPU1", False),
        ("NIC0 GPU0", False),
        ("the GPU0 GPU1", False),
    ],
)
def test_a_header_names_two_devices_or_one_and_the_cpu(line, claimed):
    """A row begins with a device too: what follows it tells a header from a row."""
    assert fed(line)[0] == [claimed]


def test_one_gpu_has_a_matrix_of_one_cell():
    """A machine with one GPU prints itself alone."""
    (matrix,) = matrices("        GPU0    CPU Affinity\nGPU0     X      0-31\n")

    assert (matrix.columns, matrix.values) == (("GPU0",), (("X",),))


def test_rows_of_other_devices_and_lines_without_paths_are_not_claimed():
    """What is no row of this header ends the matrix; the rest of the matrix is then told to be missing."""
    claimed, (run,) = fed(HEAD, ROWS[0], "GPU7    X   NV12", ROWS[1])

    assert claimed == [True, True, False, False]
    assert run.run.matrices[0].rows == ("GPU0",)
    assert [(notice.code, notice.line) for notice in run.run.warnings] == [("truncated", 1)]
    assert "3 devices in the header, 1 rows" in run.run.warnings[0].message
    for line in ("GPU0 is hot", "something else"):
        claimed, (run,) = fed(HEAD, line)
        assert claimed == [True, False]
        assert "without rows" in str(run.problem)


def test_lines_between_a_header_and_its_first_row_do_not_end_the_matrix():
    """Other processes may print before the first row; what they print is theirs."""
    claimed, (run,) = fed(HEAD, "something else", *ROWS)

    assert claimed == [True, False, True, True, True]
    assert run.run.matrices[0].rows == ("GPU0", "GPU1", "NIC0")


def test_a_row_printed_twice_is_kept_once():
    """The second printing of a row is no row of this matrix, and ends it."""
    claimed, (run,) = fed(HEAD, *ROWS, ROWS[0])

    assert claimed == [True, True, True, True, False]
    assert run.run.matrices[0].rows == ("GPU0", "GPU1", "NIC0")


def test_cells_end_where_the_affinity_begins():
    """Only as many cells as columns are read, and only words that are paths."""
    (matrix,) = matrices("  GPU0 GPU1\nGPU0 X NV4 SYS SYS\nGPU1 NV4\n")

    assert matrix.values == (("X", "NV4"), ("NV4", None))
    for row in ("GPU1 0-31 0", "GPU1 NV4"):
        assert codes(f"  GPU0 GPU1\nGPU0 X NV4\n{row}\n") == [("truncated", 1)]


@pytest.mark.parametrize(("last", "cell"), [("NV1", None), ("X", "X")])
def test_a_file_that_ends_within_a_row_loses_its_last_word(last, cell):
    """`NV1` may be the beginning of `NV18`; an X is always whole."""
    (matrix,) = matrices(f"{HEAD}\n{ROWS[0]}\nGPU1 NV12 {last}")

    assert matrix.values[1] == ("NV12", cell, None)


def test_a_header_without_rows_holds_nothing():
    """The reason names the line of the header."""
    with pytest.raises(ParseError, match="a topology header without rows") as error:
        read("log", f"\n{HEAD}\n".encode())

    assert error.value.line == 2
    assert len(read("log", f"{PAIR}$ nvidia-smi topo -m\n{HEAD}\n".encode())) == 1


def test_two_matrices_one_after_the_other():
    """A second header ends the first matrix, whatever it names."""
    first, second = matrices(PAIR + PAIR.replace("NV4", "NV12"))

    assert (first.values[0], second.values[0]) == (("X", "NV4"), ("X", "NV12"))
    three = PAIR.replace("GPU1", "GPU2").splitlines()
    assert len(fed(*PAIR.splitlines(), *three)[1]) == 2
    other = fed("  GPU0 GPU1", *three)[1]
    assert [(run.line, run.problem is None) for run in other] == [(1, False), (2, True)]


def test_two_hosts_line_by_line_keep_the_first():
    """The same header twice, before any row, is two hosts printing at once; afterwards one does again."""
    lines = [line for line in PAIR.splitlines() for _ in range(2)]
    text = "\n".join(lines) + "\n"

    assert fed(*lines)[0] == [True] * 6
    assert codes(text) == [("hosts_interleaved", 1)]
    warnings = [[notice.code for notice in run.warnings] for run in read("log", (text + PAIR).encode())]
    assert warnings == [["hosts_interleaved"], []]


@table("option", list("rwnap"))
@table("flag", ["-p2p", "--p2pstatus"])
@table("status", ["CNS", "GNS", "TNS", "NS", "DR", "U"])
def test_peer_status_names_its_question(flag, option, status):
    """Each letter of `topo -p2p` asks something else; one status that is not OK is no peer access."""
    text = f"$ nvidia-smi topo {flag} {option}\n" + PAIR.replace("NV4", status, 1).replace("NV4", "OK")
    (matrix,) = matrices(text)

    assert (matrix.name, matrix.peer_access) == (f"topo -p2p {option}", False)
    assert matrices(PAIR.replace("NV4", "OK"))[0].peer_access is True


def test_a_status_among_paths_is_no_peer_status():
    """One word of both kinds leaves a topology; a matrix of nothing but itself is one too."""
    mixed, alone = PAIR.replace("NV4", "OK", 1), "  GPU0 CPU Affinity\nGPU0 X\n"

    for text in (mixed, alone):
        assert [(matrix.name, matrix.peer_access) for matrix in matrices(text)] == [("topo -m", None)]


def test_the_question_of_a_command_is_asked_once():
    """A matrix after the one that a command printed bears no letter of it."""
    status = PAIR.replace("NV4", "OK")
    text = f"$ nvidia-smi topo -p2p w\n{status}{status}"

    assert [matrix.name for matrix in matrices(text)] == ["topo -p2p w", "topo -p2p"]
    command = "$ nvidia-smi topo -p2p r"
    claimed, runs = fed(*status.splitlines(), command, "GPU1 OK X")
    assert (claimed, len(runs)) == ([True] * 4 + [False], 1)
    assert runs[0].run.matrices[0].name == "topo -p2p"
    later = f"$ nvidia-smi topo -p2p w\n$ nvidia-smi topo -m\n{status}"
    assert [matrix.name for matrix in matrices(later)] == ["topo -p2p"]


@pytest.mark.parametrize(
    "row", ["GPU0 0 XGMI", "GPU0 0 XGMI\nGPU1 0 PCIE", "GPU0 0 15", "GPU0    0            15"]
)
def test_rocm_smi_is_named(row):
    """Its header looks like NVIDIA's; its hops, weights and XGMI do not."""
    with pytest.raises(ParseError, match="rocm-smi's topology"):
        read("log", f"  GPU0 GPU1\n{row}\n".encode())
    with pytest.raises(ParseError, match="a topology header without rows"):
        read("log", b"GPU0 0 15\n  GPU0 GPU1\n")


def test_a_markdown_table_is_a_matrix():
    """The rule below the header is claimed, the bars are no cells; a rule without a matrix is nobody's."""
    table = "| | GPU0 | GPU1 |\n|---|---|---|\n| GPU0 | X | NV4 |\n| GPU1 | NV4 | X |".splitlines()
    claimed, (run,) = fed(*table)

    assert claimed == [True] * 4
    assert run.run.matrices[0].values == (("X", "NV4"), ("NV4", "X"))
    assert fed("|---|---|", "---")[0] == [False, False]


def test_bounds_of_a_hostile_file():
    """Columns beyond the bound are not read; matrices beyond it end the reading with one line."""
    columns = " ".join(f"GPU{i}" for i in range(COLUMNS_MOST + 6))
    (matrix,) = matrices(f"  {columns}\nGPU0 X\nGPU1 X\n")
    assert len(matrix.columns) == COLUMNS_MOST
    assert len(matrices(PAIR * MATRICES_MOST)) == MATRICES_MOST
    with pytest.raises(ParseError, match="more than 2,000 matrices"):
        read("log", (PAIR * (MATRICES_MOST + 1)).encode())
