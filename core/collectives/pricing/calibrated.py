"""Calibrated rates: the question put to the cost model, and its answer as a sweep."""

import numpy as np

from core.catalog import GPUS, LINKS
from core.checks import Floats
from core.collectives.cost_model import Prediction, Setting, predict
from core.collectives.cost_model.communicator import as_catalogued
from core.collectives.cost_model.compiler import compiled, compiled_times
from core.collectives.cost_model.curve import CostCurve, TimeCurve
from core.collectives.cost_model.one_domain import MESH_LINKS
from core.collectives.fitted import predict_fitted
from core.collectives.fitted.predict import fitted_curve
from core.collectives.formulas.columns import FIGURES
from core.collectives.pricing.answered import answered
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.placement import Placement, placement_of
from core.collectives.pricing.scenario import Scenario
from core.collectives.question import AUTO
from core.hardware import Family, System, Topology
from core.provenance import Origin, Source
from core.systems.scale_up import ScaleUpPath
from core.units import format_rate

PARTIAL_LINKS = (Topology.CUBE_MESH, Topology.BRIDGE)
"""Where some GPUs of a domain reach each other at another rate than all: that rate is passed on."""


def by_cost_model(scenario: Scenario, placement: Placement, sizes: Floats) -> Sweep:
    """
    The sweep of a scenario as the cost model predicts it, adapted to measured points where given.

    Raises:
        InputError: The cost model has no such algorithm, or a value is beyond any cluster.
    """
    rates = scenario.rates
    question = setting(scenario, placement)
    if rates.origin is Origin.FITTED and rates.fit is not None:
        prediction = predict_fitted(question, sizes, rates.fit)
    else:
        prediction = predict(question, sizes, points=rates.points)
    return _sweep(scenario, placement, prediction, answered(rates, [prediction.basis]))


def curve_of(scenario: Scenario, placement: Placement) -> CostCurve | TimeCurve:
    """
    The curve that ``by_cost_model`` reads, or of it what a search reads.

    Raises:
        InputError: The cost model has no such algorithm, or a value is beyond any cluster.
    """
    rates, question = scenario.rates, setting(scenario, placement)
    if rates.origin is Origin.FITTED and rates.fit is not None:
        return fitted_curve(question, rates.fit) or compiled_times(question)
    return compiled(question, rates.points) if rates.points else compiled_times(question)


def setting_of(scenario: Scenario) -> Setting:
    """The setting of a scenario in the cost model: what a measured point must carry."""
    return setting(scenario, placement_of(scenario))


def setting(scenario: Scenario, placement: Placement) -> Setting:
    """Everything but the size, as the cost model counts it."""
    system, outer = scenario.system, placement.outer
    return Setting(
        gpu=system.gpu.id,
        scale_up_link=_link(system, placement.path),
        domain_gpus=placement.local_ranks,
        domains=placement.domains,
        scale_out_link=system.network if placement.domains > 1 else None,
        scale_out_bytes_per_s_per_gpu=None if outer is None else outer.bytes_per_s * placement.rate_scale,
        collective=scenario.collective,
        implementation=placement.implementation,
        launch=scenario.launch,
        dtype=scenario.dtype,
        algorithm=scenario.algorithm,
        scale_up_bytes_per_s=_scale_up_rate(scenario, placement),
        nvls=_nvls(scenario, placement),
        scale_out_port_share=_port_share(system, placement),
        in_network_reduction=placement.in_network and placement.domains > 1,
    )


def _port_share(system: System, placement: Placement) -> float:
    """What of a port's rate leaves a domain below an oversubscribed leaf."""
    leaf = system.scale_out
    return placement.rate_scale / (leaf.oversubscription if leaf is not None else 1.0)


def _nvls(scenario: Scenario, placement: Placement) -> bool | None:
    """What the question or a system of your own says of NVLS; None leaves it to the catalog."""
    if scenario.nvls != AUTO:
        return placement.in_switch
    system = scenario.system
    return _switches_add(system, placement.path) if system.yours else None


def _switches_add(system: System, path: ScaleUpPath) -> bool | None:
    """Whether the switches of a system of your own add; None on PCIe, which has none."""
    if path.topology.pcie:
        return None
    return path.topology is Topology.SWITCH and system.scale_up.in_network_reduction


def _link(system: System, path: ScaleUpPath) -> str:
    """The link of the path; for one of your own the catalog's of that kind that the GPU has."""
    if path.link in LINKS:
        return path.link
    link = system.gpu.pcie_link if path.topology.pcie else system.gpu.scale_up_link
    return link or path.link


def _scale_up_rate(scenario: Scenario, placement: Placement) -> float | None:
    """The rate that replaces the catalog's: where it is scaled, your own, or only some links are in use."""
    system, path = scenario.system, placement.path
    scaled = placement.outer is None and placement.rate_scale != 1.0
    some_links = _some_links_alone(system, path) or _reduced(path)
    if not scaled and not some_links and not (system.yours and not _of_the_catalog(system, path)):
        return None
    rate = path.bytes_per_s
    if _is_mesh(path) and placement.local_ranks > 1:
        peers = 1 if scenario.collective == "send_recv" else placement.local_ranks - 1
        rate *= MESH_LINKS / min(MESH_LINKS, peers)
    return rate * (placement.rate_scale if scaled else 1.0)


def _some_links_alone(system: System, path: ScaleUpPath) -> bool:
    """Whether these GPUs are joined by some of their links; a bridged pair has all of its own."""
    pair = path.topology is Topology.BRIDGE and as_catalogued(system.gpu.id, path.link, path.bytes_per_s)
    return path.topology in PARTIAL_LINKS and not pair


def _is_mesh(path: ScaleUpPath) -> bool:
    """A mesh whose links the cost model itself counts: Infinity Fabric."""
    return path.link in LINKS and LINKS[path.link].family is Family.INFINITY_FABRIC


def _reduced(path: ScaleUpPath) -> bool:
    """Whether a full mesh of links that the cost model takes for switched ones leaves some idle."""
    mesh = path.topology is Topology.FULL_MESH and not _is_mesh(path)
    return mesh and path.bytes_per_s < path.full_bytes_per_s


def _of_the_catalog(system: System, path: ScaleUpPath) -> bool:
    """Whether a system of your own has a GPU and a link of the catalog at their rate."""
    gpu, link = GPUS.get(system.gpu.id), LINKS.get(path.link)
    if gpu is None or link is None or link.rate is None:
        return False
    rate = link.rate.bytes_per_s
    if gpu.scale_up is not None and gpu.scale_up_link == path.link:
        rate = min(rate, gpu.scale_up.bytes_per_s)
    return path.bytes_per_s == rate


def _sweep(scenario: Scenario, placement: Placement, prediction: Prediction, rates: str) -> Sweep:
    nothing = prediction.time_s <= 0
    warnings = (
        *placement.remarks,
        *_some_links(scenario, placement),
        *prediction.warnings,
    )
    return Sweep(
        collective=scenario.collective,
        ranks=scenario.ranks,
        size_bytes=prediction.size_bytes,
        **{name: getattr(prediction, name) for name in FIGURES},
        algorithms=np.where(nothing, "", prediction.labels()),
        runner_ups=np.where(nothing, "", prediction.runner_up_labels()),
        runner_up_s=prediction.runner_up_time_s,
        rates=rates,
        basis=prediction.basis,
        warnings=warnings,
        sources=tuple(_source(text) for text in prediction.sources),
    )


def _some_links(scenario: Scenario, placement: Placement) -> tuple[str, ...]:
    """A line where only a part of a cube mesh or of bridged GPUs takes part: the rate steps with ranks."""
    fabric = scenario.system.scale_up
    if fabric.topology not in PARTIAL_LINKS or placement.local_ranks == 1:
        return ()
    rate = placement.inner.bytes_per_s
    if rate >= fabric.bytes_per_s:
        return ()
    all_links = f"{format_rate(rate)} of {format_rate(fabric.bytes_per_s)} a GPU"
    gpus = f"{placement.local_ranks} GPUs"
    return (f"{fabric.topology}: {gpus} reach each other at {all_links}; it steps with ranks",)


def _source(text: str) -> Source:
    return Source(key=text, title=text, where="calibration of the cost model")
