"""Accuracy on the independent set: machines found by search that calibrated nothing."""

from collections.abc import Callable, Iterable

import numpy as np

from core.collectives.cost_model.version import MODEL_VERSION
from core.units import KIB, MIB
from tests.bench.tables import percent, print_table
from tests.figures import (
    clusters,
    many_nodes,
    more_clusters,
    new_kinds,
    newest_clusters,
    unseen_kinds,
)
from tests.figures.curve import Curve

SETS = (
    ("first set", clusters.CURVES),
    ("second set", more_clusters.CURVES),
    ("third set", newest_clusters.CURVES),
    ("fourth set", new_kinds.CURVES),
    ("fifth set", unseen_kinds.CURVES),
    ("sixth set", many_nodes.CURVES),
)
CURVES = tuple(curve for _, curves in SETS for curve in curves if curve.judges)
SOUND = tuple(curve for _, curves in SETS[:4] for curve in curves if curve.judges)
"""Of logs that were searched for as those of healthy machines; the later sets hold whatever was found."""
HEADER = ("asked", "figures", "median", "p90", "in band")
NODE_GPUS = 8
SIZES = ((0, 64 * KIB), (64 * KIB, MIB), (MIB, 64 * MIB), (64 * MIB, 2**60))


def _small_mesh(curve: Curve) -> bool:
    return curve.domains == 1 and curve.implementation == "rccl" and curve.domain_gpus < NODE_GPUS


KINDS: tuple[tuple[str, Callable[[Curve], bool]], ...] = (
    ("one domain", lambda curve: curve.domains == 1 and curve.domain_gpus <= NODE_GPUS),
    ("one domain: AMD GPUs", lambda curve: curve.domains == 1 and curve.implementation == "rccl"),
    ("one domain: one process drives all GPUs", lambda curve: "one process" in curve.site),
    ("one domain: meshes of 2 to 7 GPUs", _small_mesh),
    ("one domain: racks", lambda curve: curve.domains == 1 and curve.domain_gpus > NODE_GPUS),
    ("several: InfiniBand", lambda curve: (curve.network or "").startswith("ib")),
    ("several: RoCE behind NVIDIA GPUs", lambda curve: _roce(curve) and curve.implementation == "nccl"),
    ("several: RoCE behind AMD GPUs", lambda curve: _roce(curve) and curve.implementation == "rccl"),
    ("several: racks", lambda curve: curve.domains > 1 and curve.domain_gpus > NODE_GPUS),
    ("several: EFA", lambda curve: (curve.network or "").startswith("efa")),
    ("several: TCPXO", lambda curve: (curve.network or "").startswith("tcpx")),
    ("several: 8 and more domains", lambda curve: curve.domains >= 8),
    ("in a CUDA graph", lambda curve: curve.launch == "graph"),
    ("send-recv", lambda curve: curve.collective == "send_recv"),
    ("all-to-all", lambda curve: curve.collective == "all_to_all"),
    ("all of one domain", lambda curve: curve.domains == 1),
    ("all of several domains", lambda curve: curve.domains > 1),
)


def _roce(curve: Curve) -> bool:
    return (curve.network or "").startswith("roce")


def report() -> None:
    """By kind and by size, then the curves that are missed by most."""
    rows = [_line(name, [(curve, slice(None)) for curve in CURVES if kind(curve)]) for name, kind in KINDS]
    for low, high in SIZES:
        parts = [(curve, (curve.size_bytes >= low) & (curve.size_bytes < high)) for curve in CURVES]
        for where, several in (("one domain", False), ("several", True)):
            chosen = [part for part in parts if (part[0].domains > 1) is several]
            rows.append(_line(f"{where}, {_name(low, high)}", chosen))
    for name, curves in SETS:
        left_out = [curve for curve in curves if curve.judges]
        for where, several in (("one domain", False), ("several domains", True)):
            chosen = [(curve, slice(None)) for curve in left_out if (curve.domains > 1) is several]
            rows.append(_line(f"{name}: {where}", chosen))
    title = f"Machines that calibrated nothing: an independent set (model {MODEL_VERSION})"
    print_table(title, HEADER, rows)
    worst = sorted(CURVES, key=lambda curve: -float(np.median(np.abs(curve.error))))[:12]
    print_table(
        f"Of these the curves missed by most (model {MODEL_VERSION})",
        (*HEADER, "source"),
        [(*_line(str(curve), [(curve, slice(None))]), curve.source.title) for curve in worst],
    )


def _line(name: str, parts: Iterable[tuple[Curve, slice | np.ndarray]]) -> tuple[str, ...]:
    chosen = list(parts)
    errors = np.abs(np.concatenate([curve.error[part] for curve, part in chosen]))
    inside = np.concatenate([curve.inside[part] for curve, part in chosen])
    shares = (np.median(errors), np.quantile(errors, 0.9), inside.mean())
    return (name, str(errors.size), *(percent(float(share)) for share in shares))


def _name(low: float, high: float) -> str:
    if high > 2**50:
        return f"from {low / MIB:g} MiB"
    return f"{low / MIB:g} to {high / MIB:g} MiB"
