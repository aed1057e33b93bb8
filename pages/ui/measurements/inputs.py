"""Inputs of the page Measurements: which system and rates the model takes, which samples are drawn."""

from dataclasses import dataclass

from pages.ui.shared import bound, machine, measured, rates

LOG = "from the log"
PLACEMENTS = ("out-of-place", "in-place", measured.NO_PLACEMENT)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The system's widgets, the rates, and the placements whose samples are drawn."""

    system: machine.SystemChoice
    rates: rates.RateChoice
    placements: tuple[str, ...]


def choose() -> Inputs:
    """The widgets of the sidebar."""
    system_choice = machine.choose(LOG, key="overlay_system", extra=(LOG,))
    choice = rates.choose()
    placements = bound.several(
        "Placement", "placement", PLACEMENTS, PLACEMENTS, help="Of the buffers, as nccl-tests reports it."
    )
    return Inputs(system_choice, choice, tuple(placements))
