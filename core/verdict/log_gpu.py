"""Which GPU of the catalog a log names, by the words of its name or by an instance type of a cloud."""

import re
from dataclasses import dataclass

from core.catalog import GPUS
from core.measurement import Run

_CARDS = {"pcie", "nvl", "fhhl"}
"""Words of cards: no module has them in its name."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance type of a cloud: part of its name, its GPU and network in the catalog."""

    name: str
    gpu: str
    network: str


INSTANCES = (
    Instance("p3dn.24xlarge", "v100-sxm", "efa-100"),
    Instance("p4d.24xlarge", "a100-sxm-40gb", "efa-400"),
    Instance("p4de.24xlarge", "a100-sxm-80gb", "efa-400"),
    Instance("p5.48xlarge", "h100-sxm", "efa-3200"),
    Instance("p5e.48xlarge", "h200-sxm", "efa-3200"),
    Instance("p5en.48xlarge", "h200-sxm", "efa-3200"),
    Instance("p6-b200.48xlarge", "b200-sxm", "efa-v4-b200"),
    Instance("p6-b300.48xlarge", "b300-sxm", "efa-6400"),
    Instance("ND96isr_H100_v5", "h100-sxm", "ib-ndr"),
    Instance("ND96isr_H200_v5", "h200-sxm", "ib-ndr"),
    Instance("ND96asr_v4", "a100-sxm-40gb", "ib-hdr"),
    Instance("ND96amsr_A100_v4", "a100-sxm-80gb", "ib-hdr"),
    Instance("a3-megagpu-8g", "h100-sxm", "tcpxo-200"),
    Instance("a3-highgpu-8g", "h100-sxm", "tcpx-100"),
    Instance("a3-ultragpu-8g", "h200-sxm", "roce-400"),
    Instance("a4-highgpu-8g", "b200-sxm", "roce-400"),
    Instance("BM.GPU.H100.8", "h100-sxm", "roce-400"),
    Instance("BM.GPU.H200.8", "h200-sxm", "roce-400"),
    Instance("BM.GPU.B200.8", "b200-sxm", "roce-400"),
    Instance("BM.GPU4.8", "a100-sxm-40gb", "roce-200"),
    Instance("BM.GPU.A100-v2.8", "a100-sxm-80gb", "roce-200"),
)
"""Shapes that people name in place of a machine."""


def instance_of(run: Run) -> Instance | None:
    """
    The instance type that a line of the log names, as ``p4d.24xlarge``.

    None where none does, where its GPU is not the run's, and where several do that differ.
    """
    words = {item.value.lower() for item in run.observations if item.kind == "instance"}
    gpu = _named_gpu(run)
    own = [
        item
        for item in INSTANCES
        if any(item.name.lower() in word for word in words)
        and (item.gpu in alike(gpu) if gpu else not run.machine.gpus)
    ]
    if len({item.network for item in own}) != 1 or (gpu is None and len({item.gpu for item in own}) > 1):
        return None
    return own[0]


def gpu_id(run: Run) -> str | None:
    """Catalog id of the run's GPU by the words of its name; None if nothing fits."""
    if not run.machine.gpus:
        instance = instance_of(run)
        return instance.gpu if instance else None
    return _named_gpu(run)


def _named_gpu(run: Run) -> str | None:
    if not run.machine.gpus:
        return None
    printed = set(re.split(r"[^a-z0-9]+", run.machine.gpus[0].name.lower()))
    best, most = None, 0
    for key in GPUS:
        tokens = key.split("-")
        series = tokens[1] if tokens[0] == "rtx" and len(tokens) > 1 else tokens[0]
        if series not in printed or _another(tokens, printed):
            continue
        score = 2 + sum(token in printed for token in tokens) + ("sxm" in tokens)
        if score > most:
            best, most = key, score
    return best


def _another(tokens: list[str], printed: set[str]) -> bool:
    """Whether a name is of another product of the series: a card for a module, another number or suffix."""
    if ("sxm" in tokens and _CARDS & printed) or ("laptop" in printed):
        return True
    return any((token.isdigit() or token in ("ada", "ti")) and token not in printed for token in tokens)


def alike(gpu: str) -> list[str]:
    """The GPU and those of its series on the same link, such as both memory sizes of A100 SXM4."""
    series = gpu.partition("-")[0]
    return [gpu] + [
        key
        for key, item in GPUS.items()
        if key != gpu
        and key.partition("-")[0] == series
        and _form(key) == _form(gpu)
        and item.scale_up is not None
        and item.scale_up == GPUS[gpu].scale_up
    ]


def _form(gpu: str) -> set[str]:
    """``pcie`` or ``nvl`` of a card's id; empty of a module's."""
    return _CARDS & set(gpu.split("-"))
