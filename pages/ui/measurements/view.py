"""The page Measurements from the selected runs down: verdict, chart, comparison, published figures."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.collectives.formulas import busbw_factor
from core.collectives.pricing import Sweep, sweep
from core.verdict import RunVerdict, Status
from core.verdict.acceptance import Acceptance
from pages.ui.measurements import acceptance, cluster, model, plots, reference, summary
from pages.ui.measurements.inputs import Inputs
from pages.ui.measurements.interval import as_judged
from pages.ui.measurements.model import Modelled
from pages.ui.measurements.reference import OwnRun
from pages.ui.shared import answer, bound, ceilings, empty_state, measured, names, overlay
from pages.ui.shared.measured import Shown
from pages.ui.shared.messages import plain


def draw(shown: Sequence[Shown], inputs: Inputs, *, published: bool) -> bool:
    """
    Measured bus bandwidth vs message size against link rate and model.

    Args:
        shown: Runs of the reader.
        inputs: What the page's fields say.
        published: With none of them to draw, show published ones: else they are folded away.

    Returns:
        Whether the runs are answered together, as those of a cluster.
    """
    together, unjudged = cluster.accepted(shown, inputs)
    is_cluster = cluster.is_one(shown, together)
    if is_cluster:
        acceptance.headline(together, len(shown))
        acceptance.draw(together, len(shown), unjudged)
    for item in shown:
        if item.remark:
            st.caption(f":material/info: {plain(f'{item.name}: {item.remark}')}.")
    drawable = _of_one_collective([item for item in shown if item.drawable])
    if not drawable:
        empty_state.logs(
            "Upload or paste the log of a collective, or select stored runs, to compare them with the model. "
            "A log is made so:"
        )
        reference.show(folded=not published)
        return is_cluster
    points = measured.rows(drawable, inputs.placements)
    with answer.explained():
        every = model.of(drawable, inputs)
        verdicts = model.verdicts_on(every)
        models = every[: model.MOST_CURVES]
        sweeps = _sweeps(models, verdicts, points)
    for remark in dict.fromkeys(item.remark for item in models):
        st.caption(f"Model: {plain(remark)}.")
    notes = _notes(verdicts) if is_cluster else _answer(every, verdicts, points, together, unjudged)
    statuses = {
        item.shown.name: str(result.status) if result else str(Status.UNKNOWN)
        for item, result in zip(every, verdicts, strict=True)
    }
    scenarios = [item.scenario for item in models if item.scenario is not None]
    plots.model(drawable[0].run.collective or "", points, scenarios, sweeps, statuses)
    for line in dict.fromkeys([*notes, *(line for swept in sweeps for line in swept.warnings)]):
        st.caption(f":material/info: {plain(line)}")
    plots.compared(drawable)
    own_runs = [_own_run(item, verdict, points) for item, verdict in zip(models, verdicts, strict=False)]
    reference.show([own for own in own_runs if own is not None], folded=True)
    return is_cluster


def _sweeps(
    models: Sequence[Modelled], verdicts: Sequence[RunVerdict | None], points: pd.DataFrame
) -> list[Sweep]:
    """What the model expects of each run that it knows, over the sizes of the chart, as the run was judged."""
    return [
        as_judged(sweep(item.scenario, overlay.sizes_for(points)), verdict)
        for item, verdict in zip(models, verdicts, strict=False)
        if item.scenario is not None
    ]


def _notes(verdicts: Sequence[RunVerdict | None]) -> tuple[str, ...]:
    """What is warned of in the verdicts."""
    return tuple(note for result in verdicts if result for note in result.warnings)


def _answer(
    models: Sequence[Modelled],
    verdicts: Sequence[RunVerdict | None],
    points: pd.DataFrame,
    together: Acceptance,
    unjudged: Sequence[str],
) -> tuple[str, ...]:
    """The verdict on the first run and a line for the second; gives what is warned of."""
    first, result = models[0], verdicts[0]
    notes: tuple[str, ...] = ()
    if first.scenario is not None and result is not None:
        notes = summary.verdict(first.shown, first.scenario, result, points)
    summary.others(models, verdicts)
    if sum(verdict is not None for verdict in verdicts) > 1:
        acceptance.draw(together, len(together.members) + len(unjudged), unjudged)
    return notes


def _of_one_collective(shown: list[Shown]) -> list[Shown]:
    """The runs of the collective on the chart; the reader chooses where there are several."""
    collectives = list(dict.fromkeys(item.run.collective or "" for item in shown))
    if len(collectives) < 2:
        return shown
    shown_as = {name: names.operation(name) for name in collectives}
    collective = bound.choice("Collective on the chart", "overlay_collective", collectives, names=shown_as)
    return [item for item in shown if item.run.collective == collective]


def _own_run(modelled: Modelled, verdict: RunVerdict | None, points: pd.DataFrame) -> OwnRun | None:
    """The highest rate of a run as a share of link and model; None where neither is known."""
    scenario = modelled.scenario
    best = model.best(modelled.shown, points)
    if scenario is None or best is None:
        return None
    judged = as_judged(sweep(scenario, [best.size_bytes]), verdict)
    factor = busbw_factor(scenario.collective, scenario.ranks)
    expected = float(factor * best.size_bytes / judged.time_s[0])
    link = ceilings.lowest(model.datasheet(scenario))
    return OwnRun(
        name=f"{modelled.shown.name}, measured",
        operation=names.operation(scenario.collective),
        share_of_link=best.bytes_per_s / link.bytes_per_s,
        share_of_model=best.bytes_per_s / expected,
    )
