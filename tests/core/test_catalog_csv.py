"""The catalog holds every row of the reference tables, figure by figure."""

import csv
import re
from pathlib import Path

import pytest

from core.catalog import GPUS, LINKS, MODELS
from core.provenance import Basis, Scope
from core.units import GB, GIGABIT_BYTES, TERA
from tests.each import each

REFERENCE = Path(__file__).parents[3] / "shared" / "reference"

if not REFERENCE.is_dir():
    pytest.skip("the reference tables are not beside this checkout", allow_module_level=True)


def rows(name):
    with (REFERENCE / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


HARDWARE, LINK_ROWS, MODEL_ROWS = rows("hardware.csv"), rows("links.csv"), rows("models.csv")


def number(text):
    return float(text) if text else None


def scaled(text, unit):
    return None if text == "" else pytest.approx(float(text) * unit, rel=1e-12)


@each(HARDWARE)
def test_an_accelerator_is_its_row(row):
    """Memory, peaks, scale-up and PCIe of an accelerator are those of its row, in SI."""
    gpu = GPUS[row["id"]]

    assert gpu.vendor == row["vendor"]
    assert gpu.name == row["gpu"]
    assert gpu.year == int(row["year"])
    assert gpu.architecture_name == row["arch"]
    assert gpu.memory_bytes == float(row["memory_GB"]) * GB
    if row["mem_bw_GBps"]:
        assert gpu.memory_rate.value == float(row["mem_bw_GBps"])
        assert gpu.memory_rate.bytes_per_s == float(row["mem_bw_GBps"]) * GB
    assert gpu.bf16_flop_per_s == scaled(row["dense_fp16_bf16_TFLOPs"], TERA)
    assert gpu.fp8_flop_per_s == scaled(row["dense_fp8_TFLOPs"], TERA)
    assert gpu.fp4_flop_per_s == scaled(row["dense_fp4_TFLOPs"], TERA)
    assert gpu.pcie_link == (f"pcie{row['pcie_gen']}-x{row['pcie_lanes']}" if row["pcie_gen"] else None)
    assert gpu.in_network_reduction == ("NVLS" in row["in_network_reduce"])
    assert gpu.confidence == row["confidence"]


@each(HARDWARE)
def test_scale_up_is_printed_both_ways_and_used_one_way(row):
    """The printed total counts both directions; what is used is the row's unidirectional total."""
    gpu = GPUS[row["id"]]

    if number(row["total_bidir_GBps"]) in (None, 0):
        assert gpu.scale_up is None
        return
    assert gpu.scale_up.basis is Basis.BOTH_WAYS
    assert gpu.scale_up.value == float(row["total_bidir_GBps"])
    assert gpu.scale_up.bytes_per_s == float(row["total_unidir_GBps"]) * GB
    assert gpu.scale_up_links == (int(row["links_per_gpu"]) if row["links_per_gpu"] else None)


@each(HARDWARE)
def test_what_its_source_calls_unverified_is_not_shown_as_verified(row):
    """A row whose source or confidence says so never counts as verified."""
    gpu = GPUS[row["id"]]

    doubtful = "unverified" in row["source"] or row["confidence"] in ("low", "rumour")
    assert not (doubtful and gpu.verified)
    if "unverified" in row["source"]:
        assert gpu.unverified


def test_int8_peaks_are_those_the_notes_state():
    """The A100's note gives 624 TFLOP/s of INT8."""
    stated = [row for row in HARDWARE if "INT8" in row["notes"]]

    assert [row["id"] for row in stated] == ["a100-sxm-40gb"]
    assert GPUS["a100-sxm-40gb"].int8_flop_per_s == 624 * TERA


@each(LINK_ROWS)
def test_a_link_is_its_row(row):
    """Nominal rate unidirectional and bidirectional, count of links and confidence are those of the row."""
    link = LINKS[row["id"]]

    assert link.year == int(row["year"])
    assert link.family == row["family"]
    assert link.confidence == row["confidence"]
    assert link.links == (int(row["links_or_ports"]) if row["links_or_ports"] else None)
    assert link.lanes == (int(row["lanes_per_dir"]) if row["lanes_per_dir"] else None)
    if row["per_dir_GBps_nominal"] == "":
        assert link.rate is None
        return
    assert link.rate.bytes_per_s == pytest.approx(float(row["per_dir_GBps_nominal"]) * GB, rel=1e-4)
    assert 2 * link.rate.bytes_per_s == pytest.approx(float(row["bidir_GBps_nominal"]) * GB, rel=1e-4)


@each(LINK_ROWS)
def test_a_measured_rate_is_no_effective_rate(row):
    """What is left after line code is kept; a measurement in that column is not taken for it."""
    link, printed = LINKS[row["id"]], row["per_dir_GBps_effective"]

    if printed == "" or "measured" in printed:
        assert link.effective_bytes_per_s is None
    else:
        assert link.effective_bytes_per_s == pytest.approx(float(printed) * GB, rel=1e-4)


@each(LINK_ROWS)
def test_the_scope_of_a_link_is_that_of_its_row(row):
    """Per GPU, pair, chip, slot, port and node stay apart."""
    words = {
        "per GPU pair": Scope.GPU_PAIR,
        "per GPU": Scope.GPU,
        "GPU-CPU": Scope.GPU,
        "per switch chip": Scope.CHIP,
        "per slot": Scope.SLOT,
        "per 4x port": Scope.PORT,
        "per port": Scope.PORT,
        "per station": Scope.PORT,
        "per node": Scope.NODE,
    }
    expected = next(scope for start, scope in words.items() if row["scope"].startswith(start))
    link = LINKS[row["id"]]

    assert link.rate is None or link.rate.scope is expected


@each(LINK_ROWS)
def test_latency_is_the_first_range_of_its_row(row):
    """The stated range of a small message, in seconds; None where the row states none."""
    link = LINKS[row["id"]]
    span = re.match(r"([0-9.]+)-([0-9.]+)", row["typical_latency_us"])

    if span is None:
        assert link.latency_s is None
    else:
        assert (link.latency_low_s, link.latency_high_s) == pytest.approx(
            (float(span[1]) * 1e-6, float(span[2]) * 1e-6)
        )


@each(LINK_ROWS)
def test_raw_rate_is_lanes_times_signalling(row):
    """Where lanes and their raw rate are printed, the raw rate is their product."""
    link = LINKS[row["id"]]
    lane = re.match(r"([0-9.]+) G[bT]/?s?", row["rate_per_lane"])

    if link.raw_bytes_per_s is None or lane is None:
        assert link.raw_bytes_per_s is None or lane is not None
        return
    links = link.links if row["family"] == "NVLink" else 1
    raw = float(lane[1]) * GIGABIT_BYTES * int(row["lanes_per_dir"]) * links
    assert link.raw_bytes_per_s == pytest.approx(raw, rel=1e-12)


@each(MODEL_ROWS)
def test_a_model_is_its_row(row):
    """Layers, widths, heads, experts and parameter counts are those of the row."""
    model = MODELS[row["id"]]

    assert model.name == row["model"]
    assert model.layers == int(row["layers"])
    for field, column in (
        ("hidden", "hidden"),
        ("heads", "q_heads"),
        ("kv_heads", "kv_heads"),
        ("vocab", "vocab"),
        ("ffn", "ffn_dense"),
        ("expert_ffn", "ffn_expert"),
        ("kv_lora_rank", "kv_lora_rank"),
        ("rope_dim", "qk_rope_dim"),
    ):
        assert getattr(model, field) == (int(row[column]) if row[column] else None), field
    for field, column in (
        ("dense_layers", "dense_layers"),
        ("experts", "experts"),
        ("shared_experts", "shared_experts"),
        ("active_experts", "active_experts"),
    ):
        assert getattr(model, field) == int(row[column] or 0), field
    assert model.params == float(row["params_B_total_computed"]) * 1e9
    assert model.active_params == float(row["params_B_active_computed"]) * 1e9
    assert model.published_params == row["params_B_published"]
    assert model.confidence == row["confidence"]
    if row["head_dim"]:
        assert model.head_dim == int(row["head_dim"].split()[0])


@pytest.mark.parametrize("name", ["hardware.csv", "links.csv", "models.csv"])
def test_every_row_is_there(name):
    """No row of a reference table is missing from the catalog."""
    catalog = {"hardware.csv": GPUS, "links.csv": LINKS, "models.csv": MODELS}[name]

    assert {row["id"] for row in rows(name)} <= set(catalog)
