"""Rates: which numbers stand behind an answer, as the user chooses from one list."""

from dataclasses import dataclass, replace

from core.checks import InputError, choice, number
from core.collectives.cost_model import Point
from core.collectives.fitted.fit import Fit
from core.provenance import Origin

ORIGINS = (Origin.PUBLISHED, Origin.SPEC, Origin.CALIBRATED, Origin.FITTED)
LATENCY_PER = ("step", "operation")

REMARKS = {
    Origin.PUBLISHED: (
        "Published convention: both directions of the link added up and no latency, so at least 2x too fast "
        "for a transfer in one direction."
    ),
    Origin.SPEC: "Datasheet rates, unidirectional, without launch or protocol: a floor no system reaches.",
    Origin.CALIBRATED: (
        "Fitted on published measurements of this kind of system, with a prediction interval (p10-p90)."
    ),
    Origin.FITTED: "Fitted to runs of your own machine: yours.",
}


@dataclass(frozen=True, slots=True)
class Rates:
    """
    Where rates and latencies come from, and what of them the user replaces.

    Attributes:
        origin: published, spec, calibrated or fitted.
        name: Of a fit.
        latency_s: Replaces the latency of every link; None keeps it.
        latency_per: Whether latency counts for each ``step`` or once for the ``operation``.
        bytes_per_s: Replaces the rate of every link, unidirectional per GPU; None keeps it.
        across_latency_s, across_bytes_per_s: The same for the network between domains alone; None
            takes what replaces every link.
        points: Measured points of the user's own cluster.
        fit: A fit to the user's own cluster; it goes before the points.
    """

    origin: Origin = Origin.CALIBRATED
    name: str = ""
    latency_s: float | None = None
    latency_per: str = "step"
    bytes_per_s: float | None = None
    points: tuple[Point, ...] = ()
    fit: Fit | None = None
    across_latency_s: float | None = None
    across_bytes_per_s: float | None = None

    def __post_init__(self) -> None:
        if self.origin not in ORIGINS:
            choice("rates", str(self.origin), ORIGINS)
        choice("latency_per", self.latency_per, LATENCY_PER)
        for name in ("latency_s", "across_latency_s"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), least=0)
        for name in ("bytes_per_s", "across_bytes_per_s"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), above=0)

    @property
    def measured(self) -> bool:
        """True where something was measured on the user's own cluster: points or a fit."""
        return bool(self.points) or self.fit is not None

    @property
    def overridden(self) -> bool:
        """True where the user replaced a latency or a rate: then plain formulas answer."""
        return bool(self.overrides)

    @property
    def overrides(self) -> dict[str, float | str]:
        """What the user replaced, by attribute: then plain formulas answer on it, and no calibration."""
        names = ("latency_s", "bytes_per_s", "across_latency_s", "across_bytes_per_s")
        replaced = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replaced | ({} if self.latency_per == "step" else {"latency_per": self.latency_per})

    @property
    def across(self) -> "Rates":
        """The same for the network between domains, with what replaces its latency and rate there."""
        latency_s = self.latency_s if self.across_latency_s is None else self.across_latency_s
        rate = self.bytes_per_s if self.across_bytes_per_s is None else self.across_bytes_per_s
        return replace(self, latency_s=latency_s, bytes_per_s=rate)

    @property
    def remark(self) -> str:
        """One line on what these rates mean."""
        return REMARKS[self.origin]

    @property
    def label(self) -> str:
        """As the shell writes it: ``spec``, ``fitted:NAME``."""
        named = self.origin is Origin.FITTED and self.name
        return f"{self.origin}:{self.name}" if named else str(self.origin)


def parse_rates(text: str) -> Rates:
    """
    Rates from ``published``, ``spec``, ``calibrated`` or ``fitted:NAME``.

    Raises:
        InputError: Anything else; the message lists what is allowed.
    """
    origin, _, name = text.partition(":")
    if origin == Origin.FITTED and name:
        return Rates(Origin.FITTED, name=name)
    if text not in (Origin.PUBLISHED, Origin.SPEC, Origin.CALIBRATED):
        message = f"rates: {text!r} is unknown; one of published, spec, calibrated, fitted:NAME"
        raise InputError(message)
    return Rates(Origin(text))
