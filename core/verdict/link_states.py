"""Links and paths of GPUs against those that their system has: ``nvlink -s``, ``topo -m``."""

from collections.abc import Iterator
from dataclasses import replace

from core.hardware import Family, System, Topology
from core.measurement import Matrix
from core.verdict.evidence import whole
from core.verdict.links import scale_up_family
from core.verdict.pair_rate import AT_LINK_RATE, pair_verdict
from core.verdict.records import PairVerdict, Reason, Status

LINE_RATE_SHARE = 1.1
"""Likewise of ``nvlink -s``, which prints a line's rate: 25.781 and 26.562 GB/s where 25 carry data."""
_PATHS_OF: dict[Family | None, tuple[str, str]] = {
    Family.NVLINK: ("NV", "NVLink"),
    Family.INFINITY_FABRIC: ("XGMI", "Infinity Fabric"),
}
"""How the paths of a topology begin that go over these links, and their names."""


def judge_links(matrix: Matrix, system: System) -> Iterator[PairVerdict]:
    """Verdicts on the links of each GPU: as many as it has, at their rate."""
    link_count = system.gpu.scale_up_links
    total = system.gpu.scale_up.bytes_per_s if system.gpu.scale_up is not None else None
    if not link_count or not total:
        yield from _listed_links(matrix)
        return
    for name, row in zip(matrix.rows, matrix.values, strict=True):
        rates = [cell for cell in row if isinstance(cell, float)]
        verdict = pair_verdict(matrix.name, name, "", sum(rates), total, most_share=LINE_RATE_SHARE)
        if len(rates) < link_count:
            reason = Reason("links_inactive", f"{len(rates)} of {link_count} links are up")
            verdict = replace(verdict, status=Status.LOW, reason=reason)
        yield verdict


def _listed_links(matrix: Matrix) -> Iterator[PairVerdict]:
    """Links of a GPU whose number and rate the catalog lacks: all that it lists should be up."""
    for name, row in zip(matrix.rows, matrix.values, strict=True):
        rates = [cell for cell in row if isinstance(cell, float)]
        down = len(row) - len(rates)
        reason = (
            Reason("links_inactive", f"{len(rates)} of {len(row)} links are up") if down else AT_LINK_RATE
        )
        status = Status.LOW if down else Status.FINE
        yield PairVerdict(matrix.name, name, "", sum(rates), sum(rates) or None, status, reason)


def judge_paths(matrix: Matrix, system: System) -> Iterator[PairVerdict]:
    """Verdicts on the paths of ``topo -m`` in a system whose GPUs are joined by links of their own."""
    if matrix.name.startswith("topo -p2p") or scale_up_family(system) not in _PATHS_OF:
        return
    direct = system.scale_up.topology in (Topology.SWITCH, Topology.FULL_MESH)
    for row, cells in zip(matrix.rows, matrix.values, strict=True):
        for column, path in zip(matrix.columns, cells, strict=True):
            if not (row.startswith("GPU") and column.startswith("GPU")) or path in ("X", None):
                continue
            status, reason = _path_verdict(str(path), system) if direct else (Status.FINE, AT_LINK_RATE)
            yield PairVerdict(matrix.name, row, column, None, None, status, reason)


def _path_verdict(path: str, system: System) -> tuple[Status, Reason]:
    """A path of a system whose GPUs are all joined by NVLink; through switches by all links of a GPU."""
    prefix, link = _PATHS_OF[scale_up_family(system)]
    if not path.startswith(prefix):
        text = f"joined by {path}, not by {link}"
        return Status.LOW, Reason("pcie_instead_of_nvlink", text, f"PCIe instead of {link}")
    expected, active = system.gpu.scale_up_links, whole(path[2:])
    if system.scale_up.topology is not Topology.SWITCH or not expected or active is None:
        return Status.FINE, AT_LINK_RATE
    if active < expected:
        return Status.LOW, Reason("links_inactive", f"{path}: {active} of {expected} links of a GPU")
    if active > expected:
        text = f"{path}: {system.gpu.name} has {expected} links"
        return Status.IMPOSSIBLE, Reason("another_gpu", text)
    return Status.FINE, AT_LINK_RATE
