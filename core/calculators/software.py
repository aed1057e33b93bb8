"""Software presets as parts of a question: the library that communicates, and the training job it runs."""

from dataclasses import fields
from typing import Any

from core.calculators.question import TrainingJob
from core.catalog.software import PRESETS, Preset
from core.checks import choice
from core.collectives.question import AUTO, Software

COMMUNICATES = tuple(item.name for item in fields(Software))
HOLDS = ("memory_of", "reserve_bytes", "state_ratio", "state_slots", "state_pages")
SERVES = ("engine",)
TRAINS = ("strategy", "param_bytes", "recompute", "framework")


def preset_of(name: str, auto: str) -> Preset:
    """
    The preset of this id; ``auto`` is the one that the word auto stands for.

    Raises:
        InputError: No such preset; the message lists them.
    """
    return PRESETS[auto if choice("software", name, (AUTO, *PRESETS)) == AUTO else name]


def preset(name: str, **replaced: str) -> Software:
    """
    The software of a question by a preset's id; ``implementation`` or ``launch`` replace its own.

    Raises:
        InputError: No such preset, or a value that is not modelled.
    """
    return Software(**stated(preset_of(name, name), COMMUNICATES) | replaced)


def training_job(name: str, **values: Any) -> TrainingJob:
    """
    A training job as a preset's framework runs it; ``values`` go first.

    Raises:
        InputError: No such preset, or a value that cannot be used.
    """
    return TrainingJob(**stated(preset_of(name, name), TRAINS) | values)


def trains(preset: Preset, *, chosen: bool) -> dict[str, Any]:
    """
    What a preset says of a training job.

    Where nobody chose it, the framework goes by the job: sharded parameters are FSDP's.
    """
    values = stated(preset, TRAINS)
    return values if chosen else {name: value for name, value in values.items() if name != "framework"}


def stated(preset: Preset, names: tuple[str, ...]) -> dict[str, Any]:
    """What a preset says of these fields; what it leaves to the calculator is left out."""
    values = {name: getattr(preset, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}
