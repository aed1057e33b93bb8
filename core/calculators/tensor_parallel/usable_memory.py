"""The usable memory of a GPU: what weights and KV cache of a served model may take of it together."""

from dataclasses import dataclass

from core import checks
from core.checks import InputError
from core.hardware import Gpu
from core.units import GB

DATASHEET, DRIVER, FREE = "datasheet", "driver", "free"
MEMORY_OF = (DATASHEET, DRIVER, FREE)


@dataclass(frozen=True, kw_only=True)
class UsableMemory:
    """
    How much of a GPU's memory weights and KV cache may take.

    Attributes:
        usable: Share of the memory that may be used.
        memory_of: What the share is a share of: the datasheet's memory, the memory that the driver
            reports (gpu_memory_utilization, mem_fraction_static), or what is free of it after the weights
            (kv_cache_free_gpu_memory_fraction).
        reserve_bytes: Activations, CUDA graphs and communication buffers on each GPU.
    """

    usable: float = 0.9
    memory_of: str = DATASHEET
    reserve_bytes: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be used; raises InputError naming the argument."""
        checks.number("usable", self.usable, above=0, most=1)
        checks.choice("memory_of", self.memory_of, MEMORY_OF)
        checks.number("reserve_bytes", self.reserve_bytes, least=0)

    def limit_bytes(self, gpu: Gpu, weight_bytes: float) -> float:
        """What weights of this size and their cache may take of a GPU."""
        if self.memory_of == FREE:
            return weight_bytes + (gpu.visible_memory_bytes - weight_bytes - self.reserve_bytes) * self.usable
        stated = gpu.memory_bytes if self.memory_of == DATASHEET else gpu.visible_memory_bytes
        return stated * self.usable - self.reserve_bytes

    def check(self, gpu: Gpu) -> None:
        """
        Refuse a reserve that leaves a GPU nothing for weights and cache.

        Raises:
            InputError: It is more than what may be used of the GPU.
        """
        stated = gpu.memory_bytes if self.memory_of == DATASHEET else gpu.visible_memory_bytes
        most = stated if self.memory_of == FREE else stated * self.usable
        if self.reserve_bytes > most:
            message = (
                f"reserve_bytes: at most the {most / GB:.3g} GB that may be used of {gpu.name}, "
                f"not {self.reserve_bytes / GB:.3g} GB"
            )
            raise InputError(message)

    def text(self, gpu: Gpu) -> str:
        """What the limit is made of, as *90 % of the 80 GB of the datasheet*."""
        stated = gpu.memory_bytes if self.memory_of == DATASHEET else gpu.visible_memory_bytes
        source = {
            DATASHEET: "of the datasheet",
            DRIVER: "that the driver reports",
            FREE: "that the driver reports, after the weights",
        }[self.memory_of]
        share = f"{100 * self.usable:.3g} % of the {stated / 1e9:.3g} GB {source}"
        return (
            f"{share}, less {self.reserve_bytes / 1e9:.3g} GB of runtime reserve"
            if self.reserve_bytes
            else share
        )
