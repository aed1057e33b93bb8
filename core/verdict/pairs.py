"""Copies between pairs, to the host and in memory against the wires that should carry them."""

import statistics
from collections.abc import Iterator

from core.catalog import LINKS
from core.hardware import Family, System, Topology
from core.measurement import Matrix, Run
from core.systems import hop_for, route
from core.units import GB
from core.verdict.finding import PairFinding, Reason, Word

LEAST = 0.72
"""Share of a wire's one-way rate that a good copy reaches: measured ones give 0.82 to 0.93."""
MOST = 1.03
STAGED = 0.5
APART = 0.8
"""Below this share of its like, a GPU or a link is the odd one."""

_FINE = Reason("as_expected", "what this wire gives")


def judge_matrix(matrix: Matrix, system: System) -> list[PairFinding]:
    """Findings for the cells of one matrix; empty for what has no expectation."""
    if matrix.kind == "links":
        return list(_links(matrix, system))
    if matrix.kind == "topology":
        return list(_paths(matrix, system))
    if matrix.kind == "bandwidth" and matrix.direction is not None and not _one_stream(matrix):
        return list(_bandwidth(matrix, system))
    return []


def _one_stream(matrix: Matrix) -> bool:
    """Whether nvbandwidth measured one stream of two: then no wire's rate is the measure."""
    both = matrix.direction == "both_ways"
    return both and "bidirectional" in matrix.name and not matrix.name.endswith("total")


def _bandwidth(matrix: Matrix, system: System) -> Iterator[PairFinding]:
    if matrix.name.startswith(("host_to_device_memcpy", "device_to_host_memcpy")):
        yield from _host(matrix, system)
    elif len(matrix.rows) > 1 and len(matrix.columns) > 1 and "P2P=Disabled" not in matrix.name:
        yield from _copies(matrix, system)


def judge_copies(run: Run, system: System) -> list[PairFinding]:
    """Findings for our probe's own samples: memory copies and host copies."""
    found = []
    for sample in run.samples:
        if sample.time_s <= 0 or sample.size_bytes < 1 << 24:
            continue
        expected = _copy_rate(sample.operation or "", system)
        if expected is None:
            continue
        twice = 2 if sample.operation == "hbm_copy" else 1
        name = sample.detail or "GPU0"
        rate = twice * sample.size_bytes / sample.time_s
        found.append(_finding(sample.operation or "", name, "", rate, expected, LEAST))
    return found


def _copy_rate(operation: str, system: System) -> float | None:
    if operation == "hbm_copy":
        return system.gpu.memory_rate.bytes_per_s
    return _host_rate(system) if operation in ("host_to_device_pinned", "device_to_host_pinned") else None


def _host_rate(system: System) -> float | None:
    link = LINKS.get(system.host_link or "")
    return None if link is None or link.rate is None else link.rate.bytes_per_s


def _finding(what: str, row: str, column: str, rate: float, expected: float, least: float) -> PairFinding:
    if rate > expected * MOST:
        text = f"more than the {expected / GB:.4g} GB/s of the wire: another machine, or both ways counted"
        return PairFinding(
            what, row, column, rate, expected, Word.IMPOSSIBLE, Reason("faster_than_the_wire", text)
        )
    if rate < expected * least:
        text = f"{rate / expected:.0%} of the {expected / GB:.4g} GB/s of the wire"
        return PairFinding(what, row, column, rate, expected, Word.LOW, Reason("below_the_wire", text))
    return PairFinding(what, row, column, rate, expected, Word.FINE, _FINE)


def _host(matrix: Matrix, system: System) -> Iterator[PairFinding]:
    expected = _host_rate(system)
    for column, cell in zip(matrix.columns, matrix.values[0], strict=True):
        if expected is not None and isinstance(cell, float):
            yield _finding(matrix.name, "host", f"GPU{column}", cell, expected, LEAST)


def _copies(matrix: Matrix, system: System) -> Iterator[PairFinding]:
    both = 2 if matrix.direction == "both_ways" else 1
    cells = [
        (i, j, cell)
        for i, row in enumerate(matrix.values)
        for j, cell in enumerate(row)
        if isinstance(cell, float) and matrix.rows[i] != matrix.columns[j]
    ]
    usual = statistics.median(cell for _, _, cell in cells) if cells else 0.0
    odd = _odd_gpu(matrix, usual)
    for i, j, cell in cells:
        wire = both * _pair_rate(system, i, j)
        found = _finding(matrix.name, f"GPU{matrix.rows[i]}", f"GPU{matrix.columns[j]}", cell, wire, LEAST)
        if found.word is not Word.LOW:
            yield found
            continue
        reason = _why(matrix, system, cell, both, usual, odd, (matrix.rows[i], matrix.columns[j]))
        yield PairFinding(found.what, found.row, found.column, cell, wire, Word.LOW, reason or found.reason)


def _pair_rate(system: System, first: int, second: int) -> float:
    if (
        system.scale_up.topology is Topology.CUBE_MESH
        and system.wiring
        and max(first, second) < len(system.wiring)
    ):
        links = route(system, first, second).links
        each = system.scale_up.bytes_per_s / sum(system.wiring[0])
        return links * each if links else hop_for(system, system.domain_gpus).bytes_per_s / system.domain_gpus
    return hop_for(system, min(2, system.domain_gpus)).bytes_per_s


def _why(
    matrix: Matrix, system: System, cell: float, both: int, usual: float, odd: str, pair: tuple[str, str]
) -> Reason | None:
    host = _host_rate(system)
    if matrix.peer_access is False:
        return Reason("staged_copies", "no peer access: the copy is staged through host memory")
    if odd and odd in pair:
        return Reason("slow_gpu", f"all pairs of GPU{odd} are slow: look at this GPU, its slot and its links")
    if cell < APART * usual:
        return Reason(
            "slow_link", f"this pair is slow among pairs of {usual / GB:.4g} GB/s: one bad link or path"
        )
    link = LINKS.get(system.scale_up.link)
    nvlink = link is not None and link.family is not Family.PCIE
    if host is not None and nvlink and cell <= both * host:
        if cell < STAGED * both * host:
            return Reason("staged_copies", "less than half of a PCIe slot: staged through host memory")
        return Reason("pcie_instead_of_nvlink", f"what PCIe gives, not {system.scale_up.link}")
    return None


def _odd_gpu(matrix: Matrix, usual: float) -> str:
    """The one GPU all of whose pairs are slow, if there is exactly one."""
    slow = []
    for k, name in enumerate(matrix.columns):
        mine = [c for j, c in enumerate(matrix.values[k]) if j != k] if k < len(matrix.values) else []
        mine += [row[k] for i, row in enumerate(matrix.values) if i != k]
        figures = [cell for cell in mine if isinstance(cell, float)]
        if len(figures) > 2 and max(figures) < APART * usual:  # noqa: PLR2004 (more than one partner)
            slow.append(name)
    return slow[0] if len(slow) == 1 else ""


def _links(matrix: Matrix, system: System) -> Iterator[PairFinding]:
    wanted = system.gpu.scale_up_links
    total = system.gpu.scale_up.bytes_per_s if system.gpu.scale_up is not None else None
    for name, row in zip(matrix.rows, matrix.values, strict=True):
        rates = [cell for cell in row if isinstance(cell, float)]
        if not wanted or not total:
            continue
        if len(rates) < wanted:
            reason = Reason("links_inactive", f"{len(rates)} of {wanted} links are up")
            yield PairFinding(matrix.name, name, "", sum(rates), total, Word.LOW, reason)
        else:
            yield _finding(matrix.name, name, "", sum(rates), total, LEAST)


def _paths(matrix: Matrix, system: System) -> Iterator[PairFinding]:
    link = LINKS.get(system.scale_up.link)
    if link is None or link.family is not Family.NVLINK or matrix.name.startswith("topo -p2p"):
        return
    direct = system.scale_up.topology in (Topology.SWITCH, Topology.FULL_MESH)
    for i, name in enumerate(matrix.rows):
        for j, other in enumerate(matrix.columns):
            word = matrix.values[i][j]
            if not (name.startswith("GPU") and other.startswith("GPU")) or word in ("X", None):
                continue
            found = _path(str(word), system) if direct else (Word.FINE, _FINE)
            yield PairFinding(matrix.name, name, other, None, None, *found)


def _path(word: str, system: System) -> tuple[Word, Reason]:
    """A path of a machine whose GPUs are all joined by NVLink; through switches by all links of a GPU."""
    if not word.startswith("NV"):
        return Word.LOW, Reason("pcie_instead_of_nvlink", f"joined by {word}, not by NVLink")
    wanted, there = system.gpu.scale_up_links, word[2:]
    if system.scale_up.topology is not Topology.SWITCH or not wanted or not there.isdigit():
        return Word.FINE, _FINE
    if int(there) < wanted:
        return Word.LOW, Reason("links_inactive", f"{word}: {there} of {wanted} links of a GPU")
    if int(there) > wanted:
        return Word.IMPOSSIBLE, Reason("another_gpu", f"{word}: {system.gpu.name} has {wanted} links")
    return Word.FINE, _FINE
