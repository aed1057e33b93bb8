"""What is said beside a verdict on a collective: how its ranks sit, and which NICs its log leaves out."""

from core.hardware import Family
from core.measurement import Run
from core.units import format_rate
from core.verdict.evidence import evidence_of
from core.verdict.links import nics_in_use, scale_up_family
from core.verdict.ranks import RankMapping
from core.verdict.records import ASSUMED_NICS, Status
from core.verdict.reference import reference_warnings


def remarks(run: Run, mapping: RankMapping, status: Status) -> tuple[str, ...]:
    """Sentences on the ranks, on what words compare the run with, on NICs that a fine run leaves out."""
    fine = status in (Status.FINE, Status.HIGH)
    open_ends = (_fewer_nics(run, mapping), _untold_bridge(run, mapping)) if fine else ()
    return (*mapping.warnings, *reference_warnings(run), *filter(None, open_ends))


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


def _untold_bridge(run: Run, mapping: RankMapping) -> str:
    """Of two cards judged by their slots that may have a bridge, of which nothing tells; empty elsewhere."""
    gpu, ranks = mapping.system.gpu, mapping.local_ranks * mapping.domains
    on_slots = scale_up_family(mapping.system) is Family.PCIE
    told = evidence_of(run).values("path") or any(matrix.kind == "topology" for matrix in run.matrices)
    if not (gpu.bridge_optional and on_slots and gpu.scale_up and ranks == 2) or told:  # noqa: PLR2004 (a pair)
        return ""
    return (
        "nothing tells whether an NVLink bridge joins the two cards: where nvidia-smi topo -m shows NV#, its "
        f"{format_rate(gpu.scale_up.bytes_per_s)} should carry this, and the number is low"
    )
