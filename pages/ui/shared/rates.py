"""The rates that a reader may choose, on every page from one list: calibrated, spec, published, yours."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import streamlit as st

from core.collectives.cost_model import Point
from core.collectives.pricing import Scenario, setting_of
from core.collectives.rates import Rates
from core.hardware import System
from core.provenance import Origin
from core.units import GB, GIB, KIB, MS, US, converted
from pages.ui.shared import address, bound, fits

YOURS = "yours"
CHOICES = ("calibrated", "spec", "published", YOURS)
HELP = (
    "**calibrated**: fitted on published measurements, with a prediction interval (p10-p90). "
    "**spec**: the datasheet's unidirectional rate. "
    "**published**: the bidirectional rate and no latency, as many documents count: optimistic by a factor of two. "
    "**yours**: your cluster, as a fit to your own runs or as the rate, latency or all-reduce times you type."
)
SMALL_BYTES, LARGE_BYTES = 8 * KIB, GIB


@dataclass(frozen=True, slots=True)
class TimedSize:
    """An all-reduce measured by the reader: bytes and seconds."""

    size_bytes: float
    time_s: float


@dataclass(frozen=True, slots=True)
class RateChoice:
    """
    The rates chosen.

    Attributes:
        rates: The rates that answer.
        measured: All-reduce times measured on the reader's cluster.
        fit_unread: Whether a fit was chosen that could not be read, so that it does not answer.
    """

    rates: Rates
    measured: tuple[TimedSize, ...] = ()
    fit_unread: bool = False

    @property
    def origin(self) -> str:
        """What the badge says; with a typed latency formulas on datasheet rates answer."""
        if self.rates.origin is Origin.CALIBRATED and self.rates.overridden:
            return str(Origin.SPEC)
        return YOURS if self.rates.origin is Origin.FITTED else str(self.rates.origin)

    def on(self, system: System, ranks: int) -> Rates:
        """The rates for so many GPUs of this system, with the measured points if there are any."""
        if not self.measured:
            return self.rates
        setting = setting_of(Scenario(system, "all_reduce", ranks))
        points = tuple(Point(setting, timed.size_bytes, timed.time_s) for timed in self.measured)
        return replace(self.rates, points=points)


class _Typed(NamedTuple):
    """What the reader typed of their own cluster."""

    rate_gbps: float | None = None
    measured: tuple[TimedSize, ...] = ()


def choose() -> RateChoice:
    """The rates widget with its latency and, for *yours*, a fit, a rate or measured times."""
    if fits.asked_for() and "rates" not in st.session_state and "rates" not in st.query_params:
        address.rewrite("rates", YOURS)
    option = bound.switch("Rates", "rates", CHOICES, help=HELP)
    own = option == YOURS
    fit, fit_unread = fits.choose() if own else fits.Choice()
    if fit is not None:
        rates = Rates(Origin.FITTED, name=fit.name, fit=fit)
        st.caption(f"{rates.remark} What the fit does not cover uses calibrated rates.")
        return RateChoice(rates)
    with st.expander("Your measurements" if own else "Latency", icon=":material/timer:", expanded=own):
        typed = _own() if own else _Typed()
        latency_us = bound.number(
            "Latency (µs)",
            "latency_us",
            None,
            low=0.0,
            step=0.5,
            help="Empty: the latency of the chosen rates.",
        )
        per = bound.switch("per", "latency_per", ("step", "operation"))
    overridden = bool(typed.measured) or typed.rate_gbps is not None or latency_us is not None
    origin = Origin.CALIBRATED if own else Origin(option)
    rates = Rates(
        origin=Origin.FITTED if own and overridden else origin,
        latency_s=converted(latency_us, US),
        latency_per=per,
        bytes_per_s=converted(typed.rate_gbps, GB),
    )
    _remark(rates, nothing_typed=own and not overridden)
    return RateChoice(rates, typed.measured, fit_unread)


def _remark(rates: Rates, *, nothing_typed: bool) -> None:
    """What the rates rest on, below their widgets."""
    if nothing_typed:
        st.caption("Nothing typed yet: calibrated rates are used.")
    elif rates.overridden and rates.origin is Origin.CALIBRATED:
        st.caption(
            "With your own latency, formulas on datasheet rates are used: no calibration, no interval."
        )
    else:
        st.caption(rates.remark)


def _own() -> _Typed:
    """Two measured all-reduces that adapt the model, or a rate that replaces the datasheet's."""
    st.caption("Either two all-reduce times measured on these GPUs ...")
    small = bound.number("8 KiB all-reduce (µs)", "measured_8k_us", None, low=0.001)
    large = bound.number("1 GiB all-reduce (ms)", "measured_1g_ms", None, low=0.001)
    st.caption("... or a rate, used by the formulas without calibration:")
    gbps = bound.number("Unidirectional rate per GPU (GB/s)", "rate_gbps", None, low=0.001, step=10.0)
    times = ((SMALL_BYTES, small, US), (LARGE_BYTES, large, MS))
    return _Typed(gbps, tuple(TimedSize(size, time * unit) for size, time, unit in times if time is not None))
