"""The question put to the cost model: a Setting (everything but the size) and measured Points."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Literal

from core.collectives.cost_model import facts
from core.collectives.cost_model.errors import CostModelError

COLLECTIVES = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "broadcast",
    "reduce",
    "send_recv",
    "gather",
    "scatter",
)
IMPLEMENTATIONS = (
    "nccl",
    "rccl",
    "vllm-custom",
    "sglang-custom",
    "trtllm-auto",
    "nvls-multimem",
)
ENGINES = IMPLEMENTATIONS[2:]
LAUNCHES = ("stream", "graph")
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
)
MAX_DOMAIN_GPUS = 4096
MAX_DOMAINS = 1_000_000
LARGEST_BYTES = 1e18
SLOWEST_BYTES_PER_S, FASTEST_BYTES_PER_S = 1.0, 1e18

Family = Literal["nvlink", "pcie", "mesh"]


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything but the size: hardware, placement, collective and how it is launched.

    `domain_gpus` counts the GPUs taking part inside one scale-up domain, `domains` how many such
    domains. `scale_out_bytes_per_s_per_gpu` is the NIC rate of a domain divided by its GPUs taking
    part, one way. `scale_up_bytes_per_s` overrides the link's one-way rate per GPU.
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


@dataclass(frozen=True, slots=True)
class Point:
    """One measured result of the asker's own machine."""

    setting: Setting
    size_bytes: float
    time_s: float


@dataclass(frozen=True, slots=True)
class Resolved:
    """A checked Setting in physical terms: what the lines need to know."""

    setting: Setting
    generation: str
    vendor: str
    family: str
    link_bytes_per_s: float
    gpus: int
    domains: int
    network_family: str
    nic_bytes_per_s: float
    known_link: bool

    @property
    def ranks(self) -> int:
        """All GPUs taking part."""
        return self.gpus * self.domains

    @property
    def domain_nic_bytes_per_s(self) -> float:
        """W: what one domain can send, one way."""
        return self.gpus * self.nic_bytes_per_s


def machine_key(setting: Setting) -> tuple[object, ...]:
    """What must agree for a measured point to say something about a setting."""
    asked = resolve(setting)
    return (
        setting.gpu,
        setting.scale_up_link,
        asked.link_bytes_per_s,
        asked.gpus,
        asked.domains,
        setting.scale_out_link if asked.domains > 1 else None,
        asked.nic_bytes_per_s,
    )


def resolve(setting: Setting) -> Resolved:
    """Check a setting and look up its physical facts; raises CostModelError naming the argument."""
    gpus = _count("domain_gpus", setting.domain_gpus, MAX_DOMAIN_GPUS)
    domains = _count("domains", setting.domains, MAX_DOMAINS)
    _choice("collective", setting.collective, COLLECTIVES)
    _choice("implementation", setting.implementation, IMPLEMENTATIONS)
    _choice("launch", setting.launch, LAUNCHES)
    _choice("algorithm", setting.algorithm, ("auto", *ALGORITHMS[1:]))
    if not isinstance(setting.dtype, str) or not setting.dtype:
        msg = "dtype must be a name such as half, bfloat16, float, double or int8"
        raise CostModelError(msg)
    silicon = facts.GPUS.get(setting.gpu)
    family, rate, known = _scale_up(setting, silicon)
    network, nic = _scale_out(setting, domains)
    silicon = silicon or facts.UNKNOWN_GPU
    return Resolved(
        setting,
        silicon.generation,
        silicon.vendor,
        family,
        rate,
        gpus,
        domains,
        network,
        nic,
        known and silicon is not facts.UNKNOWN_GPU,
    )


def check_algorithm_fits(setting: Setting) -> None:
    """An engine's own kernel is an all-reduce inside one domain; anything else is an error."""
    if setting.implementation in ENGINES:
        if setting.collective != "all_reduce":
            msg = f"collective must be all_reduce for implementation {setting.implementation}"
            raise CostModelError(msg)
        if setting.domains > 1:
            msg = f"domains must be 1 for implementation {setting.implementation}"
            raise CostModelError(msg)


def _scale_up(setting: Setting, silicon: facts.Silicon | None) -> tuple[str, float, bool]:
    link = facts.SCALE_UP_LINKS.get(setting.scale_up_link)
    override = _rate("scale_up_bytes_per_s", setting.scale_up_bytes_per_s)
    if override is not None:
        family = link.family if link else _family_of_name(setting.scale_up_link)
        return family, override, link is not None
    if silicon is None:
        allowed = ", ".join(sorted(facts.GPUS))
        msg = f"gpu {setting.gpu!r} is unknown: give scale_up_bytes_per_s, or one of {allowed}"
        raise CostModelError(msg)
    if link is None:
        allowed = ", ".join(sorted(facts.SCALE_UP_LINKS))
        msg = (
            f"scale_up_link {setting.scale_up_link!r} is unknown: "
            f"give scale_up_bytes_per_s, or one of {allowed}"
        )
        raise CostModelError(msg)
    rate = link.bytes_per_s
    if link.family == "nvlink" and silicon.link_bytes_per_s is not None:
        rate = min(rate, silicon.link_bytes_per_s)
    return link.family, rate, True


def _family_of_name(link: object) -> str:
    if not isinstance(link, str):
        msg = "scale_up_link must be a link id such as nvlink4"
        raise CostModelError(msg)
    if link.startswith("pcie"):
        return "pcie"
    return "mesh" if link.startswith("if-") else "nvlink"


def _scale_out(setting: Setting, domains: int) -> tuple[str, float]:
    rate = _rate("scale_out_bytes_per_s_per_gpu", setting.scale_out_bytes_per_s_per_gpu)
    if domains == 1:
        return "none", math.inf
    if setting.scale_out_link is None:
        if rate is None:
            msg = "scale_out_link or scale_out_bytes_per_s_per_gpu must be given when domains is more than 1"
            raise CostModelError(msg)
        return "generic", rate
    network = facts.NETWORKS.get(setting.scale_out_link)
    if network is not None:
        return network.family, rate if rate is not None else network.bytes_per_s
    if rate is None:
        allowed = ", ".join(sorted(facts.NETWORKS))
        msg = (
            f"scale_out_link {setting.scale_out_link!r} is unknown: "
            f"give scale_out_bytes_per_s_per_gpu, or one of {allowed}"
        )
        raise CostModelError(msg)
    return "generic", rate


def _count(name: str, value: object, most: int) -> int:
    if isinstance(value, bool):
        msg = f"{name} must be a whole number from 1 to {most}, not {value!r}"
        raise CostModelError(msg)
    try:
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        msg = f"{name} must be a whole number from 1 to {most}, not {value!r}"
        raise CostModelError(msg) from None
    if not 1 <= count <= most:
        msg = f"{name} must be a whole number from 1 to {most}, not {count}"
        raise CostModelError(msg)
    return count


def _rate(name: str, value: object) -> float | None:
    if value is None:
        return None
    try:
        rate = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        rate = math.nan
    if not SLOWEST_BYTES_PER_S <= rate <= FASTEST_BYTES_PER_S:
        msg = f"{name} must be a positive number of bytes/s, at least 1 and at most 1e18, not {value!r}"
        raise CostModelError(msg)
    return rate


def _choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        msg = f"{name} must be one of {', '.join(allowed)}, not {value!r}"
        raise CostModelError(msg)
