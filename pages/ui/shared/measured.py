"""Measured runs beside the model: which machine a log speaks of, and its samples as rows."""

import re
from dataclasses import dataclass, replace

import pandas as pd

from core.catalog import GPUS, SYSTEMS
from core.collectives.formulas import COLLECTIVES, busbw_factor
from core.measurement import Run
from core.systems import CustomSystem, NetworkSpec, configure, custom_system
from pages.ui.shared import overlay

ASSUMED_NETWORK = "ib-ndr"
_NETWORKS = ((r"\bp5(e|en)?[.-]", "efa-3200"), (r"\bp4de?[.-]", "efa-400"), (r"\bp3dn[.-]", "efa-100"))


APART = (
    *("NCCL_NVLS_ENABLE", "NCCL_ALGO", "NCCL_PROTO", "NCCL_P2P_DISABLE", "NCCL_IB_DISABLE"),
    *("NCCL_SHM_DISABLE", "NCCL_NET", "NCCL_MAX_NCHANNELS", "NCCL_MIN_NCHANNELS"),
)
"""Settings that make another question of a run: never drawn as one series with the other value."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One run on the chart: its name there and where it comes from."""

    name: str
    run: Run
    stored: int | None = None

    @property
    def drawable(self):
        """Whether bus bandwidth over size means something."""
        run = self.run
        return run.collective in COLLECTIVES and (run.ranks or 0) > 1 and bool(run.samples)


def answered(run, collective, ranks):
    """The run with the collective and ranks that the reader named where the log does not."""
    if not run.samples or (collective, ranks) == (run.collective, run.ranks):
        return run
    samples = tuple(one if one.operation else replace(one, operation=collective) for one in run.samples)
    return replace(run, collective=collective, ranks=ranks, samples=samples)


def merged(runs):
    """Runs of one kind as one: tools that print a header for every size make many of them."""
    kinds = {}
    for run in runs:
        settings = tuple(run.machine.env.get(name) for name in APART)
        kind = (run.format, run.collective, run.ranks, run.machine.gpus, run.dtype, settings)
        kinds.setdefault(kind, []).append(run)
    return [_one(same) for same in kinds.values()]


def _one(runs):
    return replace(
        runs[0],
        samples=tuple(sample for run in runs for sample in run.samples),
        matrices=tuple(matrix for run in runs for matrix in run.matrices),
        warnings=tuple(dict.fromkeys(notice for run in runs for notice in run.warnings)),
    )


def gpu_id(run):
    """Catalog id of the run's GPU by the words of its name; None if nothing fits."""
    if not run.machine.gpus:
        return None
    words = set(re.split(r"[^a-z0-9]+", run.machine.gpus[0].name.lower()))
    best, most = None, 0
    for key in GPUS:
        tokens = key.split("-")
        core = tokens[1] if tokens[0] == "rtx" and len(tokens) > 1 else tokens[0]
        if core not in words:
            continue
        score = 2 + sum(token in words for token in tokens) + ("sxm" in tokens and "pcie" not in words)
        if score > most:
            best, most = key, score
    return best


def network_of(run):
    """Catalog id of the network that the run's NCCL settings give away; None where they do not."""
    settings = " ".join(run.machine.env.values())
    return next((link for pattern, link in _NETWORKS if re.search(pattern, settings)), None)


def machine_of(run, network=None):
    """
    The machine as far as the log tells, and what had to be assumed.

    Returns (None, reason) where the log does not name a GPU of the catalog.
    """
    network = network or network_of(run)
    card = gpu_id(run)
    if card is None or not run.ranks:
        named = (
            f"names {run.machine.gpus[0].name}, which is not in the catalog"
            if run.machine.gpus
            else "names no GPU"
        )
        return None, f"the log {named}: choose a system at the side to see the model"
    hosts = max(1, len(run.machine.hosts))
    local = run.ranks // hosts if run.ranks % hosts == 0 else run.ranks
    known = [one for one in SYSTEMS.values() if one.gpu.id == card and one.domain_gpus >= local]
    known.sort(key=lambda one: one.domain_gpus)
    if known and (hosts == 1 or known[0].domain_gpus == local):
        system = known[0]
        if hosts == 1 or system.network or network:
            built = configure(system, domains=hosts, network=network)
            told = f"{hosts} × {local} GPUs, taken as {system.name}"
            if hosts > 1 and network is not None:
                told += f" with {built.nics_per_domain} × {built.network}"
            elif hosts > 1:
                told += f" with {built.nics_per_domain} × {built.network}: the log does not say, choose at the side"
            return built, told
    wire = network or (ASSUMED_NETWORK if hosts > 1 else None)
    told = f"{hosts} × {local} {GPUS[card].name}"
    if hosts > 1 and network is None:
        told += f"; the log does not say which network: {ASSUMED_NETWORK} assumed, choose yours at the side"
    name = f"{local} × {GPUS[card].name}"
    nics = local if wire else None
    return custom_system(
        CustomSystem(card, local, NetworkSpec(wire, nics_per_domain=nics), name=name, domains=hosts)
    ), told


def rows(shown, placements):
    """Samples as points of the overlay; wrong results and empty times are left out."""
    frames = [_frame(one, placements) for one in shown if one.drawable]
    return pd.concat(frames, ignore_index=True) if frames else overlay.no_points()


def _frame(one, placements):
    factor = float(busbw_factor(one.run.collective, one.run.ranks))
    kept = [
        (
            s.size_bytes,
            s.size_bytes * factor / s.time_s,
            s.time_s,
            f"{one.name}, {s.detail}" if s.detail else one.name,
            s.placement or "as printed",
            one.name,
        )
        for s in one.run.samples
        if usable(s) and (s.placement or "as printed") in placements
    ]
    return pd.DataFrame(kept, columns=["size_bytes", "busbw", "time_s", "series", "placement", "run"])


def usable(sample):
    """A time of some bytes whose result the tool did not find wrong."""
    return sample.size_bytes > 0 and sample.time_s > 0 and not sample.wrong


def dropped(run):
    """Samples that are kept in the run but not drawn, by reason."""
    wrong = sum(bool(one.wrong) for one in run.samples)
    empty = sum(one.size_bytes <= 0 or one.time_s <= 0 for one in run.samples)
    lines = []
    if wrong:
        lines.append(f"{wrong} samples with wrong results are kept, flagged, and not drawn")
    if empty:
        lines.append(f"{empty} samples of no bytes or no time are kept and not drawn")
    return lines
