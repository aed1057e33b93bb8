"""The rates that a reader may choose, on every page from one list: calibrated, spec, published, yours."""

from dataclasses import dataclass, replace

import streamlit as st

from core.collectives.cost_model import Point
from core.collectives.pricing import Scenario, setting_of
from core.collectives.rates import Rates
from core.provenance import Origin
from core.units import GB, GIB, KIB, MS, US
from pages.ui.shared import bound, fits

CHOICES = ("calibrated", "spec", "published", "yours")
HELP = (
    "**calibrated**: fitted on published measurements, with a band. **spec**: the datasheet, one way. "
    "**published**: both directions added up, no latency: optimistic by a factor of two. "
    "**yours**: a fit to your own runs, or the rate, latency or measured times you type."
)
SMALL_BYTES, LARGE_BYTES = 8 * KIB, GIB


@dataclass(frozen=True, slots=True)
class Choice:
    """The rates chosen, and the all-reduce times measured on the reader's machine: [(bytes, s)]."""

    rates: Rates
    measured: tuple[tuple[float, float], ...] = ()

    @property
    def origin(self):
        """What the badge says; a typed latency or rate takes the calibration's place."""
        if self.rates.origin is Origin.CALIBRATED and self.rates.overridden:
            return str(Origin.SPEC) if self.rates.latency_s is None else "yours"
        return "yours" if self.rates.origin is Origin.FITTED else str(self.rates.origin)

    def on(self, system, ranks):
        """The rates for so many GPUs of this machine, with the measured points if there are any."""
        if not self.measured:
            return self.rates
        where = setting_of(Scenario(system, "all_reduce", ranks))
        points = tuple(Point(where, size, time_s) for size, time_s in self.measured)
        return replace(self.rates, points=points)


def choose():
    """The rates widget with its latency and, for *yours*, rate or measured times."""
    chosen = bound.switch("Rates", "rates", CHOICES, help=HELP)
    own = chosen == "yours"
    fit = fits.choose() if own else None
    if fit is not None:
        rates = Rates(Origin.FITTED, name=fit.name, fit=fit)
        st.caption(f"{rates.remark} What it does not cover is answered as calibrated.")
        return Choice(rates)
    with st.expander("Your numbers" if own else "Latency", icon=":material/timer:", expanded=own):
        gbps, measured = _own() if own else (None, ())
        latency_us = bound.number(
            "Latency (µs)", "latency_us", None, low=0.0, step=0.5, help="Empty: as the rates say."
        )
        per = bound.switch("of each", "latency_per", ("step", "operation"))
    typed = bool(measured) or gbps is not None or latency_us is not None
    origin = Origin.FITTED if own and typed else Origin.CALIBRATED if own else Origin(chosen)
    rates = Rates(
        origin=origin,
        latency_s=None if latency_us is None else latency_us * US,
        latency_per=per,
        bytes_per_s=None if gbps is None else gbps * GB,
    )
    if own and not typed:
        st.caption("Nothing typed yet: calibrated rates answer.")
    elif rates.overridden and origin is Origin.CALIBRATED:
        st.caption("With a latency of your own, formulas on datasheet rates answer: no calibration, no band.")
    else:
        st.caption(rates.remark)
    return Choice(rates, measured)


def _own():
    """A rate that replaces the datasheet's, or two measured all-reduces that adapt the model."""
    st.caption("Either two times of an all-reduce you measured on these GPUs ...")
    small = bound.number("8 KiB all-reduce (µs)", "measured_8k_us", None, low=0.001)
    large = bound.number("1 GiB all-reduce (ms)", "measured_1g_ms", None, low=0.001)
    st.caption("... or a rate, which plain formulas then use:")
    gbps = bound.number("Rate, one way per GPU (GB/s)", "rate_gbps", None, low=0.001, step=10.0)
    times = ((SMALL_BYTES, small, US), (LARGE_BYTES, large, MS))
    return gbps, tuple((size, value * unit) for size, value, unit in times if value is not None)
