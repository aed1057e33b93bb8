"""What the words and the command beside a table say of its machine, where the table itself does not."""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.measurement import GpuCount, Notice, Observation, Run
from gpu_probe.parsers import guess
from gpu_probe.parsers.deepep import LOW_LATENCY
from gpu_probe.parsers.sentence.dump import dumped_card
from gpu_probe.parsers.sentence.launch import Launch
from gpu_probe.parsers.sentence.machine import Stated, gpu_in, machine_of
from gpu_probe.parsers.sentence.passages import Passages

if TYPE_CHECKING:
    from collections.abc import Sequence

_NODES_LEAST, _NODE_GPUS = 2, 8
_NAMELESS = ("graphics device", "vga compatible", "unknown")
"""How drivers name a GPU that they are too old to know."""


def with_words(run: Run, text: str, launch: Launch | None, line: int) -> Run:
    """
    A run with the GPU, ranks and nodes that its log does not list and its words or command do.

    Args:
        run: As its reader gives it.
        text: The prose of the file.
        launch: What the command before it started.
        line: Of the prose.
    """
    if run.format == "deepep":
        return _of_experts(run, text, line)
    if run.format == "perftest":
        return run
    if not run.samples:
        return _of_matrices(run, text, line)
    if run.machine.gpus:
        return _named(run, text, line)
    stated = machine_of(Passages(text, text, text, 0), has_instance=False)
    counts = [item for item in (launch, stated) if item is not None and _fits(run, item.ranks)]
    ranks = run.ranks or next((item.ranks for item in counts), run.ranks_guess)
    if ranks is None:
        return run
    nodes = next((item.nodes for item in counts if item.nodes and ranks % item.nodes == 0), 0)
    said = [Observation("nodes", str(nodes), "", line)] if nodes > 1 and not run.machine.hosts else []
    gpu = stated.gpu if stated is not None else gpu_in(text)
    machine = replace(run.machine, gpus=(GpuCount(gpu, ranks),)) if gpu else run.machine
    told = _told(run, ranks, nodes, gpu, stated)
    return replace(
        run,
        machine=machine,
        ranks_guess=ranks if run.ranks is None else run.ranks_guess,
        observations=(*run.observations, *said),
        warnings=(*run.warnings, Notice("from_prose", told, line)) if told else run.warnings,
    )


def _of_experts(run: Run, text: str, line: int) -> Run:
    """DeepEP's rates on the machine that words name: two nodes of eight GPUs where they name neither."""
    over_network = any("RDMA" in matrix.columns for matrix in run.matrices)
    stated = machine_of(Passages(text, text, text, 0), has_instance=False)
    gpu = stated.gpu if stated is not None else gpu_in(text)
    nodes = stated.nodes if stated is not None else 1
    local = stated.ranks // stated.nodes if stated is not None else _NODE_GPUS
    low_latency = all(matrix.name == LOW_LATENCY for matrix in run.matrices)
    nodes = _NODES_LEAST if over_network and nodes == 1 and not low_latency else nodes
    if not gpu:
        return run
    said = [Observation("nodes", str(nodes), "", line)] if nodes > 1 else []
    told = f"taken from the words beside the rates: {nodes} node{'s' if nodes > 1 else ''} of {local} × {gpu}"
    return replace(
        run,
        machine=replace(run.machine, gpus=(GpuCount(gpu, nodes * local),)),
        ranks=nodes * local,
        observations=(*run.observations, *said),
        warnings=(*run.warnings, Notice("from_prose", told, line)),
    )


def _of_matrices(run: Run, text: str, line: int) -> Run:
    """Copies between GPUs that a paste begins with, without the tool's list of devices: those words name."""
    copies = [item for item in run.matrices if item.kind == "bandwidth" and item.rows == item.columns]
    gpu = "" if run.machine.gpus or not copies else gpu_in(text) or dumped_card(text)
    if not gpu:
        return run
    count = max(len(item.columns) for item in copies)
    told = Notice("from_prose", f"taken from the words beside the matrix: {count} × {gpu}", line)
    machine = replace(run.machine, gpus=(GpuCount(gpu, count),))
    return replace(run, machine=machine, warnings=(*run.warnings, told))


def _fits(run: Run, ranks: int) -> bool:
    """Whether the rates that the log prints can be of so many ranks, or the list of them is as long."""
    if run.ranks is not None:
        return ranks == run.ranks
    collective = run.collective or run.collective_guess
    return (
        ranks > 1
        and collective is not None
        and guess.fits(guess.printed_ratio(run.samples), collective, ranks)
    )


def _told(run: Run, ranks: int, nodes: int, gpu: str, stated: Stated | None) -> str:
    """What was taken from the words beside the table; empty where nothing was."""
    parts = [gpu] if gpu else []
    if run.ranks is None and ranks != run.ranks_guess:
        parts.append(f"{ranks} ranks")
    if nodes > 1 and not run.machine.hosts:
        parts.append(f"{nodes} nodes")
    source = "the words beside the table" if stated is not None or gpu else "its command"
    return f"taken from {source}: {', '.join(parts)}" if parts else ""


def _named(run: Run, text: str, line: int) -> Run:
    """A run whose driver does not know its GPU, with the name in the words beside it."""
    if not all(_is_nameless(gpu.name) for gpu in run.machine.gpus):
        return run
    gpu = gpu_in(text)
    if not gpu:
        return run
    counts = tuple(GpuCount(gpu, item.count) for item in run.machine.gpus[:1])
    told = f"the log calls its GPUs {run.machine.gpus[0].name}; taken for {gpu} from the words beside it"
    warnings: Sequence[Notice] = (*run.warnings, Notice("from_prose", told, line))
    return replace(run, machine=replace(run.machine, gpus=counts), warnings=tuple(warnings))


def _is_nameless(name: str) -> bool:
    """``NVIDIA Graphics Device``, ``NVIDIA Device 2901``: a driver that does not know its GPU."""
    words = name.lower().split()
    numbered = "device" in words[-2:-1] and all(letter in "0123456789abcdef" for letter in words[-1])
    return numbered or any(word in name.lower() for word in _NAMELESS)
