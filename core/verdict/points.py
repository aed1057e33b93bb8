"""From runs to a fit: which samples of a run count, and the placement they were measured at."""

from collections import Counter
from collections.abc import Sequence

from core.checks import InputError
from core.collectives.fitted.fit import Fit
from core.collectives.fitted.fitting import Series, fit_series
from core.collectives.formulas import COLLECTIVES
from core.collectives.pricing import Scenario, setting_of
from core.hardware import System
from core.measurement import Run, Sample
from core.verdict.ranks import map_ranks


def fit_runs(
    name: str,
    runs: Sequence[Run],
    system: System,
    *,
    run_ids: Sequence[str] = (),
    implementation: str = "nccl",
    launch: str = "stream",
    note: str = "",
) -> Fit:
    """
    A fit from runs of one cluster.

    Args:
        name: Of the fit.
        runs: Sweeps of collectives; their ranks are placed on ``system`` as the verdict does.
        system: With its network and NICs.
        run_ids: sha256 of the runs, where they are stored.
        implementation: Library or engine kernel that ran.
        launch: ``stream`` or ``graph``.
        note: Kept with the fit.

    Raises:
        InputError: No run can be used; one line says why.
    """
    series = [item for run in runs for item in series_of(run, system, implementation, launch)]
    return fit_series(name, series, run_ids=run_ids, note=note)


def series_of(run: Run, system: System, implementation: str = "nccl", launch: str = "stream") -> list[Series]:
    """
    The sweeps of a run, one per collective; wrong results are no measurements.

    Where a run has both, out-of-place samples are taken: the calibration is of those. Of several
    data types, reductions or roots the one with most samples is.

    Raises:
        InputError: The ranks are unknown, one, or do not fit the system.
    """
    ranks = run.ranks_or_guess
    collective_of_run = run.collective_or_guess
    if ranks is None:
        message = f"runs: {run.file} does not say how many ranks there were"
        raise InputError(message)
    if ranks < 2:  # noqa: PLR2004 (alone there is no wire)
        message = f"runs: {run.file} is of one rank, which moves nothing over a link"
        raise InputError(message)
    place = map_ranks(run, system, ranks)
    samples_of: dict[str, list[Sample]] = {}
    for sample in run.samples:
        collective = sample.operation or collective_of_run
        if collective in COLLECTIVES and not sample.wrong:
            samples_of.setdefault(str(collective), []).append(sample)
    if not samples_of:
        message = f"runs: {run.file} has no sample of {', '.join(COLLECTIVES)}"
        raise InputError(message)
    return [
        Series(
            setting_of(
                Scenario(
                    place.system,
                    collective,
                    ranks,
                    implementation=implementation,
                    launch=launch,
                    per_domain=place.local_ranks,
                )
            ),
            _comparable(samples),
        )
        for collective, samples in samples_of.items()
    ]


def _comparable(samples: list[Sample]) -> tuple[tuple[float, float], ...]:
    outside = [sample for sample in samples if sample.placement == "out-of-place"] or samples
    counts = Counter(sample.detail for sample in outside)
    kind = max(counts, key=lambda detail: counts[detail])
    return tuple((float(sample.size_bytes), sample.time_s) for sample in outside if sample.detail == kind)
