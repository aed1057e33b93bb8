"""Seconds that the host takes to launch a layer: what it takes at least where no graph does it."""

from core.calculators.training.scenario import NO_GRAPHS, Scenario
from core.calculators.training.stragglers import in_16_bits
from core.calculators.training.work import blocks_of_a_layer, moe_share
from core.catalog.calibrations import training as constants
from core.parallel.columns import either, larger, where


def launches_s(scenario: Scenario, repeated_share: float) -> float:
    """
    Seconds that launching a layer takes, forward and backward, of which ``repeated_share`` forwards again.

    Dense layers take it where TP ranks meet in them, unless CUDA graphs are stated. Layers with experts,
    their attention included, take it only where it is stated that there are none: recipes that were tuned
    capture what they can.
    """
    passes = 1 + constants.BACKWARD_OVER_FORWARD + repeated_share
    dense_s, share = _dense_s(scenario), moe_share(scenario.model)
    return passes * ((1 - share) * dense_s + share * larger(dense_s, _experts_s(scenario)))


def _dense_s(scenario: Scenario) -> float:
    """A forward of the layers whose TP ranks wait for one another."""
    if scenario.cuda_graphs not in {None, NO_GRAPHS}:
        return 0.0
    launch_s = constants.HOST_LAYER_S.get(scenario.kernels, 0.0) * blocks_of_a_layer(scenario.model)
    if not in_16_bits(scenario):
        launch_s *= constants.HOST_NARROW
    return where(scenario.layout.tp > 1, launch_s, 0.0)


def _experts_s(scenario: Scenario) -> float:
    """A forward of a layer with routed experts; the host asks how many tokens came."""
    if scenario.cuda_graphs != NO_GRAPHS:
        return 0.0
    layout = scenario.layout
    in_step = either(layout.pp == 1, layout.vpp > 1)
    return constants.HOST_EXPERTS_S * where(in_step, 1.0, constants.HOST_EXPERTS_PIPELINE)
