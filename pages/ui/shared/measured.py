"""Measured runs beside the model: their samples as rows."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.collectives.formulas import COLLECTIVES, busbw_factor
from core.measurement import Run, Sample
from core.units import counted
from core.verdict import guess_warnings
from pages.ui.shared import log_names, overlay

NO_PLACEMENT = "as printed"
UNKNOWN = (
    "not drawn: the log does not say which collective over how many ranks, nor do algbw and busbw; upload it above to "
    "say which"
)


SERIES_SETTINGS = (
    *("NCCL_NVLS_ENABLE", "NCCL_ALGO", "NCCL_PROTO", "NCCL_P2P_DISABLE", "NCCL_IB_DISABLE"),
    *("NCCL_SHM_DISABLE", "NCCL_NET", "NCCL_MAX_NCHANNELS", "NCCL_MIN_NCHANNELS"),
)
"""Settings that change the algorithm or the path: runs that differ in one are never drawn as one series."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A run on the chart, its name there, and what its log leaves open."""

    name: str
    run: Run
    remark: str = ""

    @property
    def drawable(self) -> bool:
        """Whether bus bandwidth over size is defined."""
        run = self.run
        return run.collective in COLLECTIVES and (run.ranks or 0) > 1 and bool(run.samples)


def completed(run: Run, collective: str | None, ranks: int | None) -> Run:
    """The run with the collective and ranks that the reader named where the log does not."""
    if not run.samples or (collective, ranks) == (run.collective, run.ranks):
        return run
    samples = tuple(
        sample if sample.operation else replace(sample, operation=collective) for sample in run.samples
    )
    return replace(run, collective=collective, ranks=ranks, samples=samples)


def by_its_rates(run: Run) -> Run:
    """The run with the collective and ranks that its printed rates fit, where the log does not name them."""
    return completed(run, run.collective_or_guess, run.ranks_or_guess)


def stored(name: str, run: Run) -> Shown:
    """A stored run on the chart; where its log is silent, taken for what its printed rates fit."""
    shown = Shown(name, by_its_rates(run), log_names.remark("; ".join(guess_warnings(run))))
    operations = {sample.operation for sample in shown.run.samples}
    silent = operations == {None} or (not shown.run.ranks and operations & {*COLLECTIVES})
    return replace(shown, remark=UNKNOWN) if silent else shown


def grouped(runs: Iterable[Run]) -> list[tuple[Run, ...]]:
    """Runs of one kind together: tools that print a header for every size make many of them."""
    kinds: dict[tuple[object, ...], list[Run]] = {}
    for run in runs:
        settings = tuple(run.machine.env.get(name) for name in SERIES_SETTINGS)
        kind = (
            run.format,
            run.collective,
            run.ranks,
            run.machine.gpus,
            run.machine.hosts,
            run.dtype,
            settings,
        )
        kinds.setdefault(kind, []).append(run)
    return [tuple(same) for same in kinds.values()]


def joined(runs: Sequence[Run]) -> Run:
    """Runs of one kind as one."""
    return replace(
        runs[0],
        samples=tuple(sample for run in runs for sample in run.samples),
        matrices=tuple(matrix for run in runs for matrix in run.matrices),
        warnings=tuple(dict.fromkeys(notice for run in runs for notice in run.warnings)),
    )


def unlike(shown: Iterable[Shown], others: Iterable[Shown]) -> list[Shown]:
    """Those of which no other holds the same measurements: a log that is stored too is one run."""
    known = {_measurements(item.run) for item in others}
    return [item for item in shown if _measurements(item.run) not in known]


def _measurements(run: Run) -> tuple[object, ...]:
    """Hosts, and each time with what it was measured of."""
    times = tuple(
        (sample.operation, sample.size_bytes, sample.placement, sample.time_s) for sample in run.samples
    )
    return tuple(run.machine.hosts), times, tuple(matrix.values for matrix in run.matrices)  # noqa: PD011 (a matrix, no frame)


def hosts(run: Run) -> str:
    """How many hosts the log names, in words; empty where it names none."""
    count = len(run.machine.hosts)
    return counted(count, "host") if count else ""


def rows(shown: Iterable[Shown], placements: Container[str]) -> pd.DataFrame:
    """Samples as points of the overlay; wrong results and empty times are left out."""
    frames = [_frame(item, placements) for item in shown if item.drawable]
    return pd.concat(frames, ignore_index=True) if frames else overlay.no_points()


def _frame(shown: Shown, placements: Container[str]) -> pd.DataFrame:
    run = shown.run
    factor = float(busbw_factor(run.collective or "", run.ranks or 1))
    drawn = [
        (
            sample.size_bytes,
            sample.size_bytes * factor / sample.time_s,
            sample.time_s,
            f"{shown.name}, {sample.detail}" if sample.detail else shown.name,
            sample.placement or NO_PLACEMENT,
            shown.name,
        )
        for sample in run.samples
        if usable(sample) and (sample.placement or NO_PLACEMENT) in placements
    ]
    return pd.DataFrame(drawn, columns=["size_bytes", "busbw", "time_s", "series", "placement", "run"])


def usable(sample: Sample) -> bool:
    """A time of some bytes whose result the tool did not find wrong."""
    return sample.size_bytes > 0 and sample.time_s > 0 and not sample.wrong


def dropped(run: Run) -> list[str]:
    """Samples that are stored with the run but not drawn, by reason."""
    wrong = sum(bool(sample.wrong) for sample in run.samples)
    empty = sum(sample.size_bytes <= 0 or sample.time_s <= 0 for sample in run.samples)
    lines = []
    if wrong:
        lines.append(f"{wrong} samples with wrong results are stored, flagged, and not drawn")
    if empty:
        lines.append(f"{empty} samples without bytes or time are stored and not drawn")
    return lines
