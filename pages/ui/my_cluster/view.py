"""My cluster page: a fit from runs, in words, over the sweep, with its residuals and its doubts."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.collectives.cost_model import predict
from core.collectives.fitted import predict_fitted
from core.collectives.formulas import busbw_factor
from core.units import format_size, format_time
from core.verdict.points import fit_runs
from pages.ui.shared import answer as parts
from pages.ui.shared import bound, charts, fits, overlay, pick
from pages.ui.shared.messages import plain

HINT = "Logs of nccl-tests or run files, one sweep or several"
STEPS = {
    "calibrated": "calibrated, as shipped",
    "constants": "your constants",
    "held_out": "the fit, this size left out",
}
RANGE = (1 / 3, 3.0)


def name():
    """What the fit is called, and a note."""
    left, right = st.columns([1, 2])
    with left:
        chosen = bound.text(
            "Name of the fit", "fit_name", "my cluster", help="Letters, digits, space, dot, - and _."
        )
    with right:
        note = st.text_input("Note", key="_fit_note", placeholder="after the firmware update")
    return (chosen or "").strip() or "my cluster", note or ""


def empty():
    """What the page needs."""
    st.info("No run yet: upload the log of a sweep, paste it, or choose stored runs.")
    st.markdown(
        "A sweep of one collective from 8 B to 1 GiB or more tells most. More collectives and numbers of GPUs "
        "tell more: what the runs cannot tell is said, and answered as calibrated."
    )


def make(picked, box, name, note):
    """The machine and the fit of the runs."""
    system = pick.system_for(box, picked[0].run)
    runs = tuple(item.run for item in picked)
    fit = fit_runs(name, runs, system, run_ids=[item.sha256 for item in picked], note=note)
    return system, fit


def headline(fit, system):
    """How well it follows, and how the machine differs."""
    off = held_out(fit)
    sizes = sum(len(curve.size_bytes) for curve in fit.curves)
    differs = " ".join(_differs(one) for one in fit.machines[:3])
    parts.headline(
        f"{fit.name} follows {sizes} sizes; each is predicted from its neighbours within {100 * off:.1f} %.",
        f"{differs} {_open(fit)}".strip(),
        note=plain(
            f"Fitted to {len(fit.curves)} sweep{'s' if len(fit.curves) > 1 else ''} on {system.name}, "
            f"model {fit.model_version}"
        ),
        yours=True,
    )


def held_out(fit):
    """Median error of inner sizes, each predicted without itself."""
    inner = [ratio for left in fit.residuals for ratio in left.held_out[1:-1] or left.held_out]
    return float(np.median(np.abs(np.array(inner) - 1)))


def _differs(one):
    setting, machine = one.setting, one.machine
    place = f"{setting.domains} × {setting.domain_gpus} GPUs"
    transfer = f"transfer takes {math.exp(machine.ln_transfer):.2f} ± {_spread(machine.ln_transfer, one.sd_transfer):.2f} times"
    if machine.floor_s > 0:
        waiting = f"the host adds a floor of {format_time(machine.floor_s)}"
    else:
        waiting = f"small messages {math.exp(machine.ln_latency):.2f} ± {_spread(machine.ln_latency, one.sd_latency):.2f} times"
    return f"**{place}**: {transfer}, {waiting} what calibrated machines of this kind take."


def _spread(ln_factor, sd):
    return math.exp(ln_factor) * sd


def _open(fit):
    count = len(fit.unidentified)
    things = "one thing" if count == 1 else f"{count} things"
    return f"The runs leave {things} open: see below." if count else ""


def figures(fit):
    """Numbers of the fit."""
    left = sum(len(one.left_out) for one in fit.residuals)

    def middle(step):
        ratios = np.concatenate([getattr(one, step) for one in fit.residuals])
        return f"{100 * np.median(np.abs(ratios - 1)):.1f} %"

    return [
        ("Sweeps", str(len(fit.curves))),
        ("Calibrated, off by", middle("calibrated"), "Median error of the model as shipped on these sizes."),
        ("Your constants", middle("constants"), "Median error with latency and transfer adapted."),
        (
            "The fit, held out",
            f"{100 * held_out(fit):.1f} %",
            "Median error of inner sizes without themselves.",
        ),
        ("Left out", str(left), "Samples that were no use: cold, disturbed or impossible."),
    ]


def which(fit):
    """The sweep that is drawn."""
    names = [f"{curve.setting.collective}, {fits.place(curve.setting)}" for curve in fit.curves]
    if len(names) == 1:
        return 0
    return names.index(st.selectbox("Sweep", names, key="_sweep_drawn"))


def chart(fit, number):
    """Measured points, the fitted curve with its band, and the calibrated one."""
    curve = fit.curves[number]
    setting = curve.setting
    ranks = setting.domain_gpus * setting.domains
    factor = float(busbw_factor(setting.collective, ranks))
    measured = pd.DataFrame({"size_bytes": curve.size_bytes, "time_s": curve.time_s})
    measured = measured.assign(
        busbw=factor * measured["size_bytes"] / measured["time_s"], series="measured", placement="as fitted"
    )
    sizes = np.geomspace(curve.size_bytes[0] / 4, curve.size_bytes[-1] * 16, 161)
    curves = pd.concat(
        [
            _rows(predict_fitted(setting, sizes, fit), factor, fit.name),
            _rows(predict(setting, sizes), factor, "calibrated"),
        ]
    )
    st.subheader("The fit over the sweep")
    if bound.switch("Show", "cluster_show", ("bus bandwidth", "time")) == "time":
        overlay.draw_times(
            "Measured time, the fit and the calibrated model by size", curves=curves, points=measured
        )
    else:
        overlay.draw(
            "Measured bus bandwidth, the fit and the calibrated model by size", curves=curves, points=measured
        )
    st.caption(
        "Beyond the measured sizes the model's physics carry on, with a wider band; never past the wire."
    )


def _rows(found, factor, series):
    moved = factor * found.size_bytes
    return pd.DataFrame(
        {
            "size_bytes": found.size_bytes,
            "busbw": moved / found.time_s,
            "low": moved / found.high_s,
            "high": moved / found.low_s,
            "time_s": found.time_s,
            "low_s": found.low_s,
            "high_s": found.high_s,
            "choice": found.labels(),
            "series": series,
        }
    )


def residuals(fit, number):
    """Predicted over measured, by what the prediction rests on."""
    curve, left = fit.curves[number], fit.residuals[number]
    frames = [
        pd.DataFrame({"size_bytes": curve.size_bytes, "ratio": getattr(left, step), "by": label})
        for step, label in STEPS.items()
    ]
    rows = pd.concat(frames, ignore_index=True)
    rows["shown"] = rows["ratio"].clip(*RANGE)
    st.subheader("Residuals")
    charts.draw(
        _residual_spec(), "Predicted over measured time by size for the three steps of the fit", rows=rows
    )
    for one in left.left_out:
        st.caption(
            f":material/info: {format_size(one.size_bytes)} ({format_time(one.time_s)}) left out: {one.why}."
        )


@lru_cache(maxsize=1)
def _residual_spec():
    base = alt.Chart(charts.rows())
    rule = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(y=alt.datum(1))
    line = base.mark_line(point=True).encode(
        x=charts.log_axis("size_bytes", overlay.SIZE, "B"),
        y=alt.Y(
            "shown:Q",
            title="Predicted over measured time",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format=".2~f", tickCount=6, gridOpacity=0.35),
        ),
        color=alt.Color("by:N", title=None, sort=list(STEPS.values()), legend=charts.legend()),
        tooltip=[
            alt.Tooltip("by:N", title="By"),
            charts.tip("size_bytes", "Size", "bytes"),
            alt.Tooltip("ratio:Q", title="Predicted over measured", format=".3f"),
        ],
    )
    return charts.spec(alt.layer(line, rule), height=260)


def unidentified(fit):
    """What the runs could not tell."""
    if fit.unidentified:
        st.subheader("What these runs cannot tell")
        st.markdown("\n".join(f"* {plain(line[:1].upper() + line[1:])}." for line in fit.unidentified))


def keep(fit):
    """Download, or keep in the store."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download fit",
            fits.text_of(fit),
            f"{fit.name}.json",
            "application/json",
            icon=":material/download:",
        )
        replace = st.checkbox("Replace one of that name", key="_fit_replace")
        st.button(
            "Keep in the store",
            key="_fit_save",
            icon=":material/save:",
            on_click=fits.save,
            args=(fit, replace),
        )
    st.caption(
        "Kept, it is offered on every page under Rates, *yours*. The file works in the shell too: "
        f'`--rates "fitted:{fit.name}.json"`.'
    )
