"""MoE dispatch and combine: measured kernels inside a rack, an all-to-all elsewhere."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import LINKS, system
from core.collectives import pricing as collective
from core.collectives.moe.across import Routed, across_time, routed_time
from core.collectives.moe.exchange import STYLES, balanced_bytes, exchange_time, measured_time
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from core.workload.transformer import exchange_bytes

KINDS = st.sampled_from(("dispatch", "combine"))


@given(KINDS, st.sampled_from(STYLES), st.sampled_from((2, 4, 8, 16, 32, 64, 72)))
def test_time_grows_with_bytes_from_a_floor(kind, style, ep):
    """Nothing sent costs nothing; any byte costs the floor; more bytes never cost less."""
    sizes = np.array([0.0, 1, 1e3, 1e5, 1e7, 1e9])
    prices = measured_time(kind, ep, sizes, sizes / 7168, style)
    assert prices.time_s[0] == 0
    assert prices.time_s[1] > 5e-6
    assert np.all(np.diff(prices.time_s) >= 0)
    assert np.all(prices.low_s <= prices.time_s)
    assert np.all(prices.time_s <= prices.high_s)
    parts = prices.launch_s + prices.latency_s + prices.transfer_s + prices.reduction_s
    assert parts == pytest.approx(prices.time_s)
    assert np.all(sizes / np.maximum(prices.time_s, 1e-9) <= 900e9)


@given(st.integers(2, 576), st.integers(1, 16))
def test_balanced_routing_reaches_each_gpu_once(ep, active):
    """Round robin reaches min(EP, k) GPUs a token, itself among them now and then."""
    sent = float(balanced_bytes(1, 1, 1.0, ep, active))
    assert sent <= min(ep - 1, active)
    assert sent == pytest.approx(min(ep, active) * (ep - 1) / ep)


def test_measured_kernels_answer_inside_a_rack_only():
    """EP72 in a rack is measured; across two racks, on Hopper or on datasheet rates it is an all-to-all."""
    sent = np.array([1e6])
    rack = system("gb200-nvl72")
    assert "moe" in exchange_time(rack, "dispatch", 72, sent, sent / 7168, Rates()).basis
    for machine, ep, rates in (
        (configure(rack, domains=2), 144, Rates()),
        (system("dgx-h100"), 8, Rates()),
        (rack, 72, Rates(Origin.SPEC)),
    ):
        assert "moe" not in exchange_time(machine, "dispatch", ep, sent, sent / 7168, rates).basis


def test_kernels_go_by_generation_and_family_of_link(monkeypatch):
    """A B200 on an identical link of another name has the same kernels; at another rate they are less certain."""
    sent = np.array([1e6])
    monkeypatch.setitem(LINKS, "nvlink5-bis", replace(LINKS["nvlink5"], id="nvlink5-bis"))
    machine = system("dgx-b200")
    faster = replace(machine.scale_up, bytes_per_s=1.5 * machine.scale_up.bytes_per_s)
    known, renamed, quicker = (
        exchange_time(item, "dispatch", 8, sent, sent / 7168, Rates())
        for item in (
            machine,
            replace(machine, gpu=replace(machine.gpu, id="b210", scale_up_link="nvlink5-bis")),
            replace(machine, fabrics=(faster, *machine.fabrics[1:])),
        )
    )
    assert known.basis == renamed.basis == "calibrated:moe-alltoall-gb200"
    assert known.time_s == renamed.time_s
    assert quicker.basis == "extrapolated:moe-alltoall-gb200"
    assert quicker.time_s < known.time_s
    assert quicker.high_s / quicker.low_s > known.high_s / known.low_s


def test_what_nobody_measured_has_a_wider_interval():
    """Kernels over NICs were timed on nodes of Hopper: elsewhere, and in larger groups, less is certain."""
    tokens = Routed(np.array([128.0]), 7168, 8)
    hopper, blackwell = (
        across_time(configure(system(name), domains=2), 16, tokens) for name in ("dgx-h100", "dgx-b200")
    )
    small, large = (measured_time("dispatch", ep, np.array([1e6]), np.array([128.0])) for ep in (16, 32))
    for known, other in ((hopper, blackwell), (small, large)):
        assert known.basis.startswith("calibrated:")
        assert other.basis.startswith("extrapolated:")
        assert other.high_s / other.low_s > known.high_s / known.low_s


@pytest.mark.parametrize(
    ("kind", "ep", "tokens", "value_bytes", "measured_us"),
    [
        ("dispatch", 8, 4096, 0.5625, 194.6),
        ("dispatch", 32, 4096, 0.5625, 225.2),
        ("combine", 16, 1024, 2.0, 206.4),
        ("combine", 32, 1024, 2.0, 220.8),
    ],
)
def test_published_times_are_met(kind, ep, tokens, value_bytes, measured_us):
    """Four published times of GB200 (AIConfigurator, one-sided), two of them at a group never fitted: 15 %."""
    sent = balanced_bytes(np.array([float(tokens)]), 7168, value_bytes, ep, 8)
    assert measured_time(kind, ep, sent, np.array([float(tokens)])).time_s[0] * 1e6 == pytest.approx(
        measured_us, rel=0.15
    )


def test_engines_gather_all_tokens_where_there_is_no_nvlink():
    """Over PCIe a dispatch is an all-gather and a combine a reduce-scatter, dearer than sending each its own."""
    machine, tokens = system("l40s-x8"), np.array([512.0])
    sent, routed = exchange_bytes(tokens, 4096, 2.0, 8, 8), Routed(tokens, 8192, 8)
    for kind, name in (("dispatch", "all_gather"), ("combine", "reduce_scatter")):
        prices = routed_time(machine, kind, 8, sent, routed, Rates())
        question = collective.Scenario(system=machine, collective=name, ranks=8)
        assert prices.time_s == pytest.approx(collective.sweep(question, 8 * tokens * 8192).time_s)
        assert prices.time_s > 0.7 * exchange_time(machine, kind, 8, sent, tokens, Rates()).time_s


@pytest.mark.parametrize(
    ("kind", "tokens", "value_bytes", "measured_us"),
    [("dispatch", 2, 1.0, 11.9), ("dispatch", 8192, 2.0, 1833.4), ("combine", 8192, 2.0, 2044.3)],
)
def test_two_sided_groups_of_64_were_never_fitted(kind, tokens, value_bytes, measured_us):
    """GB200 (AIConfigurator, two-sided) at EP64: floor and wire within 10 %, and said to be extrapolated."""
    many = np.array([float(tokens)])
    sent = balanced_bytes(many, 7168, value_bytes, 64, 8)
    prices = measured_time(kind, 64, sent, many, "two-sided")
    assert prices.time_s[0] * 1e6 == pytest.approx(measured_us, rel=0.10)
    assert prices.basis.startswith("extrapolated")


@pytest.mark.parametrize(
    ("ep", "dispatch_us", "combine_us"),
    [(16, 173, 329), (32, 182, 350), (64, 186, 353), (128, 192, 369), (256, 194, 360)],
)
def test_low_latency_kernels_over_the_nics(ep, dispatch_us, combine_us):
    """DeepEP (README @592296c): 128 tokens of 7168, top-8, FP8 with scales out, BF16 back: 6 %."""
    nodes = configure(system("dgx-h100"), domains=ep // 8)
    tokens = np.array([128.0])
    for bytes_, told in ((7168 + 4 * 7168 / 128, dispatch_us), (14336, combine_us)):
        prices = across_time(nodes, ep, Routed(tokens, bytes_, 8))
        assert prices.time_s[0] * 1e6 == pytest.approx(told, rel=0.06)
        assert prices.algorithms[0] == "low-latency"


def test_large_batches_are_sent_once_a_node():
    """With thousands of tokens the kernels that send one copy a node win over those of one an expert."""
    nodes = configure(system("dgx-h100"), domains=4)
    prices = across_time(nodes, 32, Routed(np.array([16.0, 4096.0]), 7168.0, 8))
    assert list(prices.algorithms) == ["low-latency", "normal"]
    assert across_time(system("rtx-4090-x8"), 16, Routed(np.array([1.0]), 7168.0, 8)) is None
