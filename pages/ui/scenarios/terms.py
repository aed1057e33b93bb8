"""Terms of a comparison as the page names and explains them."""

import re

from core.calculators.comparison import Difference
from pages.ui.shared.basis import measured_set
from pages.ui.tensor_parallel.terms import label as step_label

ARROW = " → "
_MEASURED = re.compile(rf"(?:(?<=calibration )|(?<=fitted on ))[\w/-]+(?:{ARROW}[\w/-]+)*")
"""Ids of calibrations in a reason, such as ``nvlink-hopper``."""


def label(term: str) -> str:
    """What the page calls a term of core."""
    return step_label(term)


def because(difference: Difference) -> str:
    """Why a term differs, calibrations by the machines that were measured."""
    reason = difference.reason.replace("->", "→")
    return _MEASURED.sub(lambda ids: ARROW.join(map(measured_set, ids[0].split(ARROW))), reason)
