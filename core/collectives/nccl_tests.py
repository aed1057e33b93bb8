"""The nccl-tests program of each collective, and the line that runs it as a question asks."""

from core.collectives.cost_model.setting import ENGINES
from core.collectives.pricing import Scenario
from core.collectives.pricing.placement import placement_of
from core.collectives.question import AUTO
from core.hardware import Gpu

PROGRAMS = {
    "all_reduce": "all_reduce_perf",
    "all_gather": "all_gather_perf",
    "reduce_scatter": "reduce_scatter_perf",
    "all_to_all": "alltoall_perf",
    "broadcast": "broadcast_perf",
    "reduce": "reduce_perf",
    "send_recv": "sendrecv_perf",
}
MSCCLPP = "mscclpp"
FORCED = {
    "ring": "Ring",
    "tree": "Tree",
    "nvls": "NVLS",
    "nvlstree": "NVLSTree",
    "sharp": "CollnetChain,CollnetDirect",
    "sharp-pipelined": "CollnetChain,CollnetDirect",
    "nvls-sharp": "NVLS",
}
"""What NCCL_ALGO calls the algorithms that it has."""
REPLAYS = 20
"""Of the CUDA graph."""
WARM_UP = 20
"""Iterations before those timed, where one size alone is measured: a first row is often cold."""
TWICE = 2


def command(scenario: Scenario, first_bytes: int, last_bytes: int) -> str:
    """
    Sizes from one to another, doubling, with one process per GPU; empty where nccl-tests runs no such kernel.

    Raises:
        InputError: No such ranks.
    """
    placement = placement_of(scenario)
    if placement.implementation in ENGINES and placement.implementation != MSCCLPP:
        return ""
    host = host_gpus(scenario.system.gpu, placement.local_ranks)
    per_host = [f"-N {host}"] if host < placement.ranks else []
    environment = [
        f"-x {name}={value}"
        for name, value in _environment(scenario, across=placement.domains > 1 and placement.in_network)
    ]
    if placement.implementation == MSCCLPP:
        environment.append("-x LD_PRELOAD=libmscclpp_nccl.so")
    sizes = f"-b {first_bytes} -e {last_bytes} -f 2 -g 1"
    kind = [f"-d {scenario.dtype}"] if scenario.dtype != Scenario.dtype else []
    warm_up = [f"-w {WARM_UP}"] if first_bytes == last_bytes else []
    graph = [f"-G {REPLAYS}"] if scenario.launch == "graph" else []
    program = PROGRAMS[scenario.collective]
    words = [f"mpirun -np {placement.ranks}", *per_host, *environment, program, sizes, *kind, *warm_up]
    return " ".join((*words, *graph))


def _environment(scenario: Scenario, *, across: bool) -> list[tuple[str, str]]:
    """Variables that make NCCL do what the question says; ``across``: with in-network reduction (SHARP)."""
    variables = []
    name = scenario.algorithm.partition("/")[0]
    if name in FORCED:
        variables.append(("NCCL_ALGO", FORCED[name]))
    if scenario.nvls != AUTO:
        variables.append(("NCCL_NVLS_ENABLE", str(int(scenario.nvls == "on"))))
    if across:
        variables.append(("NCCL_COLLNET_ENABLE", "1"))
    return variables


def host_gpus(gpu: Gpu, domain_gpus: int) -> int:
    """Of a domain's GPUs those of one host: all of a node's, four of a tray of superchips."""
    return min(domain_gpus, TWICE * gpu.gpus_per_cpu) if gpu.gpus_per_cpu > 1 else domain_gpus
