"""Bus bandwidth over message size: the model's curve and interval, link rates, measured points."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import altair as alt
import numpy as np
import pandas as pd

from core.checks import Floats
from core.collectives.formulas import busbw_factor
from core.units import GIB, KIB, format_rate, format_size, format_time
from pages.ui.shared import charts, findings, palette
from pages.ui.shared.names import algorithm

SIZES = np.geomspace(KIB, 16 * GIB, 49)
"""Two an octave: every size of nccl-tests and one between, which is as close as a curve is read."""
LOW_BYTES = float(SIZES[0])
POINTS_PER_DECADE = 14
SIZE = "Message size"
BUSBW = "Bus bandwidth per GPU"
TIME = "Time"
SHADES = [0.04, 0.13]
HEIGHT, ABOVE = 350, 18


class Ceiling(NamedTuple):
    """A rate that bounds bus bandwidth, and its name."""

    name: str
    bytes_per_s: float


class Look(NamedTuple):
    """What the measured points are told apart by: placements by their shape, verdicts in place of names by colour; and pixels, of which names take some."""

    placements: int = 1
    verdicts: tuple[str, ...] = ()
    height: int = HEIGHT


PLAIN = Look()


class Swept(Protocol):
    """Times over message size with their interval, and the algorithm of each."""

    @property
    def size_bytes(self) -> Floats:
        """Message sizes."""

    @property
    def time_s(self) -> Floats:
        """Expected times."""

    @property
    def low_s(self) -> Floats:
        """Low end of the interval."""

    @property
    def high_s(self) -> Floats:
        """High end of the interval."""

    @property
    def algorithms(self) -> Any:
        """Algorithm and protocol by size."""


def curve(sweep: Swept, collective: str, ranks: int, series: str) -> pd.DataFrame:
    """The model's rows: bus bandwidth with its interval (a slow time is a low bandwidth)."""
    moved = busbw_factor(collective, ranks) * sweep.size_bytes
    return pd.DataFrame(
        {
            "size_bytes": sweep.size_bytes,
            "busbw": moved / sweep.time_s,
            "low": moved / sweep.high_s,
            "high": moved / sweep.low_s,
            "time_s": sweep.time_s,
            "low_s": sweep.low_s,
            "high_s": sweep.high_s,
            "choice": [algorithm(label) for label in sweep.algorithms],
            "series": series,
            "origin": palette.origin_of(series),
        }
    )


def regions(sweep: Swept, crossovers: Iterable[float] = ()) -> pd.DataFrame:
    """
    Ranges of sizes in which one algorithm and protocol is fastest.

    Args:
        sweep: The answers by size.
        crossovers: Sizes in bytes at which the choice changes, where they are known closer than the sweep is.
    """
    choice = np.asarray(sweep.algorithms)
    starts = np.flatnonzero(np.r_[True, choice[1:] != choice[:-1]])
    edges = [_edge(sweep.size_bytes, int(index), crossovers) for index in starts]
    ends = [*edges[1:], float(sweep.size_bytes[-1])]
    return pd.DataFrame(
        {
            "from_bytes": edges,
            "to_bytes": ends,
            "middle": np.sqrt(np.multiply(edges, ends)),
            "choice": [algorithm(label) for label in choice[starts]],
            "shade": np.arange(len(starts)) % 2,
        }
    )


def _edge(size_bytes: Floats, index: int, crossovers: Iterable[float]) -> float:
    """Where a choice begins: at a crossover since the size before, else at the size itself."""
    here = float(size_bytes[index])
    before = float(size_bytes[index - 1]) if index else here
    return next((size for size in crossovers if before < size <= here), here)


def ceilings(rates: Iterable[tuple[str, float]]) -> pd.DataFrame:
    """Horizontal lines, one per ``Ceiling``; unknown rates are left out."""
    drawn = [(name, rate) for name, rate in rates if rate]
    return pd.DataFrame(drawn, columns=["ceiling", "bytes_per_s"])


def no_curve() -> pd.DataFrame:
    """No model: the columns of a curve, no rows."""
    numbers = ("size_bytes", "busbw", "low", "high", "time_s", "low_s", "high_s")
    columns = dict.fromkeys(numbers, float) | {"choice": str, "series": str, "origin": str}
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns.items()})


@lru_cache(maxsize=1)
def no_points() -> pd.DataFrame:
    """No measured points: the same columns, no rows."""
    columns = {"size_bytes": float, "busbw": float, "time_s": float, "series": str, "placement": str}
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns.items()})


def sizes_for(points: pd.DataFrame) -> Floats:
    """Sizes of the model's curve that reach as far as the measured points do."""
    if points.empty:
        return SIZES
    low = min(LOW_BYTES, float(points["size_bytes"].min()))
    high = max(GIB, float(points["size_bytes"].max()))
    return np.geomspace(low, high, int(POINTS_PER_DECADE * np.log10(high / low)) + 2)


def _size(field: str = "size_bytes") -> Any:
    return charts.size_axis(field, SIZE)


def _colour() -> alt.Color:
    return alt.Color("series:N", title=None, sort=None, legend=charts.legend(columns=2, offset=ABOVE))


def _regions() -> tuple[alt.Chart, alt.Chart]:
    block = alt.Chart(charts.rows("regions"))
    shade = alt.Opacity("shade:O", scale=alt.Scale(domain=[0, 1], range=SHADES), legend=None)
    bands = block.mark_rect(color=charts.GREY, tooltip=None).encode(
        x=_size("from_bytes"), x2="to_bytes:Q", opacity=shade
    )
    names = block.mark_text(
        tooltip=None, angle=270, align="right", baseline="middle", fontSize=10, color=palette.LABEL
    ).encode(x=_size("middle"), y=alt.value(14), text="choice:N")
    return bands, names


def _ceilings() -> tuple[alt.Chart, alt.Chart]:
    rule = alt.Chart(charts.rows("ceilings"))
    y = charts.linear_axis("bytes_per_s", BUSBW, "B/s")
    tips = [alt.Tooltip("ceiling:N", title="Link rate"), charts.tip("bytes_per_s", "Rate", "bytes/s")]
    lines = rule.mark_rule(strokeDash=[6, 4], size=1.5, color=charts.RED, aria=False).encode(
        y=y, tooltip=tips
    )
    names = rule.mark_text(align="left", dx=6, dy=-7, fontSize=11, color=palette.RED_LABEL).encode(
        x=alt.value(0), y=y, text="ceiling:N"
    )
    return lines, names


TIPS = (
    charts.tip("size_bytes", "Message size", "bytes"),
    charts.tip("busbw", "Bus bandwidth", "bytes/s"),
    charts.tip("time_s", "Time", "s"),
    alt.Tooltip("series:N", title="Series"),
)


def placement_legend(placements: int) -> alt.Legend | None:
    """The shapes of out-of-place and in-place; none where all points have one."""
    return charts.legend(colour=charts.GREY, orient="bottom") if placements > 1 else None


def _points(y: Any, look: Look) -> alt.Chart:
    base = alt.Chart(charts.rows("points")).mark_point(size=44, filled=True, opacity=0.8)
    x, placement = _size(), alt.Tooltip("placement:N", title="Placement")
    if look.verdicts:
        colour = alt.Color(
            "verdict:N",
            title=None,
            scale=palette.by_verdict(),
            legend=charts.legend(orient="bottom", narrow=3, values=list(look.verdicts)),
        )
        judged: alt.Chart = base.encode(
            x=x, y=y, color=colour, tooltip=[*TIPS, alt.Tooltip("verdict:N", title="Verdict"), placement]
        )
        return judged
    scale = alt.Scale(range=["circle", "triangle-up", "square"])
    shape = alt.Shape("placement:N", title=None, scale=scale, legend=placement_legend(look.placements))
    points: alt.Chart = base.encode(x=x, y=y, color=_colour(), shape=shape, tooltip=[*TIPS, placement])
    return points


@lru_cache(maxsize=32)
def spec(look: Look = PLAIN) -> charts.Spec:
    """Bus bandwidth over size."""
    model = alt.Chart(charts.rows("curve"))
    y = charts.linear_axis("busbw", BUSBW, "B/s")
    interval = model.mark_area(opacity=0.18, tooltip=None).encode(
        x=_size(), y=charts.linear_axis("low", BUSBW, "B/s"), y2="high:Q", color=_colour()
    )
    choice = alt.Tooltip("choice:N", title="Algorithm")
    line = model.mark_line(size=2.5).encode(
        x=_size(), y=y, color=_colour(), strokeDash=palette.by_origin(), tooltip=[*TIPS, choice]
    )
    bands, names = _regions()
    lines, labels = _ceilings()
    curves = alt.layer(bands, interval, lines, line)
    return charts.spec(_over(curves, _points(y, look), names, labels, look=look), height=look.height)


@lru_cache(maxsize=32)
def time_spec(look: Look = PLAIN) -> charts.Spec:
    """Time over size, both logarithmic: small messages are seen as well as large ones."""
    model = alt.Chart(charts.rows("curve"))
    y = charts.log_axis("time_s", TIME, "s", axis=alt.Y)
    interval = model.mark_area(opacity=0.18, tooltip=None).encode(
        x=_size(), y=charts.log_axis("low_s", TIME, "s", axis=alt.Y), y2="high_s:Q", color=_colour()
    )
    line = model.mark_line(size=2.5).encode(
        x=_size(), y=y, color=_colour(), strokeDash=palette.by_origin(), tooltip=list(TIPS)
    )
    return charts.spec(_over(alt.layer(interval, line), _points(y, look), look=look), height=look.height)


def _over(curves: Any, *above: alt.Chart, look: Look) -> Any:
    """Points and names over the curves; verdicts have colours of their own."""
    if look.verdicts:
        return alt.layer(curves, *above).resolve_scale(color="independent")
    return alt.layer(*curves.layer, *above)


def look(curves: pd.DataFrame, points: pd.DataFrame) -> Look:
    """What tells these points apart, and the room that their names leave."""
    verdicts = tuple(dict.fromkeys(points["verdict"])) if "verdict" in points else ()
    series = {*curves["series"], *(() if verdicts else points["series"])}
    return Look(len(set(points["placement"])), verdicts, charts.room(len(series), HEIGHT))


def finding(curves: pd.DataFrame, points: pd.DataFrame) -> str:
    """The highest bus bandwidth of each curve and of each series of points, and where."""
    parts = []
    for frame in (curves, points):
        for name, sizes, rates in findings.by_series(frame, "series", "size_bytes", "busbw"):
            best = len(rates) - 1 - int(np.argmax(rates[::-1]))
            parts.append(f"{name} {format_rate(rates[best])} at best, at {format_size(float(sizes[best]))}")
    return "; ".join(parts[: findings.MOST]) or "no values"


def draw_times(alt_text: str, *, curves: pd.DataFrame, points: pd.DataFrame) -> None:
    """Draw time over size with these frames."""
    span = findings.ends(pd.concat([curves, points]), "series", "size_bytes", "time_s", format_time)
    charts.draw(time_spec(look(curves, points)), f"{alt_text}: {span}", curve=curves, points=points)


def draw(
    alt_text: str,
    *,
    curves: pd.DataFrame,
    region: pd.DataFrame | None = None,
    ceiling: pd.DataFrame | None = None,
    points: pd.DataFrame | None = None,
) -> None:
    """Draw bus bandwidth over size with these frames."""
    drawn = no_points() if points is None else points
    charts.draw(
        spec(look(curves, drawn)),
        f"{alt_text}: {finding(curves, drawn)}",
        curve=curves,
        regions=regions_of_none() if region is None else region,
        ceilings=ceilings([]) if ceiling is None else ceiling,
        points=drawn,
    )


@lru_cache(maxsize=1)
def regions_of_none() -> pd.DataFrame:
    """No shaded regions."""
    columns = ("from_bytes", "to_bytes", "middle", "choice", "shade")
    return pd.DataFrame({name: pd.Series(dtype=float) for name in columns})
