"""A generation of GPU that nobody measured is answered with the mean of those that were."""

from dataclasses import replace

import numpy as np
import pytest

from core.collectives.cost_model import Setting
from core.collectives.cost_model.calibration import Calibration, shipped
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.cost_model.generations import mean_generation

SIZES = np.exp2(np.arange(8.0, 33.0))
GENERATIONS = ("nvlink-ampere", "nvlink-hopper", "nvlink-blackwell")
MEASURED = {
    "nvlink-ampere": Setting("a100-sxm-80gb", "nvlink3", 8),
    "nvlink-blackwell": Setting("b200-sxm", "nvlink5", 8),
}
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")


def times(setting: Setting, calibration: Calibration) -> np.ndarray:
    """What a setting takes over the sizes."""
    return evaluate(compile_curve(setting, (), calibration), SIZES).time_s


def without(*names: str) -> Calibration:
    """The shipped constants as if some generations had never been measured."""
    left = {name: item for name, item in shipped().domains.items() if name not in names}
    return replace(shipped(), domains=left)


def test_the_mean_of_one_generation_is_that_generation():
    """Times, shares and bends come out as they went in, whatever the link they are carried to."""
    hopper = shipped().domains["nvlink-hopper"]
    alone = mean_generation(hopper, (hopper,))

    assert alone.ring.protocols[0].step_s == pytest.approx(hopper.ring.protocols[0].step_s)
    assert alone.ring.correction.ln_factor == pytest.approx(hopper.ring.correction.ln_factor)
    assert alone.in_switch.bytes_per_s == pytest.approx(hopper.in_switch.bytes_per_s)


def test_a_faster_link_keeps_the_share_of_its_rate():
    """Constants are carried over as shares of the link, so Blackwell's rates on Hopper's link are halved."""
    hopper, blackwell = (shipped().domains[name] for name in ("nvlink-hopper", "nvlink-blackwell"))
    carried = mean_generation(hopper, (blackwell,))

    assert carried.ring.protocols[-1].bytes_per_s == pytest.approx(
        blackwell.ring.protocols[-1].bytes_per_s / 2
    )
    assert carried.ring.protocols[-1].step_s == pytest.approx(blackwell.ring.protocols[-1].step_s)


def test_an_unmeasured_generation_starts_neither_first_nor_last():
    """Eight GPUs of Rubin start between the quickest and the slowest of the measured generations."""
    domains = shipped().domains
    starts = [dict(domains[name].ring.launch_s)["all_reduce"] for name in GENERATIONS]
    rubin = mean_generation(domains["nvlink-blackwell"], tuple(domains[name] for name in GENERATIONS)).ring

    assert min(starts) < dict(rubin.launch_s)["all_reduce"] < max(starts)


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_all_generations_tell_a_left_out_one_better_than_the_nearest(name, collective):
    """Ampere and Blackwell lie nearer to the mean of the others than to Hopper, the nearest in years."""
    asked = replace(MEASURED[name], collective=collective)
    own = times(asked, shipped())
    others = [item for item in GENERATIONS if item not in (name, "nvlink-hopper")]
    mean_off = np.abs(np.log(times(asked, without(name)) / own)).mean()
    nearest_off = np.abs(np.log(times(asked, without(name, *others)) / own)).mean()

    assert mean_off < nearest_off


def test_the_domain_of_one_process_is_no_part_of_the_mean():
    """Twelve V100 were started by one process, so their launch tells nothing of other generations."""
    asked = replace(MEASURED["nvlink-blackwell"], collective="all_gather")

    assert times(asked, without("nvlink-blackwell")) == pytest.approx(
        times(asked, without("nvlink-blackwell", "nvlink-volta"))
    )
