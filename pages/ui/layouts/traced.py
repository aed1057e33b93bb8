"""*Your job* on the page Parallelism layouts: beside the fastest layout, and beside the one of its own groups."""

from collections.abc import Mapping

from core.job.beside import degrees
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
    sizes = degrees(told)
    wanted = tuple(sizes.get(name, 1) for name in ("TP", "PP", "CP", "EP"))
    for ranked in layouts.ranking.layouts:
        layout = ranked.scenario.layout
        if (layout.tp, layout.pp, layout.cp, layout.ep) == wanted:
            return fastest | {
                f"{ranked.name()}, as traced": Calculated(ranked.scenario, ask(ranked.scenario))
            }
    return fastest
