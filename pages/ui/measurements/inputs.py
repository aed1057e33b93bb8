"""Inputs of the page Measurements: which system and rates the model takes, which samples are drawn."""

from dataclasses import dataclass

from pages.ui.shared import bound, machine, measured, pick, rates
from pages.ui.shared.pick import LOG
from pages.ui.shared.question.record import SharedInputs

__all__ = ["LOG", "Inputs", "choose"]
PLACEMENTS = ("out-of-place", "in-place", measured.NO_PLACEMENT)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The system's widgets, the rates, and the placements whose samples are drawn."""

    system: machine.SystemChoice
    rates: rates.RateChoice
    placements: tuple[str, ...]


def choose(shared: SharedInputs) -> Inputs:
    """The widgets of the system to compare with and of the placements."""
    system_choice = pick.system(shared.system)
    placements = bound.several(
        "Placement", "placement", PLACEMENTS, PLACEMENTS, help="Of the buffers, as nccl-tests reports it."
    )
    return Inputs(system_choice, shared.rates, tuple(placements))
