"""Facts of systems and models as factors: names and rates that several calculators' terms depend on."""

from core.calculators.comparison.explanation import Factor
from core.catalog import link_name
from core.collectives.rates import Rates
from core.hardware import Fabric, System
from core.parallel.traffic import STRATEGY_NAMES
from core.units import BILLION, TERA, format_number, format_rate
from core.workload import Model


def count(name: str, value: float, *, shortens: bool = False) -> Factor:
    """A number of something."""
    return Factor(name, format_number(value), value, shortens)


def option(name: str, text: object) -> Factor:
    """A choice without a number."""
    return Factor(name, str(text))


def strategy(key: str) -> Factor:
    """A data-parallel strategy by its name."""
    return option("data-parallel strategy", STRATEGY_NAMES[key])


def rate(name: str, bytes_per_s: float) -> Factor:
    """A bandwidth."""
    return Factor(name, format_rate(bytes_per_s), bytes_per_s, shortens=True)


def flops(name: str, flop_per_s: float) -> Factor:
    """Arithmetic of a GPU."""
    return Factor(name, f"{flop_per_s / TERA:,.0f} TFLOP/s", flop_per_s, shortens=True)


def link(system: System, ranks: int) -> Factor:
    """The link that bounds so many ranks: of the domain, or of the network once they leave it."""
    out = system.scale_out
    fabric = out if ranks > system.domain_gpus and out is not None else system.scale_up
    return Factor("link", fabric_text(fabric), fabric.bytes_per_s, shortens=True)


def fabric_text(fabric: Fabric) -> str:
    """Name and rate of a fabric's link."""
    return f"{link_name(fabric.link)} {format_rate(fabric.bytes_per_s)}"


def shape(model: Model | None) -> tuple[Factor, ...]:
    """Parameters, layers and hidden size of a model."""
    if model is None:
        return ()
    factors = [Factor("parameters", f"{model.params / BILLION:,.4g} B", model.params)]
    if model.layers:
        factors.append(count("layers", model.layers))
    if model.hidden:
        factors.append(count("hidden size", model.hidden))
    return tuple(factors)


def rates_text(rates: Rates) -> str:
    """Which rates were chosen, and whether typed figures replace some."""
    return f"{rates.label}, with typed figures" if rates.overridden else rates.label
