"""A custom GPU, for pages, system files and Python."""

from core.catalog.links import LINKS
from core.checks import choice, number
from core.hardware import Architecture, Gpu
from core.provenance import Basis, Confidence, Quoted, Scope
from core.systems.limits import YOURS, rate_of, slug

_MOST_FLOP_PER_S = 1e24
_MOST_BYTES = 1e18


def custom_gpu(  # noqa: PLR0913 (a datasheet has so many figures)
    name: str,
    *,
    memory_bytes: float,
    memory_bytes_per_s: float,
    bf16_flop_per_s: float | None = None,
    fp8_flop_per_s: float | None = None,
    fp4_flop_per_s: float | None = None,
    int8_flop_per_s: float | None = None,
    scale_up_bytes_per_s: float | None = None,
    pcie_link: str | None = "pcie5-x16",
    in_network_reduction: bool = False,
    architecture: Architecture | str = Architecture.UNKNOWN,
) -> Gpu:
    """
    A GPU of your own: bytes, unidirectional bytes/s, dense FLOP/s.

    ``architecture`` names its generation, which calibrated rates are looked up by.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    generation = Architecture(choice("architecture", str(architecture), [str(each) for each in Architecture]))
    peaks = {
        "bf16_flop_per_s": bf16_flop_per_s,
        "fp8_flop_per_s": fp8_flop_per_s,
        "fp4_flop_per_s": fp4_flop_per_s,
        "int8_flop_per_s": int8_flop_per_s,
    }
    for key, peak in peaks.items():
        if peak is not None:
            number(key, peak, least=1, most=_MOST_FLOP_PER_S)
    if pcie_link is not None:
        choice("pcie_link", pcie_link, LINKS)
    rate = None if scale_up_bytes_per_s is None else rate_of("scale_up_bytes_per_s", scale_up_bytes_per_s)
    memory_rate = rate_of("memory_bytes_per_s", memory_bytes_per_s)
    return Gpu(
        id=slug(name),
        name=name,
        vendor="yours",
        year=0,
        architecture=generation,
        memory_bytes=number("memory_bytes", memory_bytes, least=1, most=_MOST_BYTES),
        memory_rate=Quoted(memory_rate, 1.0, Basis.SHARED, Scope.GPU, YOURS),
        bf16_flop_per_s=bf16_flop_per_s,
        fp8_flop_per_s=fp8_flop_per_s,
        fp4_flop_per_s=fp4_flop_per_s,
        int8_flop_per_s=int8_flop_per_s,
        scale_up=None if rate is None else Quoted(rate, 1.0, Basis.ONE_WAY, Scope.GPU, YOURS),
        scale_up_link=None,
        scale_up_links=None,
        pcie_link=pcie_link,
        domain_sizes="",
        in_network_reduction=in_network_reduction,
        sources=(YOURS,),
        confidence=Confidence.HIGH,
        note="yours",
    )
