"""The page Measurements from the selected runs down: verdict, chart, comparison, published figures."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

<<<<<<< HEAD
from core.collectives.pricing import Scenario, sweep
from core.collectives.rates import Rates
from core.systems import configure
from core.units import format_rate, format_size, format_time
from core.verdict import judge_run
from pages.ui.collectives import view as collectives
from pages.ui.measurements import reference
from pages.ui.shared import answer, bound, charts, machine, measured, overlay, rates, tables
=======
from core.collectives.pricing import sweep
from pages.ui.measurements import model, plots, reference, summary
from pages.ui.measurements.inputs import Inputs
from pages.ui.measurements.model import Modelled
from pages.ui.measurements.reference import OwnRun
from pages.ui.shared import answer, bound, ceilings, measured, overlay
from pages.ui.shared.measured import Shown
>>>>>>> pages2
from pages.ui.shared.messages import plain


def draw(shown: Sequence[Shown], inputs: Inputs) -> None:
    """Measured bus bandwidth vs message size against link rate and model."""
    drawable = _of_one_collective([item for item in shown if item.drawable])
    if not drawable:
        st.info("Upload the log of a collective, or select stored runs, to compare them with the model.")
        reference.show()
        return
    points = measured.rows(drawable, inputs.placements)
    with answer.explained():
        models = model.of(drawable, inputs)
        scenarios = [item.scenario for item in models if item.scenario is not None]
        sweeps = [sweep(scenario, overlay.sizes_for(points)) for scenario in scenarios]
    for remark in dict.fromkeys(item.remark for item in models):
        st.caption(f"Model: {plain(remark)}.")
    first = models[0]
    notes = summary.verdict(first.shown, first.scenario, points) if first.scenario is not None else ()
    summary.others(models[1:])
    plots.model(points, scenarios, sweeps)
    for line in dict.fromkeys([*notes, *(line for swept in sweeps for line in swept.warnings)]):
        st.caption(f":material/info: {plain(line)}")
    plots.compared(drawable, points)
    reference.show([own for item in models if (own := _own_run(item, points)) is not None])


def _of_one_collective(shown: list[Shown]) -> list[Shown]:
    """The runs of the collective on the chart; the reader chooses where there are several."""
    collectives = list(dict.fromkeys(item.run.collective or "" for item in shown))
    if len(collectives) < 2:
        return shown
    collective = bound.switch("Collective on the chart", "overlay_collective", collectives)
    return [item for item in shown if item.run.collective == collective]


def _own_run(modelled: Modelled, points: pd.DataFrame) -> OwnRun | None:
    """The highest rate of a run as a share of link and model; None where neither is known."""
    scenario = modelled.scenario
    best = model.best(modelled.shown, points)
    if scenario is None or best is None:
        return None
    expected = float(sweep(scenario, [best.size_bytes]).busbw_bytes_per_s[0])
    link = ceilings.lowest(model.datasheet(scenario))
    return OwnRun(
        name=f"{modelled.shown.name}, measured",
        operation=scenario.collective.replace("_", "-"),
        share_of_link=best.bytes_per_s / link.bytes_per_s,
        share_of_model=best.bytes_per_s / expected,
    )
<<<<<<< HEAD


def _asked(run, box, chosen):
    """The question whose answer is the run's curve, None for an unknown machine; and that in words."""
    system, told = _machine(box, run)
    if system is None:
        return None, told
    return Scenario(system, run.collective, run.ranks, rates=chosen.on(system, run.ranks)), told


def _draw(points, asked, predicted, collective):
    """Curves of the model, each once, under the measured points; points alone for unknown machines."""
    frames = {"": overlay.no_curve()}
    many = len({question.system.gpu.id for question in asked}) > 1
    for question, one in zip(asked, predicted, strict=True):
        whose = _short(question) if many else "model"
        name = f"{whose}, {one.rates}, {question.ranks} ranks"
        frames.setdefault(name, overlay.curve(one, question.collective, question.ranks, name))
    curves = pd.concat(list(frames.values())[1:] or [frames[""]], ignore_index=True)
    named = points.assign(series=points["series"] + ", measured")
    if bound.switch("Show", "overlay_show", ("bus bandwidth", "time"), hidden=True) == "time":
        words = f"Measured time of {collective} over message size and the model"
        overlay.draw_times(words, curves=curves, points=named)
    else:
        words = f"Measured bus bandwidth of {collective} over message size, link rate and model"
        ceiling = overlay.ceilings(_ceilings(asked, many=many))
        overlay.draw(words, curves=curves, ceiling=ceiling, points=named)


def _ceilings(asked, *, many):
    """The wires of the machines; of several only the one-way rate of each, by name."""
    if not many:
        return collectives.ladder(asked[0]) if asked else []
    ladders = [(_short(one), collectives.ladder(one)) for one in asked]
    rungs = [(f"{gpu}: {name}", rate) for gpu, ladder in ladders for name, rate in ladder[-1:]]
    return list(dict.fromkeys(rungs))


def _short(question):
    """The GPU without what its name adds in brackets."""
    return question.system.gpu.name.partition(" (")[0]


def _machine(box, run):
    """The machine of the curve: as chosen, with enough domains, or as the log tells."""
    if box.chosen != LOG:
        system = box.system()
        needed = -(-run.ranks // system.domain_gpus)
        if needed > system.domains:
            system = configure(system, domains=needed)
        return system, machine.describe(system).rstrip(".")
    system, told = measured.machine_of(run, box.how["network"])
    if system is None:
        return None, told
    if box.how["nics_per_domain"] or box.how["oversubscription"] != 1:
        system = configure(system, **{**box.how, "domains": system.domains})
    return system, told


def _verdict(one, points, asked):
    """Is the number OK: the word, why, and how many sizes stand where."""
    told = judge_run(one.run, asked.system, rates=asked.rates)
    own = points[points["run"] == one.name]
    best = "No sample is left to draw."
    if not own.empty:
        top = own.loc[own["busbw"].idxmax()]
        ceiling, rate = min(collectives.ladder(replace(asked, rates=Rates())), key=lambda rung: rung[1])
        share = f"{100 * top['busbw'] / rate:.0f} % of: {ceiling}"
        best = f"Best {format_rate(top['busbw'])} at {format_size(top['size_bytes'])}, {share}."
    counts = Counter(str(size.status) for size in told.sizes)
    stand = ", ".join(f"{number} {word}" for word, number in counts.most_common())
    answer.headline(
        f"{one.name} is {told.status}: {told.reason.text}.",
        f"{best} {asked.ranks} ranks, {asked.collective}, {told.domains or 1} × {told.local_ranks or asked.ranks} GPUs.",
        note=f"Of {len(told.sizes)} samples: {stand}." if stand else "",
        origin="measured",
    )
    _findings(told)
    return told.warnings


def _others(pairs):
    """The word on every further run whose machine is known, a line each."""
    for one, (asked, _) in pairs:
        if asked is not None:
            told = judge_run(one.run, asked.system, rates=asked.rates)
            st.markdown(f"**{plain(one.name)} is {told.status}**: {plain(told.reason.text)}.")


def _findings(told):
    """Every size with its band, its word and the likely cause."""
    frame = pd.DataFrame(
        {
            "size": format_size(size.size_bytes),
            "placement": size.placement or "",
            "time": format_time(size.time_s),
            "expected": ""
            if size.low_s is None
            else f"{format_time(size.low_s)} to {format_time(size.high_s)}",
            "verdict": str(size.status),
            "reason": size.reason.text,
        }
        for size in told.sizes
    )
    with st.expander(f"Verdict size by size, basis {told.basis}", icon=":material/rule:"):
        tables.show(frame, "Verdict of every size")


def matrices(shown, side):
    """Verdict on tables by pair, where the reader says which machine it is."""
    box = side[0]
    for one in (one for one in shown if one.run.matrices):
        if box.chosen == LOG:
            st.info(
                f"{plain(one.name)} holds tables by pair: choose a system at the side to have them judged."
            )
            continue
        with answer.explained():
            told = judge_run(one.run, box.system())
        st.markdown(f"**{plain(one.name)} is {told.status}**: {plain(told.reason.text)}.")
        frame = pd.DataFrame(
            {
                "table": pair.what,
                "from": pair.row,
                "to": pair.column,
                "measured": format_rate(pair.measured_bytes_per_s) if pair.measured_bytes_per_s else "–",
                "expected": format_rate(pair.expected_bytes_per_s) if pair.expected_bytes_per_s else "–",
                "verdict": str(pair.status),
                "reason": pair.reason.text,
            }
            for pair in told.pairs
        )
        if not frame.empty:
            tables.show(frame, "Verdict of every pair")


def _compare(drawable, points):
    """Two runs of one collective: how many times faster the second is, size by size."""
    names = [one.name for one in drawable]
    if len(names) != 2:
        return
    st.subheader("Two runs compared")
    keys = ["size_bytes", "placement"]
    both = [points[points["run"] == name].drop_duplicates(keys).set_index(keys)["time_s"] for name in names]
    ratio = (both[0] / both[1]).dropna().reset_index(name="ratio")
    if ratio.empty:
        st.info("The two runs share no size and placement.")
        return
    middle = float(ratio["ratio"].median())
    faster = names[1] if middle >= 1 else names[0]
    times = max(middle, 1 / middle)
    st.markdown(
        f"**{plain(faster)}** is {times:.2f} times as fast at the median of {len(ratio)} common samples."
    )
    charts.draw(_ratio_spec(), "Time of the first run over time of the second, by size", rows=ratio)


@lru_cache(maxsize=1)
def _ratio_spec():
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=True)
        .encode(
            x=charts.log_axis("size_bytes", overlay.SIZE, "B"),
            y=alt.Y(
                "ratio:Q",
                title="First over second (time)",
                scale=alt.Scale(nice=True, zero=False),
                axis=alt.Axis(format=".2~f", tickCount=6, gridOpacity=0.35),
            ),
            color=alt.Color("placement:N", title=None, legend=charts.legend()),
            tooltip=[
                charts.tip("size_bytes", "Size", "bytes"),
                alt.Tooltip("ratio:Q", title="Times", format=".3f"),
            ],
        )
    )
    return charts.spec(line, height=260)
=======
>>>>>>> pages2
