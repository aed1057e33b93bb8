"""A custom system: GPU, scale-up domain and network of your own, for pages, system files and Python."""

from dataclasses import dataclass

from core.catalog.gpus import GPUS
from core.checks import choice, count
from core.errors import InputError
from core.hardware import Gpu, System
from core.systems.custom_domain import DomainSpec, scale_up_of
from core.systems.custom_network import NetworkSpec, network_of
from core.systems.limits import MOST_DOMAINS, YOURS, slug


@dataclass(frozen=True, slots=True)
class CustomSystem:
    """
    What a custom system states.

    Attributes:
        gpu: Catalog id, or a ``Gpu`` of ``custom_gpu``.
        domain: The scale-up domain; a bare number is its GPUs, joined as the GPU's own machines are.
        network: The scale-out fabric; a bare word is a catalog link; None for a system without one.
        domains: Domains taking part.
        name: Shown with the badge *yours*; its id follows from it.
    """

    gpu: str | Gpu
    domain: DomainSpec | int
    network: NetworkSpec | str | None = None
    domains: int = 1
    name: str = "yours"


def custom_system(custom: CustomSystem) -> System:
    """
    A checked system of your own, labelled *yours* everywhere.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    gpu = (
        GPUS[choice("gpu", custom.gpu, GPUS, listed="the Catalog page")]
        if isinstance(custom.gpu, str)
        else custom.gpu
    )
    domains = count("domains", custom.domains, most=MOST_DOMAINS)
    if domains > 1 and custom.network is None:
        message = f"network: {domains} domains need one"
        raise InputError(message)
    spec = custom.domain if isinstance(custom.domain, DomainSpec) else DomainSpec(custom.domain)
    domain = scale_up_of(gpu, spec)
    network = None
    if custom.network is not None:
        stated = NetworkSpec(custom.network) if isinstance(custom.network, str) else custom.network
        network = network_of(stated, domain.fabric.ranks)
    return System(
        id=slug(custom.name),
        name=custom.name,
        gpu=gpu,
        fabrics=(domain.fabric, *(() if network is None else network.tiers)),
        domain_gpus=domain.fabric.ranks,
        domains=domains,
        network=None if network is None else network.link,
        nics_per_domain=0 if network is None else network.nics_per_domain,
        host_link=domain.host_link,
        pair_bytes_per_s=domain.pair_bytes_per_s,
        gpus_per_uplink=domain.gpus_per_uplink,
        yours=True,
        sources=(YOURS,),
        note="yours",
        wiring=domain.wiring,
        bridge=domain.bridge,
    )
