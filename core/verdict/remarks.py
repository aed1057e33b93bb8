"""What is said beside a verdict on a collective: how its ranks sit, and which NICs its log leaves out."""

from core.measurement import Run
from core.verdict.evidence import evidence_of
from core.verdict.links import nics_in_use
from core.verdict.ranks import RankMapping
from core.verdict.records import ASSUMED_NICS, Status
from core.verdict.reference import reference_warnings


def remarks(run: Run, mapping: RankMapping, status: Status) -> tuple[str, ...]:
    """Sentences on the ranks, on what words compare the run with, on NICs that a fine run leaves out."""
    fewer = _fewer_nics(run, mapping) if status in (Status.FINE, Status.HIGH) else ""
    return (*mapping.warnings, *reference_warnings(run), *((fewer,) if fewer else ()))


def _fewer_nics(run: Run, mapping: RankMapping) -> str:
    """Of a run between nodes whose log names fewer NICs than its ranks can use; empty elsewhere."""
    nics = nics_in_use(mapping.system, mapping.local_ranks)
    evidence = evidence_of(run)
    named = evidence.chosen_adapters if evidence.chosen_adapters is not None else evidence.adapters
    if mapping.domains < 2 or not named or named >= nics or mapping.system.unverified == ASSUMED_NICS:  # noqa: PLR2004 (one node)
        return ""
    return (
        f"the log names {named} of {nics} NICs of a node: as expected all the same, "
        "but between more nodes the others would be missed"
    )
