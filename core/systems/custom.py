"""Custom: a GPU and a machine of yours, for the pages and for Python."""

from core.catalog.gpus import GPUS
from core.catalog.links import LINKS
from core.checks import InputError, choice, number
from core.hardware import Architecture, Gpu, System, Topology
from core.provenance import Basis, Confidence, Quoted, Scope
from core.systems.build import YOURS, DomainSpec, NetworkSpec, build, rate_of, slug

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
) -> Gpu:
    """A GPU of yours; rates one way, peaks dense. InputError names what is wrong."""
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
        architecture=Architecture.UNKNOWN,
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


def custom_system(  # noqa: PLR0913 (every input of a page, by name)
    gpu: str | Gpu,
    *,
    domain_gpus: int,
    name: str = "yours",
    scale_up_bytes_per_s: float | None = None,
    latency_s: float | None = None,
    topology: Topology | str | None = None,
    link: str | None = None,
    pair_bytes_per_s: float | None = None,
    in_network_reduction: bool | None = None,
    taper: float = 1.0,
    gpus_per_uplink: int = 1,
    host_link: str | None = None,
    network: str | None = None,
    nics_per_domain: int | None = None,
    nic_bytes_per_s: float | None = None,
    network_latency_s: float | None = None,
    oversubscription: float = 1.0,
    domains: int = 1,
) -> System:
    """
    A machine of yours, labelled *yours* everywhere; each option is a field of a spec in ``build``.

    ``gpu`` is a catalog id or a ``Gpu`` of ``custom_gpu``; ``network`` a catalog id, or None with a
    ``nic_bytes_per_s`` of your own.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    device = GPUS[choice("gpu", gpu, GPUS)] if isinstance(gpu, str) else gpu
    domain = DomainSpec(
        gpus=domain_gpus,
        topology=topology,
        link=link,
        bytes_per_s=scale_up_bytes_per_s,
        latency_s=latency_s,
        in_network_reduction=in_network_reduction,
        pair_bytes_per_s=pair_bytes_per_s,
        taper=taper,
        gpus_per_uplink=gpus_per_uplink,
        host_link=host_link,
    )
    wire = None
    if network is not None or nic_bytes_per_s is not None:
        wire = NetworkSpec(network, nics_per_domain, nic_bytes_per_s, network_latency_s, oversubscription)
    elif nics_per_domain is not None:
        message = f"network: {nics_per_domain} NICs need a network or a nic_bytes_per_s"
        raise InputError(message)
    return build(name, device, domain, wire, domains)
