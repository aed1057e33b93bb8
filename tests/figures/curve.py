"""One published curve of a collective and its error under the cost model."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.collectives.cost_model import Setting, predict
from core.collectives.formulas import busbw_factor
from core.provenance import Source
from core.units import GB


@dataclass(frozen=True)
class Curve:
    """
    Out-of-place bus bandwidth of one collective on one machine.

    Attributes:
        site: Whose machine, in words.
        gpu: Catalog id.
        link: Catalog id of the scale-up link.
        domain_gpus: GPUs taking part in each scale-up domain.
        collective: NCCL's name.
        source: Who printed it.
        busbw: GB/s (1e9) by message size in bytes as nccl-tests counts it, three digits.
        domains: Scale-up domains.
        network: Catalog id of the scale-out network, None in one domain.
        nic_gb_per_s: NIC rate of a domain over its GPUs taking part, unidirectional.
        implementation: NCCL, RCCL or a serving engine's own kernel.
        launch: From a stream or inside a CUDA graph.
        calibrated_on: Whether the shipped constants were fitted on this site.
        algorithm: The one that was forced.
        estimated_on: Whether a constant was chosen by hand with this curve in view.
        nvls: Whether the switches of a domain add; None as such machines have it.
        in_network_reduction: Whether the switches between the domains add (SHARP).
    """

    site: str
    gpu: str
    link: str
    domain_gpus: int
    collective: str
    source: Source
    busbw: dict[int, float]
    domains: int = 1
    network: str | None = None
    nic_gb_per_s: float | None = None
    implementation: str = "nccl"
    launch: str = "stream"
    calibrated_on: bool = True
    algorithm: str = "auto"
    estimated_on: bool = False
    nvls: bool | None = None
    in_network_reduction: bool = False

    @property
    def judges(self) -> bool:
        """Whether no constant was fitted to it or chosen with it in view."""
        return not self.calibrated_on and not self.estimated_on

    def __str__(self) -> str:
        return f"{self.site}, {self.implementation} {self.collective}"

    @cached_property
    def size_bytes(self) -> np.ndarray:
        """The message sizes."""
        return np.array(list(self.busbw), float)

    @cached_property
    def time_s(self) -> np.ndarray:
        """Seconds of one collective at each size."""
        factor = float(busbw_factor(self.collective, self.domain_gpus * self.domains))
        return self.size_bytes * factor / (np.array(list(self.busbw.values())) * GB)

    @cached_property
    def setting(self) -> Setting:
        """The question behind the curve."""
        return Setting(
            self.gpu,
            self.link,
            self.domain_gpus,
            self.domains,
            self.network,
            self.nic_gb_per_s and self.nic_gb_per_s * GB,
            self.collective,
            self.implementation,
            self.launch,
            algorithm=self.algorithm,
            nvls=self.nvls,
            in_network_reduction=self.in_network_reduction,
        )

    @cached_property
    def answer(self):
        """The cost model's answer at each size."""
        return predict(self.setting, self.size_bytes)

    @property
    def error(self) -> np.ndarray:
        """Predicted over measured time less one, at each size."""
        return self.answer.time_s / self.time_s - 1

    @property
    def inside(self) -> np.ndarray:
        """Whether the measured time lies in the answer's band, at each size."""
        return (self.answer.low_s <= self.time_s) & (self.time_s <= self.answer.high_s)


def met(curves: list[Curve]) -> tuple[np.ndarray, np.ndarray]:
    """Absolute relative errors of some curves, and which of them lie inside the interval."""
    errors = np.abs(np.concatenate([curve.error for curve in curves]))
    return errors, np.concatenate([curve.inside for curve in curves])
