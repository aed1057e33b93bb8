"""*Your job* on the page Parallelism layouts: beside the fastest layout, and beside the one of its own groups."""

from collections.abc import Mapping

from core.job.beside import as_traced
from core.job.explain import Explanation
from pages.ui.layouts.result import Result, TrainingResult
from pages.ui.shared import your_job
from pages.ui.shared.sections import Section
from pages.ui.shared.your_job import Calculated
from pages.ui.training.summary import ask


def sections(layouts: Result) -> tuple[Section, ...]:
    """The tab, for a training question where jobs are kept."""
    if not isinstance(layouts, TrainingResult):
        return ()
    return your_job.sections(lambda told: _steps(layouts, told))


def _steps(layouts: TrainingResult, told: Explanation) -> Mapping[str, Calculated]:
    """The fastest layout, and the fastest of those with the degrees of the trace."""
    best = layouts.ranking.ranked[0].scenario
    fastest = {"fastest layout": Calculated(best, layouts.ranking.best)}
    ranked = as_traced(layouts.ranking.layouts, told)
    if ranked is None:
        return fastest
    return fastest | {f"{ranked.name()}, as traced": Calculated(ranked.scenario, ask(ranked.scenario))}
