"""Charts of the page Fit your cluster: the fit over a sweep, and its residuals."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.collectives.cost_model import Prediction, predict
from core.collectives.fitted import Fit, predict_fitted
from core.collectives.formulas import busbw_factor
from core.units import format_share, format_size, format_time
from pages.ui.shared import bound, charts, findings, fits, names, overlay, palette
from pages.ui.shared.messages import plain

STEPS = {
    "calibrated": "calibrated",
    "constants": "constants, size left out",
    "held_out": "sweep, size left out",
}
RATIO_RANGE = (1 / 3, 3.0)
LEAST_SPAN = (0.8, 1.25)
"""Ratios that the axis of residuals always holds: a fit that is off by a few percent looks so."""
RATIO_TICKS = (0.33, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3)
BELOW, ABOVE, POINTS = 4, 16, 161
"""The curves reach a quarter of the smallest size and sixteen times the largest."""


def sweep_number(fit: Fit) -> int:
    """The sweep that is drawn, by its place in the fit."""
    labels = [
        f"{names.operation(curve.setting.collective)}, {fits.place(curve.setting)}" for curve in fit.curves
    ]
    if len(labels) == 1:
        return 0
    return labels.index(st.selectbox("Sweep", labels, key="_sweep_drawn"))


def curves(fit: Fit, number: int) -> None:
    """Measured points, the fitted curve with its interval, and the calibrated one."""
    curve = fit.curves[number]
    setting = curve.setting
    factor = float(busbw_factor(setting.collective, setting.domain_gpus * setting.domains))
    points = pd.DataFrame({"size_bytes": curve.size_bytes, "time_s": curve.time_s})
    points = points.assign(
        busbw=factor * points["size_bytes"] / points["time_s"], series="measured", placement="measured size"
    )
    sizes = np.geomspace(curve.size_bytes[0] / BELOW, curve.size_bytes[-1] * ABOVE, POINTS)
    lines = pd.concat(
        [
            _rows(predict_fitted(setting, sizes, fit), factor, fit.name),
            _rows(predict(setting, sizes), factor, "calibrated"),
        ]
    )
    operation = names.operation(setting.collective).capitalize()
    st.subheader(f"{operation}: measured, fitted and calibrated vs message size")
    if bound.switch("Show", "cluster_show", ("bus bandwidth", "time"), hidden=True) == "time":
        text = f"{operation} time vs message size: measured, fitted and calibrated"
        overlay.draw_times(text, curves=lines, points=points)
    else:
        text = f"{operation} bus bandwidth vs message size: measured, fitted and calibrated"
        overlay.draw(text, curves=lines, points=points)
    st.caption(
        "Shaded: prediction interval, p10 to p90. Beyond the measured sizes the calibrated model continues "
        "the curve with a wider interval, never above the link rate."
    )


def _rows(prediction: Prediction, factor: float, series: str) -> pd.DataFrame:
    moved = factor * prediction.size_bytes
    return pd.DataFrame(
        {
            "size_bytes": prediction.size_bytes,
            "busbw": moved / prediction.time_s,
            "low": moved / prediction.high_s,
            "high": moved / prediction.low_s,
            "time_s": prediction.time_s,
            "low_s": prediction.low_s,
            "high_s": prediction.high_s,
            "choice": prediction.labels(),
            "series": series,
            "origin": palette.origin_of(series),
        }
    )


def residuals(fit: Fit, number: int) -> None:
    """Predicted over measured time of each step of the fit, and which samples were left out."""
    curve, errors = fit.curves[number], fit.residuals[number]
    frames = [
        pd.DataFrame({"size_bytes": curve.size_bytes, "ratio": getattr(errors, step), "step": label})
        for step, label in STEPS.items()
    ]
    rows = pd.concat(frames, ignore_index=True)
    rows["drawn"] = rows["ratio"].clip(*RATIO_RANGE)
    st.subheader("Residuals: predicted / measured time vs message size")
    errors_by_step = rows.assign(off=(rows["ratio"] - 1).abs()).groupby("step", sort=False)["off"].median()
    off = findings.listed(errors_by_step.index, errors_by_step, format_share)
    text = f"Predicted over measured time vs message size for the three steps of the fit: median error {off}"
    charts.draw(_residual_spec(), text, rows=rows)
    for sample in errors.left_out:
        text = f"{format_size(sample.size_bytes)} ({format_time(sample.time_s)}) left out: {sample.why}"
        st.caption(f":material/info: {plain(text)}.")


@lru_cache(maxsize=1)
def _residual_spec() -> charts.Spec:
    base = alt.Chart(charts.rows())
    rule = base.mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(y=alt.datum(1))
    marks = palette.scale(zip(STEPS.values(), (palette.GREY, palette.ORANGE, palette.BLUE), strict=True))
    least = [base.mark_rule(opacity=0).encode(y=alt.datum(ratio)) for ratio in LEAST_SPAN]
    line = base.mark_line(point=True).encode(
        x=charts.size_axis("size_bytes", overlay.SIZE),
        y=alt.Y(
            "drawn:Q",
            title="Predicted / measured time",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format=".2~f", values=list(RATIO_TICKS), gridOpacity=0.35),
        ),
        color=alt.Color("step:N", title=None, scale=marks, legend=charts.legend()),
        tooltip=[
            alt.Tooltip("step:N", title="Prediction"),
            charts.tip("size_bytes", "Message size", "bytes"),
            alt.Tooltip("ratio:Q", title="Predicted / measured", format=".3f"),
        ],
    )
    return charts.spec(alt.layer(line, rule, *least), height=230)
