"""The badge of an answer names the rates that answered, whatever was chosen."""

from urllib.parse import urlencode

import pytest

from tests.pages.test_calculators import metric

CALCULATORS = (
    *("bandwidth_hierarchy", "collectives", "tensor_parallel", "gradient_sync", "training"),
    *("nvl72", "kv_transfer", "layouts", "cost"),
)
SINGLE_TRANSFERS = ("bandwidth_hierarchy", "nvl72", "kv_transfer")


COMPUTE = "compute of Training step"
"""What an answer rests on beside its rates."""


def badges(app):
    """The badges of the answer's rates."""
    return [badge for badge in every_badge(app) if badge != COMPUTE]


def every_badge(app):
    """All badges of the answer."""
    return [
        item.value.split("badge[")[-1].rstrip("]")
        for item in app.container(key="headline").markdown
        if "badge[" in item.value
    ]


@pytest.mark.parametrize("name", CALCULATORS)
def test_datasheet_rates_are_called_so(visit, headline, name):
    """Spec rates chosen are spec rates in every badge."""
    app = visit(name, rates="spec")

    assert not app.exception
    assert headline(app)
    assert "spec rates" in badges(app)


@pytest.mark.parametrize("name", CALCULATORS)
def test_a_calibration_is_claimed_only_where_one_answered(visit, headline, name):
    """Collectives are calibrated; memory and single transfers are the datasheet's, and the page says why."""
    app = visit(name)
    expected = "spec rates" if name in SINGLE_TRANSFERS else "calibrated rates"

    assert not app.exception
    assert headline(app)
    assert badges(app) == [expected]
    reasons = [item.value for item in app.container(key="headline").caption]
    assert bool(reasons) or name not in SINGLE_TRANSFERS


@pytest.mark.parametrize("name", [name for name in CALCULATORS if name != "nvl72"])
def test_a_typed_latency_is_never_calibrated(visit, name):
    """Formulas on datasheet rates with one's own latency answer: no badge says calibrated, nor a cluster."""
    app = visit(name, latency_us=5)

    assert badges(app) == ["spec rates"]
    assert any("your latency" in item.value for item in app.container(key="headline").caption)


def test_a_typed_latency_is_warned_of_once(visit):
    """One line says what formulas make of it beside the calibration."""
    app = visit("tensor_parallel", latency_us=5)

    assert len([item for item in app.warning if "latency" in item.value]) == 1


def test_a_tree_inside_a_domain_is_explained(visit):
    """Nobody measured it: calibrated rates were chosen, the datasheet answered, and the reason stands beside."""
    app = visit("collectives", algorithm="tree")

    assert badges(app) == ["spec rates"]
    assert any("answered by datasheet rates" in item.value for item in app.container(key="headline").caption)
    assert metric(app, "Time")


def test_a_comparison_has_the_badge_of_its_page(visit):
    """Capacity is the datasheet's and its TPOT calibrated, on its page and side by side."""
    inputs = {"system": "gb200-nvl72", "model": "deepseek-v3-r1"}
    side = visit("scenarios", a=f"nvl72?{urlencode(inputs)}")

    assert badges(side) == badges(visit("nvl72", **inputs))
    assert not any("chosen, answered" in part.value for part in side.caption)


def test_the_badge_of_gradient_sync_says_whose_compute(visit):
    """Compute of the training step, at a GEMM efficiency of one's own, also of mere parameters, or a backward."""
    mine = {"model": "yours", "params_b": 8}
    says = [{}, {"efficiency": 0.5}, {"backward_ms": 200}, mine, mine | {"efficiency": 0.5}]

    badges_of = [every_badge(visit("gradient_sync", **inputs)) for inputs in says]

    assert [[badge for badge in shown if badge != "custom"][-1] for shown in badges_of] == [
        COMPUTE,
        "your GEMM efficiency",
        "your backward time",
        "usual MFU",
        "your GEMM efficiency",
    ]
