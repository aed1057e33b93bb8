"""A custom system from the survey of a topology matrix, for every calculator."""

from core.hardware import Gpu, System, Topology
from core.systems.custom import CustomSystem, custom_system
from core.systems.custom_domain import DomainSpec
from core.systems.custom_network import NetworkSpec
from core.systems.topology.devices import NEAR
from core.systems.topology.domains import components
from core.systems.topology.paths import link_rate
from core.systems.topology.survey import Survey


def system_of(
    survey: Survey,
    gpu: Gpu,
    *,
    name: str = "from topo -m",
    network: str | None = None,
    nics: int | None = None,
    pcie: str | None = None,
) -> System:
    """
    The system behind a survey.

    Args:
        survey: Of its topology matrix.
        gpu: From the catalog, or custom.
        name: Shown with *yours*.
        network: Catalog id of the scale-out link; None leaves it without one.
        nics: NICs of a domain; None takes those behind the switch of a GPU, else all in the matrix.
        pcie: Link id of the slots; None takes the GPU's own.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    fabric = None
    if network is not None:
        fabric = NetworkSpec(network, nics or usable_nics(survey) or len(survey.layout.gpus))
    return custom_system(CustomSystem(gpu, domain_spec(survey, gpu, pcie), fabric, name=name))


def usable_nics(survey: Survey) -> int:
    """NICs behind the switch of some GPU, meant for its traffic; all where none is, or rows are cut off."""
    near = {nic for nics in survey.near_nics.values() for nic in nics}
    if survey.devices.unknown:
        return len(survey.devices.nics)
    return len(near) or len(survey.devices.nics)


def domain_spec(survey: Survey, gpu: Gpu, pcie: str | None) -> DomainSpec:
    """The scale-up domain of a survey: its kind, and rates from the links that pairs show."""
    layout = survey.layout
    rate, pair = _rates(survey, gpu)
    return DomainSpec(
        gpus=len(layout.gpus),
        topology=layout.topology,
        bytes_per_s=rate,
        pair_bytes_per_s=pair,
        gpus_per_uplink=_behind_one_uplink(survey),
        host_link=pcie or gpu.pcie_link,
        wiring=layout.wiring if layout.topology is Topology.CUBE_MESH else None,
    )


def _rates(survey: Survey, gpu: Gpu) -> tuple[float | None, float | None]:
    """Unidirectional bytes/s of a GPU and of a pair, as its links show them; None takes the GPU's own."""
    layout = survey.layout
    link = link_rate(gpu)
    if link is None or layout.topology.pcie or layout.topology is Topology.SINGLE:
        return None, None
    pair = layout.pair_links * link
    if layout.topology is Topology.SWITCH:
        return pair, None
    if layout.topology is Topology.FULL_MESH:
        return (len(layout.gpus) - 1) * pair, pair
    return (None if layout.topology is Topology.CUBE_MESH else pair), pair


def _behind_one_uplink(survey: Survey) -> int:
    """GPUs that share one uplink: the largest group behind one PCIe switch."""
    groups = components(survey.devices, lambda word: word in NEAR)
    return max(len(group) for group in groups)
