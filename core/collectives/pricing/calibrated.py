"""Calibrated rates: the question put to the cost model, and its answer as a sweep."""

import numpy as np

from core.catalog import GPUS, LINKS
from core.checks import Floats
from core.collectives.cost_model import Prediction, Setting, predict
from core.collectives.fitted import predict_fitted
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.place import Place, place
from core.collectives.pricing.scenario import Scenario
from core.hardware import System, Topology
from core.provenance import Origin, Source
from core.units import format_rate

PARTIAL_MESH = (Topology.CUBE_MESH, Topology.BRIDGE)
"""Where a part of the GPUs sees another rate than all of them: then the rate itself is passed on."""

MESH_LINKS, MESH_PEERS = "if-", 7
"""Links of full meshes, and how many peers a GPU has in the meshes that were measured."""

OWN_BASIS = ("fitted:", "adapted:")
"""How the basis of an answer begins that rests on the asker's own machine."""


def by_cost_model(scenario: Scenario, where: Place, sizes: Floats) -> Sweep:
    """
    The sweep of a scenario as the cost model predicts it, adapted to measured points where given.

    Raises:
        InputError: The model cannot answer this.
    """
    rates = scenario.rates
    asked = setting(scenario, where)
    if rates.origin is Origin.FITTED and rates.fit is not None:
        prediction = predict_fitted(asked, sizes, rates.fit)
    else:
        prediction = predict(asked, sizes, points=rates.points)
    own = rates.origin is Origin.FITTED and prediction.basis.startswith(OWN_BASIS)
    return _sweep(scenario, where, prediction, rates.label if own else str(Origin.CALIBRATED))


def setting_of(scenario: Scenario) -> Setting:
    """The setting that the cost model is asked for this scenario: what a measured point must carry."""
    return setting(scenario, place(scenario))


def setting(scenario: Scenario, where: Place) -> Setting:
    """Everything but the size, as the cost model asks for it."""
    system = scenario.system
    inside = across = None
    if where.outer is not None:
        across = where.outer.bytes_per_s * where.rate_scale
    scaled = where.outer is None and where.rate_scale != 1.0
    own = system.yours and not _of_the_catalog(system, where)
    if scaled or own or system.scale_up.topology in PARTIAL_MESH:
        inside = _whole_mesh(system, where) * (where.rate_scale if scaled else 1.0)
    return Setting(
        gpu=system.gpu.id,
        scale_up_link=system.scale_up.link,
        domain_gpus=where.local_ranks,
        domains=where.domains,
        scale_out_link=system.network if where.domains > 1 else None,
        scale_out_bytes_per_s_per_gpu=across,
        collective=scenario.collective,
        implementation=where.implementation,
        launch=scenario.launch,
        dtype=scenario.dtype,
        algorithm=scenario.algorithm,
        scale_up_bytes_per_s=inside,
    )


def _of_the_catalog(system: System, where: Place) -> bool:
    """Whether a machine of yours has a GPU and a wire of the catalog at its rate, which were measured."""
    link = LINKS.get(system.scale_up.link)
    rate = None if link is None or link.rate is None else link.rate.bytes_per_s
    return system.gpu.id in GPUS and where.inner.bytes_per_s == rate


def _whole_mesh(system: System, where: Place) -> float:
    """The rate over all links: of a mesh the cost model itself counts those towards ranks taking part."""
    rate = where.inner.bytes_per_s
    if not system.scale_up.link.startswith(MESH_LINKS) or where.local_ranks == 1:
        return rate
    return rate * MESH_PEERS / min(MESH_PEERS, where.local_ranks - 1)


def _sweep(scenario: Scenario, where: Place, found: Prediction, rates: str) -> Sweep:
    nothing = found.time_s <= 0
    return Sweep(
        collective=scenario.collective,
        ranks=scenario.ranks,
        size_bytes=found.size_bytes,
        time_s=found.time_s,
        low_s=found.low_s,
        high_s=found.high_s,
        launch_s=found.launch_s,
        latency_s=found.latency_s,
        transfer_s=found.transfer_s,
        reduction_s=found.reduction_s,
        wire_bytes=found.wire_bytes,
        algorithms=np.where(nothing, "", found.labels()),
        runner_ups=np.where(nothing, "", found.runner_up_labels()),
        runner_up_s=found.runner_up_time_s,
        rates=rates,
        basis=found.basis,
        warnings=where.remarks + _cut_mesh(scenario, where) + found.warnings + _unmeasured(scenario, where),
        sources=tuple(_source(text) for text in found.sources),
    )


def _cut_mesh(scenario: Scenario, where: Place) -> tuple[str, ...]:
    """A line where only a part of a cube mesh or of bridged GPUs takes part: the rate steps with ranks."""
    fabric = scenario.system.scale_up
    if fabric.topology not in PARTIAL_MESH or where.local_ranks == 1:
        return ()
    rate = where.inner.bytes_per_s
    if rate >= fabric.bytes_per_s:
        return ()
    whole = f"{format_rate(rate)} of {format_rate(fabric.bytes_per_s)} a GPU"
    return (f"{fabric.topology}: {where.local_ranks} GPUs reach each other at {whole}; it steps with ranks",)


def _unmeasured(scenario: Scenario, where: Place) -> tuple[str, ...]:
    """A line where the network's switches could add and no measurement says how fast."""
    if not where.in_network or where.domains == 1 or scenario.collective != "all_reduce":
        return ()
    return ("switches of the network that add were never measured here: spec rates reckon with them",)


def _source(text: str) -> Source:
    return Source(key=text, title=text, where="core/catalog/calibrations")
