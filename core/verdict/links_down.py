"""Links that are down, as ``nvlink -s`` or ``topo -m`` of a file shows them, told to the slow runs beside."""

from collections.abc import Sequence

from core.measurement import Observation
from core.verdict.records import RunVerdict, Status

CODE = "links_inactive"
KIND = "links_down"


def links_down(verdict: RunVerdict, verdicts: Sequence[RunVerdict]) -> tuple[Observation, ...]:
    """Of a slow collective within one node: the first GPU of its file whose links are not all up."""
    if verdict.status is not Status.LOW or not verdict.sizes or verdict.domains != 1:
        return ()
    down = (pair for item in verdicts for pair in item.pairs if pair.reason.code == CODE)
    return tuple(
        Observation(KIND, f"{pair.row} {pair.column}".rstrip() + f": {pair.reason.text}")
        for pair in (next(down, None),)
        if pair is not None
    )
