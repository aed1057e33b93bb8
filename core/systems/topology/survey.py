"""Survey of a topology matrix: each pair's expected rate, the weak pairs, what is odd about the matrix."""

from dataclasses import dataclass, replace

from core.hardware import Gpu
from core.measurement import Matrix
from core.systems.topology.devices import NEAR, Devices, devices_of
from core.systems.topology.domains import Domain, Layout, domains_of, layout_of
from core.systems.topology.paths import PathRate, path_rate
from core.systems.topology.ultrametric import Strange, strange_triples
from core.units import counted, format_rate

WEAK = 0.9
"""Below this share of the best pair's expected rate a pair is weak."""
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Pair:
    """Two GPUs: the word between them, the rate that it promises, and whether others do better."""

    first: str
    second: str
    word: str | None
    rate: PathRate | None
    weak: bool


@dataclass(frozen=True, slots=True)
class Survey:
    """
    What a topology says.

    Attributes:
        near_nics: For each GPU its NICs behind the same PCIe switch.
        findings: What a reader should know, most important first, a sentence each.
    """

    devices: Devices
    layout: Layout
    domains: tuple[Domain, ...]
    pairs: tuple[Pair, ...]
    strange: tuple[Strange, ...]
    near_nics: dict[str, tuple[str, ...]]
    findings: tuple[str, ...]

    @property
    def weak(self) -> tuple[Pair, ...]:
        """The pairs that others do better than."""
        return tuple(pair for pair in self.pairs if pair.weak)


def survey(matrix: Matrix, gpu: Gpu, pcie: str | None = None) -> Survey:
    """
    Read a topology matrix of GPUs of one kind.

    Args:
        matrix: Of `nvidia-smi topo -m`.
        gpu: Which the matrix does not name.
        pcie: Link id of the slots; None takes the GPU's own.

    Raises:
        InputError: It is no such matrix.
    """
    devices = devices_of(matrix)
    pairs = _pairs(devices, gpu, pcie)
    near = {gpu_name: _near(devices, gpu_name) for gpu_name in devices.gpus}
    strange = strange_triples(devices)
    bare = Survey(devices, layout_of(devices, gpu), domains_of(devices), pairs, strange, near, ())
    return replace(bare, findings=tuple(_findings(bare, gpu)))


def _pairs(devices: Devices, gpu: Gpu, pcie: str | None) -> tuple[Pair, ...]:
    rated = []
    for i, first in enumerate(devices.gpus):
        for second in devices.gpus[i + 1 :]:
            word = devices.word(first, second)
            rated.append((first, second, word, path_rate(word, gpu, pcie)))
    best = max((rate.expected_bytes_per_s for _, _, _, rate in rated if rate is not None), default=0.0)
    return tuple(
        Pair(first, second, word, rate, rate is not None and rate.expected_bytes_per_s < WEAK * best)
        for first, second, word, rate in rated
    )


def _findings(survey: Survey, gpu: Gpu) -> list[str]:
    devices, layout = survey.devices, survey.layout
    lines = [f"{survey.layout.why[:1].upper()}{survey.layout.why[1:]}."]
    total = gpu.scale_up_links or 0
    if layout.pair_links > total > 0:
        lines.append(f"NV{layout.pair_links} is more links than {gpu.name} has ({total}): another GPU?")
    elif str(layout.topology) == "switch" and 0 < layout.pair_links < total:
        lines.append(f"NV{layout.pair_links} of {total} links: some are down, or this is a cut-down part.")
    weak = survey.weak
    if weak:
        lines.append(f"{counted(len(weak), 'weak pair')}: {_named(weak)}.")
    outside = [name for name in devices.gpus if name not in layout.gpus]
    if outside:
        lines.append(f"Outside the largest NVLink domain: {', '.join(outside[:MOST_NAMED])}.")
    if devices.nics:
        far = [name for name, nics in survey.near_nics.items() if not nics and _any_word(devices, name)]
        if far:
            names = ", ".join(far[:MOST_NAMED]) + (" ..." if len(far) > MOST_NAMED else "")
            lines.append(f"No NIC behind the same PCIe switch: {names}; their traffic crosses the CPU.")
    lines += [f"Impossible: {triple.text}." for triple in survey.strange[:3]]
    lines += [f"{a} and {b} disagree about their path." for a, b in devices.lopsided[:3]]
    if devices.unknown:
        lines.append(f"{len(devices.unknown)} pairs are not in the matrix: it was cut off.")
    return lines


def _near(devices: Devices, gpu: str) -> tuple[str, ...]:
    """NICs behind the same PCIe switch."""
    return tuple(nic for nic in devices.nics if devices.word(gpu, nic) in NEAR)


def _any_word(devices: Devices, gpu: str) -> bool:
    return any(devices.word(gpu, nic) is not None for nic in devices.nics)


def _named(pairs: tuple[Pair, ...]) -> str:
    names = [
        f"{pair.first}-{pair.second} ({pair.word}, {format_rate(pair.rate.expected_bytes_per_s)})"
        for pair in pairs[:MOST_NAMED]
        if pair.rate is not None
    ]
    return ", ".join(names) + (" ..." if len(pairs) > MOST_NAMED else "")
