"""The colours and marks of all charts: one colour a link family, one mark an origin, legible on light and dark."""

from collections.abc import Iterable

import altair as alt

from core.catalog import LINKS
from core.hardware import Family
from core.verdict import Status

GREY = "#6b7f99"
RED = "#d6336c"
GREEN = "#2b8a3e"
ORANGE = "#c77700"
BLUE = "#2f80ed"
VIOLET = "#8b5cf6"
TEAL = "#0c93a5"
"""Marks: each has 3 to 1 at least on the light and on the dark page."""
LABEL = "#51606f"
RED_LABEL = "#c2255c"
ON_DARK = {LABEL: "#b3bfcc", RED_LABEL: "#ff7aa8"}
"""Words in a chart, and what they become on a dark page: 4.5 to 1 on both."""

NVLINK, PCIE, INFINIBAND, ETHERNET = "#3d8b1f", "#d9690f", BLUE, TEAL
ON_CHIP, HBM, HOST, OTHER_NETWORK, OTHER_SCALE_UP = "#c2489b", VIOLET, "#a9743a", "#b07d00", "#c4573a"
FAMILIES = {
    Family.NVLINK: NVLINK,
    Family.C2C: HOST,
    Family.NVSWITCH: NVLINK,
    Family.PCIE: PCIE,
    Family.INFINIBAND: INFINIBAND,
    Family.ETHERNET: ETHERNET,
    Family.EFA: OTHER_NETWORK,
    Family.SLINGSHOT: OTHER_NETWORK,
    Family.TCPX: OTHER_NETWORK,
    Family.UALINK: OTHER_SCALE_UP,
    Family.INFINITY_FABRIC: OTHER_SCALE_UP,
}
"""A colour per link family, the same on every chart."""
ON_PACKAGE = {"HBM": HBM, "L2": ON_CHIP, "SRAM": ON_CHIP, "host": HOST, "c2c": HOST}
"""Levels of the hierarchy that are no link."""

ORIGINS = ("spec", "published", "calibrated", "yours", "measured")
DASHES = ([6, 4], [2, 3], [1, 0], [12, 4], [1, 0])
"""Dash of each origin's line: datasheet dashed, bidirectional dotted, calibrated solid, a fit in long dashes."""

EXPOSED, OVERLAPPED, COMPUTE, BUBBLE, OPTIMIZER = RED, "#728396", "#4f74b3", ORANGE, TEAL
COSTS = {"launch": BLUE, "latency": ORANGE, "transfer": GREEN, "reduction": VIOLET}
"""Colour of each part of a collective's time."""
SERIES = (BLUE, "#d9690f", GREEN, VIOLET, "#b07d00", TEAL, "#c2489b", GREY)
"""Series that are neither a link nor an origin."""
VERDICTS = {
    Status.FINE: GREEN,
    Status.LOW: ORANGE,
    Status.HIGH: BLUE,
    Status.IMPOSSIBLE: RED,
    Status.WRONG: VIOLET,
    Status.UNKNOWN: GREY,
}
"""Measured samples and runs by their verdict."""


def of_link(link: str | None, level: str = "") -> str:
    """Colour of a link by its id in the catalog, else of a level of the hierarchy by its name."""
    if link in LINKS:
        return FAMILIES[LINKS[link].family]
    words = f"{link or ''} {level}"
    return next((colour for word, colour in ON_PACKAGE.items() if word.lower() in words.lower()), GREY)


def origin_of(series: str) -> str:
    """The origin that the name of a series says; a name that says none is that of a fit."""
    return next((origin for origin in ORIGINS if origin in series), "yours")


def scale(colours: Iterable[tuple[str, str]]) -> alt.Scale:
    """A scale that gives each name of a series its colour."""
    pairs = dict(colours)
    return alt.Scale(domain=list(pairs), range=list(pairs.values()))


def by_verdict(statuses: Iterable[Status] = Status) -> alt.Scale:
    """A scale that gives each verdict its colour."""
    return scale((str(status), VERDICTS[status]) for status in statuses)


def by_origin(field: str = "origin") -> alt.StrokeDash:
    """Dashes by the origin of a line's numbers."""
    marks = alt.Scale(domain=list(ORIGINS), range=[list(dash) for dash in DASHES])
    return alt.StrokeDash(f"{field}:N", scale=marks, legend=None)
