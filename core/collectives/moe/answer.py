"""The answer about one dispatch or combine on a system, with every library beside it."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from core.checks import Floats, InputError
from core.collectives.cost_model import MODEL_VERSION
from core.collectives.formulas.columns import FIGURES
from core.collectives.moe.price import PricedExchange, copies_on, formatted, priced_exchange
from core.collectives.moe.question import LIBRARIES, MoeExchange, checked_tokens
from core.collectives.pricing import PricedSizes, Scenario, setting_of, sweep
from core.collectives.pricing.answered import answered
from core.collectives.pricing.placement import placement_of
from core.collectives.pricing.sweep import by_formula_only
from core.provenance import Source

FLOOR = "Datasheet rates or rates of your own: every token once to each GPU, as a plain all-to-all."


@dataclass(frozen=True, slots=True)
class LibraryTime:
    """What one library takes."""

    library: str
    time_s: float
    low_s: float
    high_s: float
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeAnswer:
    """
    One dispatch or combine, priced.

    Attributes:
        tokens: Of one GPU.
        size_bytes: Of those tokens in the format they travel in, once.
        received_bytes: By one GPU, its own tokens for its own experts among them, as libraries count: a copy
            for each GPU that a token reaches, or for each of its experts where the kernel sends those.
        algbw_bytes_per_s: Those over the time, as libraries print; None where nothing is sent.
        scale_out_bytes: Leaving the domain over the NICs of one GPU.
        gpus_reached, domains_reached: By a token, its own among them.
        binding: The part that costs most: latency, transfer or reduction; None where free.
        libraries: Every library that runs there, the fastest first.
    """

    system: str
    collective: str
    ranks: int
    domains: int
    tokens: float
    hidden: int
    experts: int
    topk: int
    token_format: str
    routing: str
    sms: int | None
    staged: bool
    library_version: str | None
    library: str
    launch: str
    rates: str
    size_bytes: float
    time_s: float
    low_s: float
    high_s: float
    launch_s: float
    latency_s: float
    transfer_s: float
    reduction_s: float
    wire_bytes: float
    received_bytes: float
    scale_out_bytes: float
    algbw_bytes_per_s: float | None
    gpus_reached: float
    domains_reached: float
    binding: str | None
    libraries: tuple[LibraryTime, ...]
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]
    model_version: str

    def json(self) -> dict[str, Any]:
        """The answer as the shell prints it, with the keys of every collective; None: undefined."""
        values = asdict(self)
        values |= {"implementation": self.library, "algorithm": self.library, "protocol": None, "flips": []}
        values |= {"busbw_bytes_per_s": None, "runner_up": self._runner_up()}
        values["libraries"] = [asdict(item) for item in self.libraries]
        values["sources"] = [f"{source.title} ({source.where})" for source in self.sources]
        values["warnings"] = list(self.warnings)
        return values

    def _runner_up(self) -> dict[str, Any] | None:
        """The fastest other library."""
        others = [item for item in self.libraries if item.library != self.library]
        if not others or self.time_s <= 0:
            return None
        return {"algorithm": others[0].library, "protocol": None, "time_s": others[0].time_s}


def exchange_prices(scenario: Scenario, exchange: MoeExchange, tokens: Floats) -> PricedExchange:
    """
    The prices of an exchange on the GPUs of a scenario (an all-to-all), by its rates.

    Raises:
        InputError: Ranks that do not fit the system, a library that does not run there, too few experts.
    """
    setting = setting_of(scenario)
    exchange = formatted(setting, exchange)
    if not by_formula_only(scenario):
        return priced_exchange(setting, exchange, tokens, lambda sizes: sweep(scenario, sizes))
    copies = copies_on(setting, exchange)
    size = tokens * copies.gpus * exchange.token_bytes
    prices = sweep(scenario, size)
    priced = replace(prices, warnings=(*prices.warnings, FLOOR))
    return PricedExchange(priced, size, size * (1 - 1 / setting.domains), copies)


def exchange_answer(scenario: Scenario, exchange: MoeExchange, tokens: float) -> ExchangeAnswer:
    """
    What one dispatch or combine of so many tokens a GPU costs, and what each library would take.

    Raises:
        InputError: As ``exchange_prices``; or tokens that are no number of at least 0.
    """
    amounts = np.array([float(checked_tokens(tokens))])
    exchange = formatted(setting_of(scenario), exchange)
    priced, placement = exchange_prices(scenario, exchange, amounts), placement_of(scenario)
    prices, copies = priced.prices, priced.copies
    figures: dict[str, Any] = {name: float(getattr(prices, name)[0]) for name in FIGURES}
    received = float(priced.received_bytes[0])
    once = float(amounts[0]) * exchange.token_bytes
    domains = placement.domains
    return ExchangeAnswer(
        system=scenario.system.id,
        collective=exchange.collective,
        ranks=scenario.ranks,
        domains=domains,
        tokens=float(amounts[0]),
        hidden=exchange.hidden,
        experts=exchange.experts,
        topk=exchange.topk,
        token_format=exchange.travels_as,
        routing=exchange.routing,
        sms=exchange.sms,
        staged=exchange.staged,
        library_version=exchange.library_version,
        library=str(prices.algorithms[0]),
        launch=scenario.launch,
        rates=answered(scenario.rates, [prices.basis]),
        size_bytes=once,
        **figures,
        received_bytes=received,
        scale_out_bytes=float(priced.scale_out_bytes[0]),
        algbw_bytes_per_s=received / figures["time_s"] if figures["time_s"] > 0 else None,
        gpus_reached=copies.gpus,
        domains_reached=copies.domains,
        binding=_binding(figures),
        libraries=libraries(scenario, exchange, amounts),
        basis=prices.basis,
        warnings=prices.warnings,
        sources=prices.sources,
        model_version=MODEL_VERSION,
    )


def libraries(scenario: Scenario, exchange: MoeExchange, tokens: Floats) -> tuple[LibraryTime, ...]:
    """What every library takes that runs there, the fastest first; none on rates without libraries."""
    if by_formula_only(scenario):
        return ()
    times = []
    for name in LIBRARIES:
        try:
            prices = exchange_prices(scenario, replace(exchange, library=name), tokens).prices
        except InputError:
            continue
        times.append(_library_time(name, prices))
    return tuple(sorted(times, key=lambda item: item.time_s))


def _library_time(name: str, prices: PricedSizes) -> LibraryTime:
    time_s, low_s, high_s = (float(item[0]) for item in (prices.time_s, prices.low_s, prices.high_s))
    return LibraryTime(name, time_s, low_s, high_s, prices.basis)


def _binding(figures: dict[str, float]) -> str | None:
    if figures["time_s"] <= 0:
        return None
    parts = {name: figures[f"{name}_s"] for name in ("launch", "latency", "transfer", "reduction")}
    return max(parts, key=lambda name: parts[name])
