"""The form of a custom system: its GPU, its scale-up kind, and what the calculators make of them."""

import re

import pytest

SECONDS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


def all_reduce_s(headline, app):
    assert not app.exception
    value, unit = re.search(r"takes ([\d.,]+) (µs|ms|s)\b", headline(app)).groups()
    return float(value.replace(",", "")) * SECONDS[unit]


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def test_eight_h100_pcie_are_bridged_pairs_and_slower_than_sxm(visit, headline):
    """Their all-reduce goes over PCIe between the pairs, so it takes several times that of SXM."""
    question = {"system": "yours", "size": "256MiB", "ranks": 8}
    cards = visit("collectives", own_gpu="h100-pcie", **question)
    boards = visit("collectives", own_gpu="h100-sxm", **question)

    assert "pairs on NVLink 4 300 GB/s" in captions(cards)
    assert "PCIe Gen5 x16 64 GB/s (bridge)" in captions(cards)
    assert all_reduce_s(headline, cards) > 3 * all_reduce_s(headline, boards)


@pytest.mark.parametrize("kind", ["switch", "full mesh", "bridge", "PCIe switch", "PCIe host"])
def test_each_scale_up_kind_can_be_chosen(visit, kind):
    """The page answers for each, and its line names the kind."""
    app = visit("bandwidth_hierarchy", system="yours", own_gpu="h100-sxm", own_kind=kind, own_uplink=4)

    assert not app.exception
    assert f"({kind})" in captions(app)


@pytest.mark.parametrize(("kind", "told"), [("catalog", True), ("PCIe host", False)])
def test_a_typed_pcie_rate_on_nvlink_says_how_to_ask_for_pcie(visit, kind, told):
    """64 GB/s typed for an SXM board is a slow NVLink, which the form says; on PCIe there is nothing to say."""
    app = visit("bandwidth_hierarchy", system="yours", own_gpu="h100-sxm", own_gbps=64, own_kind=kind)

    assert ("If you mean PCIe Gen5 x16" in captions(app)) is told
