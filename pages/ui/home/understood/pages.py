"""Which pages answer a question first, by what it names."""

from collections.abc import Iterable
from dataclasses import replace

from pages.ui.home.understood import question
from pages.ui.home.understood.judged import measured
from pages.ui.home.understood.question import Read
from pages.ui.home.understood.sides import compared_degrees
from pages.ui.shared.navigation import SECTIONS, Page

PAGES = {page.name: page for pages in SECTIONS.values() for page in pages}
RACK_GPUS = 72


def ordered(read: Read, listed: Iterable[Page]) -> tuple[Page, ...]:
    """The pages that a search has listed, those that what the question names belongs to in front."""
    pages = list(listed)
    first = _first(read, pages)
    best = pages[0].name if pages else ""
    if (first or best) != "scenarios":
        # Without sides of its own the comparison is an empty page.
        pages = [page for page in pages if page is not PAGES["scenarios"]]
    front = [first]
    if first == "tensor_parallel" and len(compared_degrees(read)) > 1:
        # The page of one degree names the best rival of its own choice; the comparison, the two that were typed.
        front = [first, "scenarios"] if read.pcie else ["scenarios", first]
    return tuple(dict.fromkeys([*(PAGES[name] for name in front if name), *pages]))


def _first(read: Read, pages: list[Page]) -> str:
    """The page that two systems, an operation or a degree speak of; empty where the search knows better."""
    several = len(read.machines) > 1
    rack = any(machine.domain_gpus >= RACK_GPUS for machine in read.machines)
    best = pages[0].name if pages else ""
    rules = {
        "catalog": read.has_nvlink and bool(read.machines) and _nothing_else(read),
        "check": bool(measured(read)),
        "nvl72": several and rack,
        "scenarios": several,
        "collectives": bool(read.operation),
        "gradient_sync": len(read.networks) > 1,
        "training": read.degrees.keys() >= {"tp", "pp"},
        "tensor_parallel": "tp" in read.degrees
        or read.request_rate is not None
        or bool(read.lengths)
        or (read.pcie and (read.whatif or best != "layouts"))
        or (best in ("", "scenarios") and bool(read.machines or read.models)),
    }
    return next((page for page, speaks in rules.items() if speaks), "")


def _nothing_else(read: Read) -> bool:
    """Whether a question names systems and NVLink alone."""
    rest = replace(read, machines=(), has_nvlink=False, pcie=False, unread=())
    return rest == question.read("")
