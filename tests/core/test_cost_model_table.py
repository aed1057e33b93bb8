"""Tables of questions: columns, CSV in and out, and the rows that cannot be answered."""

import csv
import io

import numpy as np
import pytest

from core.checks import InputError
from core.collectives.cost_model import Point, Setting, predict, predict_columns
from core.collectives.cost_model.columns import REQUIRED
from core.collectives.cost_model.table import ANSWER_COLUMNS, answer_blocks, answer_table
from core.collectives.moe.rows import ExchangeRows

HEADER = "gpu,scale_up_link,domain_gpus,domains,collective,size_bytes"


def answered(text, points=None):
    """The answer table as header and rows, and how many rows failed."""
    out = io.StringIO()
    table = answer_table(io.StringIO(text), None if points is None else io.StringIO(points))
    table.write(out)
    rows = list(csv.reader(io.StringIO(out.getvalue())))
    return rows[0], rows[1:], table.failed


def test_the_input_stays_untouched_and_the_answer_follows():
    """Columns keep their order and their text, strange ones included; five columns follow."""
    header, rows, failed = answered(
        'note,gpu,scale_up_link,domain_gpus,domains,collective,size_bytes\n"a, ""b""",h100-sxm,nvlink4,8,1,all_reduce,1e6\n'
    )
    assert header[:2] == ["note", "gpu"]
    assert header[-5:] == ["predicted_us", "low_us", "high_us", "algorithm", "basis"]
    assert rows[0][:7] == ['a, "b"', "h100-sxm", "nvlink4", "8", "1", "all_reduce", "1e6"]
    expected = predict(Setting("h100-sxm", "nvlink4", 8), 1e6)
    assert float(rows[0][7]) == pytest.approx(float(expected.time_s) * 1e6, rel=1e-5)
    assert float(rows[0][8]) < float(rows[0][7]) < float(rows[0][9])
    assert rows[0][10:] == [str(expected.labels()), expected.basis]
    assert failed == 0


def test_a_row_that_cannot_be_answered_keeps_its_place():
    """The reason stands in `basis`; the rows around it are answered."""
    _, rows, failed = answered(
        f"{HEADER},ranks\n"
        "h100-sxm,nvlink4,8,1,all_reduce,1024,8\n"
        "h100-sxm,nvlink4,8,1,all_reduce,-3,8\n"
        "h900,abacus9,8,1,all_reduce,1024,\n"
        "h100-sxm,nvlink4,8,2,all_reduce,1024,\n"
        "h100-sxm,nvlink4,8,1,all_reduce,1024,16\n"
        "h100-sxm,nvlink4,2.5,1,all_reduce,1024,\n"
        "h100-sxm,nvlink4,8,1,,1024,\n"
        "h100-sxm,nvlink4,8,1,all_reduce,,\n"
        "h100-sxm,nvlink4\n"
        "h100-sxm,nvlink4,8,1,all_gather,1024,\n"
    )
    assert failed == 8
    bases = [row[-1] for row in rows]
    assert not bases[0].startswith("error")
    assert not bases[-1].startswith("error")
    for basis, word in zip(
        bases[1:9],
        (
            "size_bytes",
            "scale_up_GBps_per_gpu",
            "scale_out_link",
            "ranks",
            "domain_gpus",
            "collective",
            "size_bytes",
            "domain_gpus",
        ),
        strict=True,
    ):
        assert basis.startswith("error: ")
        assert word in basis
    assert rows[1][-5:-1] == ["", "", "", ""]


def test_rows_of_another_length_than_the_header_keep_the_table_in_shape():
    """A short row is filled up, a long one says so; answers stay under their own headers."""
    header, rows, failed = answered(
        f"note,{HEADER}\n"
        "a,h100-sxm,nvlink4,8,1,all_reduce\n"
        "b,h100-sxm,nvlink4,8,1,all_reduce,1024,7\n"
        "c,h100-sxm,nvlink4,8,1,all_reduce,1024\n"
    )
    cells = [dict(zip(header, row, strict=True)) for row in rows]

    assert [row["basis"].split(":")[0] for row in cells] == ["error", "error", "calibrated"]
    assert [row["size_bytes"] for row in cells] == ["", "1024", "1024"]
    assert failed == 2


def test_a_missing_required_column_is_one_line():
    """Without a required column nothing can be answered, and the error says which."""
    for text in ("gpu,domains\nh100-sxm,1\n", ""):
        with pytest.raises(InputError, match="size_bytes") as refused:
            answered(text)
        assert "\n" not in str(refused.value)


def test_a_quotation_mark_left_open_over_the_rest_of_the_file_is_one_line():
    """A cell that swallows more than a CSV reader takes is named by its line, not by a traceback."""
    text = HEADER + "\n" + '"' + "h100-sxm,nvlink4,8,1,all_reduce,1024\n" * 5000
    with pytest.raises(InputError, match=r"input: line \d+: .*quotation mark"):
        answer_table(io.StringIO(text, newline=""))


def test_a_byte_order_mark_and_an_empty_table_are_fine():
    """Spreadsheets write a mark in front; a table without rows gives a table without rows."""
    header, rows, failed = answered(f"\ufeff{HEADER}\n")
    assert header[0] == "gpu"
    assert (rows, failed) == ([], 0)


def test_defaults_of_the_contract():
    """Empty cells: nccl, or rccl for AMD; stream; the network's catalog rate per GPU."""
    _, rows, failed = answered(
        f"{HEADER},implementation,launch,scale_out_link,scale_out_GBps_per_gpu\n"
        "mi300x,if-mi300x,8,1,all_reduce,1024,,,,\n"
        "h100-sxm,nvlink4,8,2,all_reduce,1048576,,,ib-ndr,\n"
        "h100-sxm,nvlink4,8,2,all_reduce,1048576,nccl,stream,ib-ndr,50\n"
        "h100-sxm,nvlink4,8,2,all_reduce,1048576,,,,50\n"
    )
    assert failed == 0
    assert rows[1][-5:] == rows[2][-5:]
    assert float(rows[3][-5]) > 0


def test_measured_points_adapt_the_rows_of_the_same_machine_only():
    """One measured row of eight H100 moves eight H100, whatever the collective, and no A100."""
    questions = (
        f"{HEADER}\n"
        "h100-sxm,nvlink4,8,1,all_reduce,1024\n"
        "h100-sxm,nvlink4,8,1,all_gather,1024\n"
        "a100-sxm-80gb,nvlink3,8,1,all_reduce,1024\n"
    )
    _, before, _ = answered(questions)
    _, after, _ = answered(questions, f"{HEADER},time_us\nh100-sxm,nvlink4,8,1,all_reduce,4096,40\n")
    assert [row[-1] for row in after[:2]] == ["adapted:1 points"] * 2
    assert float(after[0][-5]) > 1.5 * float(before[0][-5])
    assert after[2] == before[2]


@pytest.mark.parametrize(
    "row",
    [
        "h100-sxm,nvlink4,8,1,all_reduce,4096,-1",
        "h100-sxm,nvlink4,8,1,all_reduce,4096,",
        "h100-sxm,nvlink4,x,1,all_reduce,4096,1",
    ],
)
def test_a_bad_measured_point_names_its_line(row):
    """A point that cannot be used stops the run with its line number."""
    with pytest.raises(InputError, match="line 2"):
        answered(f"{HEADER}\n", f"{HEADER},time_us\n{row}\n")


def test_columns_and_single_questions_agree():
    """A table of mixed settings gives row by row what predict() gives."""
    generator = np.random.default_rng(3)
    kind = generator.integers(0, 3, 200)
    gpu = np.array(["a100-sxm-80gb", "h100-sxm", "b200-sxm"])[kind]
    link = np.array(["nvlink3", "nvlink4", "nvlink5"])[kind]
    ranks = generator.integers(2, 9, 200)
    sizes = np.exp2(generator.uniform(3, 34, 200))
    answers = predict_columns(
        {
            "gpu": gpu,
            "scale_up_link": link,
            "domain_gpus": ranks,
            "domains": np.ones(200, int),
            "collective": ["all_reduce"] * 200,
            "size_bytes": sizes,
        }
    )
    for i in range(200):
        single = predict(Setting(str(gpu[i]), str(link[i]), int(ranks[i])), sizes[i])
        assert answers.time_s[i] == single.time_s
        assert answers.labels()[i] == str(single.labels())
        assert answers.basis[i] == single.basis


def test_columns_refuse_what_is_no_table():
    """Missing columns and columns of different lengths are errors, not answers."""
    with pytest.raises(InputError, match="missing column"):
        predict_columns({"gpu": ["h100-sxm"]})
    with pytest.raises(InputError, match="as long as"):
        predict_columns(
            {
                "gpu": ["h100-sxm"],
                "scale_up_link": ["nvlink4"],
                "domain_gpus": [8, 8],
                "domains": [1],
                "collective": ["all_reduce"],
                "size_bytes": [8],
            }
        )


def test_points_of_columns_are_points():
    """The vector door takes the same points as the single one."""
    setting = Setting("h100-sxm", "nvlink4", 8)
    point = Point(setting, 4096.0, 40e-6)
    table = {
        "gpu": ["h100-sxm"],
        "scale_up_link": ["nvlink4"],
        "domain_gpus": [8],
        "domains": [1],
        "collective": ["all_reduce"],
        "size_bytes": [1024],
    }
    assert predict_columns(table, [point]).time_s[0] == predict(setting, 1024, [point]).time_s


def test_unknown_hardware_is_answered_from_its_columns():
    """A rate stands in for a link that the catalog lacks; without any the row says which column to fill."""
    _, rows, failed = answered(
        f"{HEADER},scale_up_GBps_per_gpu,scale_out_link,scale_out_GBps_per_gpu\n"
        "h900,nvlink4,8,1,all_reduce,1048576,,,\n"
        "h900,warp,8,1,all_reduce,1048576,450,,\n"
        "h900,nvlink4,8,2,all_reduce,1048576,,pigeon,50\n"
        "h900,warp,8,1,all_reduce,1048576,,,\n"
        "h900,nvlink4,8,2,all_reduce,1048576,,pigeon,\n"
    )
    bases = [row[-1] for row in rows]
    assert bases[0] == "extrapolated:nvlink-hopper"
    assert bases[1].startswith("parts:")
    assert bases[2] == "extrapolated:rdma"
    assert "scale_up_GBps_per_gpu" in bases[3]
    assert "scale_out_GBps_per_gpu" in bases[4]
    assert failed == 2


def test_a_link_that_the_catalog_lacks_needs_a_rate():
    """A mistyped link is not priced as the GPU's own: the row names the column and the links there are."""
    _, rows, failed = answered(
        f"{HEADER}\nh100-pcie,pci5-x16,8,1,all_reduce,1e8\nh100-sxm,typo,8,1,all_reduce,1e8\n"
    )
    assert failed == 2
    for row in rows:
        assert row[-1].startswith("error: scale_up_link")
        assert "scale_up_GBps_per_gpu" in row[-1]
        assert "pcie5-x16" in row[-1]


@pytest.mark.parametrize("network", ["1,all_reduce,1e8,", "4,all_reduce,1e8,ib-ndr"])
def test_the_catalog_s_own_rate_is_no_override(network):
    """450 GB/s for an H100's NVLink 4 changes nothing; 300 GB/s is a link put together from parts."""
    _, rows, _ = answered(
        f"{HEADER},scale_out_link,scale_up_GBps_per_gpu\n"
        + "".join(f"h100-sxm,nvlink4,8,{network},{rate}\n" for rate in ("", "450", "300"))
    )
    none, same, other = (row[-5:] for row in rows)
    assert none == same
    assert none[-1].startswith("calibrated:")
    assert other[-1].startswith("parts:")


@pytest.mark.parametrize(
    ("row", "basis"),
    [
        ("l40s,pcie4-x16,8,1,all_reduce,1e8,", "calibrated:pcie-peer"),
        ("l40s,pcie7-x16,8,1,all_reduce,1e8,", "extrapolated:pcie-peer"),
        ("h100-sxm,nvlink5,8,1,all_reduce,1e8,", "extrapolated:nvlink-hopper"),
        ("h100-pcie,pcie5-x16,8,1,all_reduce,1e8,", "extrapolated:pcie-peer"),
        ("h100-pcie,pcie5-x16,8,2,all_reduce,1e8,ib-ndr", "extrapolated:ib/hopper"),
        ("h100-pcie,pcie5-x16,1,2,all_reduce,1e8,ib-ndr", "calibrated:ib/hopper"),
    ],
)
def test_only_a_gpu_on_its_own_link_is_calibrated(row, basis):
    """Another link than the one measured is extrapolated, and so is a network around such domains."""
    _, rows, _ = answered(f"{HEADER},scale_out_link\n{row}\n")
    assert rows[0][-1] == basis


def test_a_table_cut_into_blocks_is_answered_as_a_whole(monkeypatch):
    """Rows are answered a block at a time: where the cut falls changes no answer and no order."""
    rows = "\n".join(f"h100-sxm,nvlink4,8,1,all_reduce,{1024 * (number + 1)}" for number in range(7))
    text = f"{','.join(REQUIRED)}\n{rows}\n\n\n"
    whole = answer_table(io.StringIO(text))
    monkeypatch.setattr("core.collectives.cost_model.table.BLOCK_ROWS", 2)

    assert answer_table(io.StringIO(text)) == whole
    assert len(whole.rows) == 7


def test_a_long_table_is_answered_while_it_is_read(monkeypatch):
    """The first answers come before the rest of the file is read: a hundred megabytes are never held at once."""
    monkeypatch.setattr("core.collectives.cost_model.table.BLOCK_ROWS", 2)
    taken = []

    def lines():
        yield f"{','.join(REQUIRED)}\n"
        for number in range(100):
            taken.append(number)
            yield f"h100-sxm,nvlink4,8,1,all_reduce,{1024 * (number + 1)}\n"

    blocks = answer_blocks(lines())

    assert len(next(blocks).rows) == 2
    assert len(taken) == 2
    assert 2 + sum(len(block.rows) for block in blocks) == 100


def test_a_table_answers_again_what_it_answered():
    """Fed back, answers are no questions: times stay, and the algorithm that was asked for is asked for again."""
    more = "h100-sxm,nvlink4,8,1,all_reduce"
    questions = f"{HEADER},asked_algorithm\n{more},1024,\n{more},1e9,\n{more},1e9,ring\n"
    questions += "h100-sxm,nvlink4,8,1,moe_dispatch,1e6,\n"
    first = answer_table(io.StringIO(questions), others=ExchangeRows())
    out = io.StringIO()
    first.write(out)
    assert len(set(first.header) | set(ANSWER_COLUMNS)) == len(first.header) + len(ANSWER_COLUMNS)
    again = answer_table(io.StringIO(out.getvalue()), others=ExchangeRows())
    assert again.answers == first.answers
    assert first.failed == 0
    assert first.answers[1][3] != first.answers[2][3]


def test_an_object_names_what_was_asked_apart_from_what_runs():
    """A row that asks by ``algorithm`` keeps its word beside the answer's."""
    asked = answer_table(
        io.StringIO(f"{HEADER},algorithm\nh100-sxm,nvlink4,8,1,all_reduce,1e9,nvls\n")
    ).objects()[0]

    assert (asked["asked_algorithm"], asked["algorithm"]) == ("nvls", "nvls")
    assert list(asked)[6] == "asked_algorithm"


@pytest.mark.parametrize("column", ["algorithm", "asked_algorithm"])
def test_a_protocol_that_does_not_run_is_refused(column):
    """The protocol that the library takes may be named; another has no answer, and its row says which runs."""
    rows = "".join(f"h100-sxm,nvlink4,8,1,all_reduce,1e6,{name}\n" for name in ("Ring", "{}", "ring/ghost"))
    plain = answer_table(io.StringIO(f"{HEADER},{column}\n{rows.format('ring')}"))
    runs = plain.answers[0][3]
    table = answer_table(io.StringIO(f"{HEADER},{column}\n{rows.format(runs.upper())}"))
    assert table.answers[0] == table.answers[1] == plain.answers[0]
    assert table.answers[2] == ["", "", "", "", f"error: {column}: {runs} runs there, not ring/ghost"]
    assert table.failed == 1
    beyond = answer_table(io.StringIO(f"{HEADER},{column}\nh100-sxm,nvlink4,8,1,all_reduce,1e6,two-level\n"))
    assert beyond.answers[0][-1].startswith(f"error: {column}: two-level cannot run this")


def test_a_row_may_leave_out_the_link_of_a_gpu_that_is_known_or_alone():
    """A catalog's GPU has its own; two DGX Spark with a GPU each are answered over their network."""
    rows = (
        "h100-sxm,,8,1,all_reduce,1e6,,\n"
        "h100-sxm,nvlink4,8,1,all_reduce,1e6,,\n"
        "gb10,,1,2,all_reduce,1e6,roce-200,25\n"
        "gb10,,2,1,all_reduce,1e6,,\n"
        "mi308x,xgmi,8,1,all_reduce,1e6,,\n"
    )
    header = f"{HEADER},scale_out_link,scale_out_GBps_per_gpu"
    own, named, alone, unknown, fabric = answer_table(io.StringIO(f"{header}\n{rows}")).answers

    assert own == named
    assert 40 < float(alone[0]) < 400
    assert unknown[-1] == "error: scale_up_link must be given"
    assert fabric[-1].startswith("extrapolated:mesh")


@pytest.mark.parametrize(
    ("gpu", "family", "link"),
    [
        ("h100-sxm", "NVLink", "nvlink4"),
        ("mi300x", "xgmi", "if-mi300x"),
        ("rtx-4090", "pcie", "pcie4-x16"),
        ("h100-sxm", "PCIe", "pcie5-x16"),
    ],
)
def test_a_family_alone_is_the_link_of_it_that_the_gpu_has(gpu, family, link):
    """Who writes NVLink of an H100 or xGMI of an MI300X means its own: one answer, as sure as by the id."""
    rows = "".join(f"{gpu},{name},8,1,all_reduce,1e6\n" for name in (family, link))
    said, by_id = answer_table(io.StringIO(f"{HEADER}\n{rows}")).answers

    assert said == by_id
    assert float(said[0]) > 0
