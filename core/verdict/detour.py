"""Direct copies between GPUs that are slower than the same copies through host memory."""

import statistics
from collections.abc import Sequence
from dataclasses import replace

from core.measurement import Matrix, Run
from core.units import format_rate
from core.verdict.bridges import pair_rates, peer_rates
from core.verdict.records import PairVerdict, Reason, Status

CODE = "pcie_path"
SLOWER_SHARE = 0.7
"""Direct copies below this share of those through host memory take a detour: sound ones are as fast."""
_SHORT = "the IOMMU, ACS or a small BAR: P2P slower than through the host"


def with_detour(run: Run, pairs: Sequence[PairVerdict]) -> list[PairVerdict]:
    """
    The verdicts on a run's pairs, the slow ones with this reason where the run shows it.

    p2pBandwidthLatencyTest copies each pair directly and through host memory. Where the IOMMU or ACS
    send a direct copy up to the CPU, or the BAR does not map the whole memory, the direct one is slower.
    """
    found = slower_than_staged(run.matrices)
    if found is None:
        return list(pairs)
    direct, staged = found
    text = (
        f"direct copies (P2P=Enabled) run at {format_rate(direct)}, the same through host memory at "
        f"{format_rate(staged)}: the IOMMU or ACS redirects them, or Resizable BAR is off"
    )
    reason = Reason(CODE, text, _SHORT)
    return [replace(pair, reason=reason) if pair.status is Status.LOW else pair for pair in pairs]


def slower_than_staged(matrices: Sequence[Matrix]) -> tuple[float, float] | None:
    """Median rates (bytes/s) of direct and staged copies where the direct ones are much slower; else None."""
    for matrix in matrices:
        if "P2P=Enabled" not in matrix.name or matrix.peer_access is False:
            continue
        direct = list(peer_rates(matrix).values())
        staged = [
            rate
            for other in matrices
            if "P2P=Disabled" in other.name and other.direction == matrix.direction
            for rate in pair_rates(other).values()
        ]
        if direct and staged:
            medians = statistics.median(direct), statistics.median(staged)
            if medians[0] < SLOWER_SHARE * medians[1]:
                return medians
    return None
