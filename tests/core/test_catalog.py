"""What holds for every entry of the catalog, whatever table it came from."""

import subprocess
import sys

import pytest

from core.catalog import (
    CURVES,
    GPUS,
    LINKS,
    MEASURED,
    MODELS,
    PRECISIONS,
    SOURCES,
    SYSTEMS,
    gpu,
    label,
    link,
    model,
    precision,
    system,
    visible,
)
from core.catalog.links.pcie import pcie_bytes_per_s
from core.catalog.sources import UNVERIFIED
from core.catalog.step_latency import latency_label, step_latency_s
from core.catalog.visibility import IN_CALIBRATIONS
from core.checks import InputError
from core.hardware import Family
from core.provenance import Basis, Confidence, Scope
from core.units import GB
from tests.core.golden import CASES
from tests.each import each, table

GOLDEN = {case.id: case for case in CASES}
SOURCED = [*LINKS.values(), *GPUS.values(), *MODELS.values(), *SYSTEMS.values()]
NETWORK_IDS = ("slingshot-200", "efa-100", "efa-400", "efa-3200", "tcpx-100", "tcpxo-200")
CONTRACT_SYSTEMS = [
    "dgx-1-p100",
    "dgx-1-v100",
    "dgx-2",
    "dgx-a100",
    "dgx-h100",
    "dgx-h200",
    "dgx-b200",
    "dgx-b300",
    "dgx-gh200-256",
    "gb200-nvl72",
    "gb300-nvl72",
    "vera-rubin-nvl72",
    "nvlink5-576",
    "l40s-x8",
    "rtx-pro-6000-x8",
    "rtx-4090-x2",
    "rtx-4090-x8",
    "rtx-3090-x2",
    "mi300x-x8",
    "mi355x-x8",
]


@each(SOURCED)
def test_every_entry_has_a_source(entry):
    """Each entry names at least one document, and each document is the one of its key."""
    assert entry.sources
    for source in entry.sources:
        assert SOURCES[source.key] is source
        assert source.title
        assert source.where


@each(SOURCED)
def test_memory_alone_verifies_nothing(entry):
    """An entry with only unverified sources is not verified; one with some says what is doubtful."""
    keys = {source.key for source in entry.sources}

    if keys <= UNVERIFIED:
        assert not getattr(entry, "verified", entry.confidence.verified)
    if keys & {"vendor-datasheet", "recall"} and not isinstance(entry, type(MODELS["llama-3.1-8b"])):
        assert entry.unverified


def test_no_source_is_printed_for_nothing():
    """Every document of the list stands behind something."""
    used = {source.key for entry in SOURCED for source in entry.sources}
    cited_elsewhere = _elsewhere()

    assert set(SOURCES) - used - cited_elsewhere == set()


def _elsewhere():
    from core.catalog import DISPUTES, SWITCHES
    from core.catalog.reference import REFERENCES

    keys = {item.source.key for dispute in DISPUTES for item in dispute.readings}
    keys |= {source.key for machine in SWITCHES.values() for source in machine.sources}
    keys |= {reference.source.key for reference in REFERENCES}
    return keys | set(ALGORITHM_SOURCES)


ALGORITHM_SOURCES = (
    "nccl-tuning",
    "nccl-topo",
    "nccl-tests-performance",
    "mxfp-spec",
    "nvfp4-blog",
    "briefing-004",
)


def test_every_system_of_the_contract_is_there():
    """The ids that people script against, in their order; newer ones follow."""
    assert list(SYSTEMS)[: len(CONTRACT_SYSTEMS)] == CONTRACT_SYSTEMS


def test_keys_are_ids():
    """An entry is found under its own id."""
    for catalog in (GPUS, LINKS, MODELS, SYSTEMS, PRECISIONS):
        assert all(key == entry.id for key, entry in catalog.items())


@pytest.mark.parametrize(
    ("look_up", "word"),
    [(gpu, "gpu"), (link, "link"), (model, "model"), (system, "system"), (precision, "precision")],
)
def test_an_unknown_id_is_answered_with_the_known_ones(look_up, word):
    """One line that names the argument, and the ids or the closest three with the place that lists them."""
    with pytest.raises(
        InputError, match=rf"^{word}: 'nothing' is unknown; (one of|closest of \d+:) .*, .*, "
    ) as caught:
        look_up("nothing")
    assert "\n" not in str(caught.value)


@each(list(GPUS.values()))
def test_memory_is_faster_than_scale_up_and_that_than_pcie(entry):
    """Down the hierarchy each level is slower, per GPU and unidirectional."""
    rates = [entry.memory_rate.bytes_per_s]
    if entry.scale_up is not None:
        rates.append(entry.scale_up.bytes_per_s)
    if entry.pcie_link is not None:
        rates.append(LINKS[entry.pcie_link].rate.bytes_per_s)

    assert rates == sorted(rates, reverse=True)


@each(list(GPUS.values()))
def test_links_of_a_gpu_exist(entry):
    """A GPU's links are entries of the link table, and NVLink of a GPU is links x the link's rate."""
    assert entry.pcie_link is None or LINKS[entry.pcie_link].family is Family.PCIE
    if entry.scale_up_link is None:
        return
    wire = LINKS[entry.scale_up_link]
    if wire.family is Family.NVLINK and wire.rate.scope is Scope.GPU:
        per_link = wire.rate.bytes_per_s / wire.links
        assert entry.scale_up.bytes_per_s == pytest.approx(entry.scale_up_links * per_link)


@each(list(GPUS.values()))
def test_fewer_bits_are_never_slower(entry):
    """Dense peaks rise from BF16 to FP8 to FP4; memory is shared by reads and writes."""
    peaks = [peak for peak in (entry.bf16_flop_per_s, entry.fp8_flop_per_s, entry.fp4_flop_per_s) if peak]

    assert peaks == sorted(peaks)
    assert entry.memory_rate.basis is Basis.SHARED


@each(list(LINKS.values()))
def test_raw_is_at_least_nominal_and_that_at_least_effective(entry):
    """Line code and protocol only take away."""
    if entry.rate is None:
        return
    nominal = entry.rate.bytes_per_s
    assert entry.raw_bytes_per_s is None or entry.raw_bytes_per_s >= nominal * (1 - 1e-12)
    assert entry.effective_bytes_per_s is None or entry.effective_bytes_per_s <= nominal * (1 + 1e-12)


@each(list(LINKS.values()))
def test_every_link_has_a_step_latency_that_says_where_it_comes_from(entry):
    """Stated, or assumed and labelled so."""
    assert 1e-7 < step_latency_s(entry) < 1e-4
    assert ("assumed" in latency_label(entry)) == (entry.latency_s is None)


def test_pcie_doubles_with_each_generation():
    """Nominal x16: 16, 32, 64, 128, 256 GB/s unidirectional."""
    nominal = [LINKS[f"pcie{generation}-x16"].rate.bytes_per_s / GB for generation in range(3, 8)]

    assert nominal == [16, 32, 64, 128, 256]


def test_golden_a05_a_copy_of_80_gb():
    """80 GB over five links, unidirectional."""
    case = GOLDEN["A05"]
    rates = {
        "pcie5_nominal": LINKS["pcie5-x16"].rate.bytes_per_s,
        "pcie5_eff": LINKS["pcie5-x16"].effective_bytes_per_s,
        "nvl3": LINKS["nvlink3"].rate.bytes_per_s,
        "nvl4": LINKS["nvlink4"].rate.bytes_per_s,
        "ndr": LINKS["ib-ndr"].rate.bytes_per_s,
    }

    for name, expected in case.expected.items():
        assert case.inputs["bytes"] / rates[name] == pytest.approx(expected, rel=case.rel_tol)


def test_golden_a07_pcie_after_line_code():
    """GT/s x lanes x code / 8, with 128/130 and 242/256."""
    case = GOLDEN["A07"]

    for name, expected in case.expected.items():
        generation, lanes = int(name[3]), int(name.split("x")[1])
        assert pcie_bytes_per_s(generation, lanes) / GB == pytest.approx(expected, rel=case.rel_tol)
        if lanes == 16:
            effective = LINKS[f"pcie{generation}-x16"].effective_bytes_per_s
            assert effective / GB == pytest.approx(expected, rel=case.rel_tol)


def test_golden_a08_nvlink_raw_and_net():
    """What nvidia-smi sums up is 17/16 of the nominal rate."""
    case = GOLDEN["A08"]
    for name, wire in (("h100", LINKS["nvlink4"]), ("gb200", LINKS["nvlink5"])):
        raw, net = case.expected[f"{name}_raw"], case.expected[f"{name}_net"]
        assert wire.raw_bytes_per_s / GB == pytest.approx(raw, rel=case.rel_tol)
        assert wire.rate.bytes_per_s / GB == pytest.approx(net, rel=case.rel_tol)
        assert wire.raw_bytes_per_s * case.inputs["code_ratio"] == pytest.approx(wire.rate.bytes_per_s)


def test_golden_a12_conversions():
    """Gb/s are eighths of GB/s."""
    expected = GOLDEN["A12"].expected

    assert LINKS["ib-ndr"].rate.bytes_per_s / GB == expected["ndr_400Gbps_in_GBps"]
    assert LINKS["efa-v1"].effective_bytes_per_s / GB == expected["efa_340Gbps_in_GBps"]
    assert LINKS["ib-xdr"].rate.bytes_per_s / GB == expected["xdr_GBps"]


@pytest.mark.parametrize(
    ("link_id", "gb_per_s"), list(zip(NETWORK_IDS, (25, 1.5625, 6.25, 50, 12.5, 25), strict=True))
)
def test_networks_of_the_measurements(link_id, gb_per_s):
    """Each network id of the calibration table has its rate per GPU of an eight-GPU node."""
    assert LINKS[link_id].one_way_bytes_per_s == gb_per_s * GB


def test_a_model_reckons_with_the_rate_after_line_code_of_pcie_and_the_nominal_one_elsewhere():
    """PCIe 5 moves 63.0 of 64 GB/s, NVLink 4 its nominal 450; a switch chip has no rate per GPU."""
    assert LINKS["pcie5-x16"].one_way_bytes_per_s == pytest.approx(63.015 * GB, rel=1e-5)
    assert LINKS["nvlink4"].one_way_bytes_per_s == 450 * GB
    assert LINKS["nvswitch4"].one_way_bytes_per_s is None


@table(
    ("precision_id", "bits"),
    [
        ("fp32", 32),
        ("bf16", 16),
        ("fp16", 16),
        ("fp8", 8),
        ("mxfp8", 8.25),
        ("nvfp4", 4.5),
        ("mxfp4", 4.25),
        ("fp4", 4),
        ("int8", 8),
        ("int4", 4),
    ],
)
def test_bits_of_a_value_with_its_share_of_the_scale(precision_id, bits):
    """NVFP4 is 4.5 bits, MXFP4 4.25."""
    assert PRECISIONS[precision_id].bytes_per_value * 8 == bits


def test_doubtful_entries_are_hidden_until_asked_for():
    """Low confidence and rumour appear only on request, and then with a label."""
    hidden = set(GPUS) - set(visible(GPUS, unverified=False))

    assert hidden == {
        "a800-sxm",
        "b100",
        "rubin-ultra",
        "rtx-5070-ti",
        "rtx-6000-ada",
        "mi455x",
        "tpu-v5p",
    }
    assert set(visible(MODELS)) == set(MODELS) - {"gpt-4-class-1.8t-moe"}
    assert set(visible(LINKS)) == set(LINKS) - {"nvswitch6", "ib-gdr", "ib-ldr", "ualink-200g"}
    assert visible(GPUS, unverified=True) == GPUS
    assert all(label(GPUS[name]) for name in hidden)
    assert label(MODELS["gpt-4-class-1.8t-moe"]) == "rumour"


def test_a_measured_part_is_shown_and_still_labelled():
    """A B300 is measured, so it is shown; its figures are disputed, so it says low confidence."""
    assert set(GPUS) | set(LINKS) >= IN_CALIBRATIONS
    assert {"b300-sxm", "mi350x"} <= set(visible(GPUS))
    assert GPUS["b300-sxm"].confidence is Confidence.LOW
    assert label(GPUS["b300-sxm"]) == "low confidence"
    assert label(GPUS["mi350x"]).startswith("unverified: ")


def test_a_trusted_entry_carries_no_label():
    """Labels would mean nothing if everything had one."""
    assert label(GPUS["h100-sxm"]) == ""
    assert label(SYSTEMS["dgx-h100"]) == ""
    assert label(SYSTEMS["vera-rubin-nvl72"]) == "announced"
    assert label(SYSTEMS["nvlink5-576"]).startswith("architectural")


@pytest.mark.parametrize("link_id", MEASURED)
def test_measured_rates_stay_below_the_wire(link_id):
    """A copy or a ring reaches less than the nominal rate of its link."""
    assert MEASURED[link_id].one_way_bytes_per_s < LINKS[link_id].rate.bytes_per_s


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.system)
def test_measured_curves_rise_with_size(curve):
    """Larger messages use the wire better, and each curve belongs to a machine of its size."""
    sizes = [size for size, _ in curve.points]
    rates = [rate for _, rate in curve.points]

    assert sizes == sorted(sizes)
    assert rates == sorted(rates)
    assert curve.ranks == SYSTEMS[curve.system].domain_gpus


def test_the_catalog_imports_nothing_foreign():
    """Beyond the standard library the catalog and its systems need numpy alone."""
    code = (
        "import sys, core.catalog, core.systems; print({'pandas', 'torch', 'streamlit'} & set(sys.modules))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert printed.strip() == "set()"
