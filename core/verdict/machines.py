"""The machines that the runs of a file were made on: where it compares several, each run is judged alone."""

from collections.abc import Callable, Sequence

from core.measurement import Run
from core.verdict.log_gpu import card_of

_Key = Callable[[Run], str]


def by_machine(runs: Sequence[Run]) -> list[list[int]]:
    """
    The places of the runs, those of one machine together.

    Machines differ by their GPU, and runs of the same GPU by the NICs that the words beside each state.
    A run that names neither, such as a topology, belongs to the next one that does, else to the one before.
    """
    groups = _split(runs, list(range(len(runs))), _gpu)
    return [part for group in groups for part in _split(runs, group, _stated_nics)]


def _split(runs: Sequence[Run], places: list[int], key: _Key) -> list[list[int]]:
    keys = [key(runs[place]) for place in places]
    if len(set(filter(None, keys))) <= 1:
        return [places]
    groups: dict[str, list[int]] = {}
    for index, place in enumerate(places):
        around = (*keys[index:], *reversed(keys[:index]))
        groups.setdefault(next(filter(None, around)), []).append(place)
    return list(groups.values())


def _gpu(run: Run) -> str:
    return card_of(run) or next((gpu.name for gpu in run.machine.gpus), "")


def _stated_nics(run: Run) -> str:
    return next((item.value for item in run.observations if item.kind == "nics_stated"), "")
