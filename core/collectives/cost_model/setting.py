"""The question put to the cost model: a Setting (everything but the size) and measured Points."""

from dataclasses import dataclass

from core.checks import InputError, choice, count
from core.collectives.formulas import MEASURED_COLLECTIVES

IMPLEMENTATIONS = (
    "nccl",
    "rccl",
    "vllm-custom",
    "sglang-custom",
    "trtllm-auto",
    "nvls-multimem",
    "mscclpp",
)
ENGINES = IMPLEMENTATIONS[2:]
"""Kernels of inference engines, inside one domain: an all-reduce, of NVLS multimem also its two halves."""
ENGINE_COLLECTIVES = {"nvls-multimem": ("all_reduce", "all_gather", "reduce_scatter")}
"""What an engine's kernels run where that is more than an all-reduce."""
LAUNCHES = ("stream", "graph")
ONE_PROCESS = "one-process"
"""From a stream, by one process that starts the kernels of all GPUs of its node in turn (``-g 8``)."""
ALGORITHMS = (
    "none",
    "ring",
    "tree",
    "nvls",
    "nvlstree",
    "direct",
    "one-shot",
    "two-shot",
    "two-level",
    "two-level-tree",
    "two-level-pipelined",
    "sharp",
    "sharp-pipelined",
    "nvls-sharp",
)
MOST_DOMAIN_GPUS = 4096
MOST_DOMAINS = 1_000_000
LARGEST_BYTES = 1e18


@dataclass(frozen=True, slots=True)
class Setting:
    """
    Everything but the size: hardware, placement, collective and how it is launched.

    Attributes:
        gpu, scale_up_link, scale_out_link: Catalog ids. One that the catalog lacks is answered from
            the others and from the rates, extrapolated.
        domain_gpus: GPUs taking part inside one scale-up domain.
        domains: Domains taking part.
        scale_out_bytes_per_s_per_gpu: NIC rate of a domain over its GPUs taking part, one way; None
            takes that of the link.
        launch: ``stream`` by one process a GPU, ``graph``, or ``one-process``.
        algorithm: ``auto`` takes the cheapest.
        scale_up_bytes_per_s: One way per GPU; None takes that of link and GPU.
        nvls: Whether the switches of the domain reduce (NVLS); None as such GPUs and links do.
        scale_out_port_share: Of a port's rate what the network carries: 1 / oversubscription.
        in_network_reduction: In-network reduction across domains (SHARP); nothing inside one domain.
    """

    gpu: str
    scale_up_link: str
    domain_gpus: int
    domains: int = 1
    scale_out_link: str | None = None
    scale_out_bytes_per_s_per_gpu: float | None = None
    collective: str = "all_reduce"
    implementation: str = "nccl"
    launch: str = "stream"
    dtype: str = "half"
    algorithm: str = "auto"
    scale_up_bytes_per_s: float | None = None
    nvls: bool | None = None
    scale_out_port_share: float = 1.0
    in_network_reduction: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One measured result of the user's own cluster."""

    setting: Setting
    size_bytes: float
    time_s: float


def check(setting: Setting) -> None:
    """Refuse values that no cluster could have; raises InputError naming the argument."""
    count("domain_gpus", setting.domain_gpus, most=MOST_DOMAIN_GPUS)
    count("domains", setting.domains, most=MOST_DOMAINS)
    choice("collective", setting.collective, MEASURED_COLLECTIVES)
    choice("implementation", setting.implementation, IMPLEMENTATIONS)
    choice("launch", setting.launch, (*LAUNCHES, ONE_PROCESS))
    choice("algorithm", setting.algorithm, ("auto", *ALGORITHMS[1:]))
    for name in ("gpu", "scale_up_link", "dtype"):
        if not isinstance(getattr(setting, name), str) or not getattr(setting, name):
            message = f"{name}: a name, not {getattr(setting, name)!r}"
            raise InputError(message)


def engine_runs(implementation: str, collective: str) -> bool:
    """Whether an engine's own kernel runs this collective inside one domain."""
    return collective in ENGINE_COLLECTIVES.get(implementation, ("all_reduce",))
