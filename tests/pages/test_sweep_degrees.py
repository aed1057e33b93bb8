"""Which TP degrees the sweep of the Tensor parallelism page tries."""

from dataclasses import replace

import pytest

from core.calculators.tensor_parallel import Scenario
from core.catalog import model, system
from pages.ui.tensor_parallel.sweep import _swept


def degrees(scenario, *names):
    """TP degrees of the grid over the scenario's own system and others."""
    systems = (scenario.system, *(system(name) for name in names))
    return tuple(_swept(scenario, systems, (1,), (4096,)).tp)


@pytest.fixture
def scenario():
    """Llama 3.1 70B, 64 heads, at TP8 on one node of 8 GPUs."""
    return Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"), tp=8)


def test_powers_of_two_up_to_the_largest_system(scenario):
    """8 GPUs: up to TP8; beside a rack of 72 GPUs: up to TP64, which 64 heads still divide."""
    assert degrees(scenario) == (1, 2, 4, 8)
    assert degrees(scenario, "gb200-nvl72") == (1, 2, 4, 8, 16, 32, 64)


def test_the_degree_in_use_is_tried_though_no_power_of_two(scenario):
    """96 heads at TP6: 6 stands among the powers of two, 3 and 12 do not."""
    wide = replace(scenario.model, heads=96, kv_heads=96)

    assert degrees(replace(scenario, model=wide, tp=6)) == (1, 2, 4, 6, 8)


def test_a_model_without_heads_is_divided_by_the_gpus(scenario):
    """Where the heads are not known the GPUs alone bound the degree."""
    assert degrees(replace(scenario, model=replace(scenario.model, heads=0))) == (1, 2, 4, 8)
