"""Dispatch and combine of MoE layers on the page Collectives: inputs, answer and libraries beside each other."""

from dataclasses import dataclass, replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.question import Question
from core.catalog.calibrations.moe_kernels import CHANGED
from core.checks import InputError
from core.collectives.moe.answer import ExchangeAnswer, exchange_answer, exchange_prices
from core.collectives.moe.question import AUTO, FORMATS, LIBRARIES, MoeExchange
from core.collectives.moe.routing import ROUTINGS
from core.collectives.pricing import Scenario
from core.units import counted, format_message, format_rate, format_time
from pages.ui.shared import (
    answer,
    answered,
    basis,
    bound,
    charts,
    fields,
    findings,
    folded,
    names,
    record,
    tables,
)
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import strong
from pages.ui.shared.question.record import SharedInputs

TOKENS = 4096
SWEPT = np.exp2(np.arange(0.0, 17.0))
"""Tokens of a GPU in the chart."""
VERSION_NAMES = {AUTO: "not stated", "1.0": "before 1.1", "1.1": "1.1 and later"}
FORMAT_NAMES = {AUTO: "FP8 out, BF16 back", "fp8": "FP8", "bf16": "BF16", "nvfp4": "NVFP4"}


@dataclass(frozen=True, slots=True)
class ExchangeQuery:
    """Tokens of one GPU on their way; ranks None stands for every GPU."""

    exchange: MoeExchange | InputError
    tokens: int
    ranks: int | None


def query(collective: str) -> ExchangeQuery:
    """The widgets of tokens, layer and library."""
    tokens = bound.number("Tokens per GPU", "tokens", TOKENS, low=0, step=1)
    ranks = fields.count("Ranks (GPUs)", "ranks", help="Empty: every GPU of the system.")
    library, version = _library()
    routing = bound.choice(
        "Routing",
        "routing",
        ROUTINGS,
        help="random: any set of experts is as likely. balanced: round robin, as benchmarks do.",
    )
    hidden = fields.count("Hidden size", "hidden", 7168)
    experts = fields.count("Experts", "experts", 256)
    topk = fields.count("Experts per token (top-k)", "topk", 8)
    token_format = bound.choice("Token format", "token_format", (AUTO, *FORMATS), names=FORMAT_NAMES)
    sms = fields.count("SMs", "sms", help="That the kernel uses. Empty: the library's default.")
    staged = bound.toggle(
        "Copy to a tensor",
        "staged",
        help="Received tokens are copied out of the library's buffers, as its API does.",
    )
    return ExchangeQuery(
        _exchange(
            collective=collective,
            hidden=hidden,
            experts=experts,
            topk=topk,
            token_format=None if token_format == AUTO else token_format,
            library=library,
            library_version=version,
            routing=routing,
            sms=sms,
            staged=staged,
        ),
        tokens,
        ranks,
    )


def _library() -> tuple[str, str | None]:
    """The widgets of library and, where it changed its kernels, version."""
    library = bound.choice(
        "Library",
        "library",
        (AUTO, *LIBRARIES),
        names={AUTO: AUTO} | names.libraries(),
        help="auto: what engines use on such GPUs.",
    )
    if library not in (AUTO, *CHANGED):
        return library, None
    version = bound.choice(
        "DeepEP V1 version",
        "library_version",
        VERSION_NAMES,
        names=VERSION_NAMES,
        help="Kernels between nodes are others since 1.1. Not stated: as before, with an interval over both.",
    )
    return library, None if version == AUTO else version


def _exchange(**values: object) -> MoeExchange | InputError:
    """The exchange, or what is wrong with it, for the place of the answer."""
    try:
        return MoeExchange(**values)  # type: ignore[arg-type]
    except InputError as problem:
        return problem


def show(question: SharedInputs, query: ExchangeQuery) -> None:
    """The answer: time, what it rests on, libraries vs tokens, and the numbers."""
    with answer.explained():
        if isinstance(query.exchange, InputError):
            raise query.exchange
        scenario = _scenario(question, query)
        result = ask(scenario, query.exchange, query.tokens)
    answer.headline(
        headline(result),
        note=basis.sentence(result.basis) if result.time_s > 0 else "",
        origin=answered.by_bases(question.rates, [result.basis]),
        yours=scenario.system.yours,
    )
    answer.figures(figures(result))
    answer.warnings(result)
    if result.libraries:
        st.subheader(f"{title(result)} by library vs tokens")
        _draw(scenario, query.exchange, result)
    numbers(result)


def _scenario(question: SharedInputs, query: ExchangeQuery) -> Scenario:
    """The all-to-all over the same GPUs."""
    system = question.system.system()
    ranks = system.gpus if query.ranks is None else query.ranks
    asked = Question(
        system=system, rates=question.rates.on(system, ranks), software=question.software.software
    )
    return asked.scenario(Scenario, collective="all_to_all", ranks=ranks)


@lru_cache(maxsize=64)
def ask(scenario: Scenario, exchange: MoeExchange, tokens: int) -> ExchangeAnswer:
    """The answer, remembered."""
    return exchange_answer(scenario, exchange, tokens)


def title(result: ExchangeAnswer) -> str:
    """The operation as a sentence begins with it."""
    return names.exchange(result.collective)


def headline(result: ExchangeAnswer) -> Headline:
    """Time, library, and the fastest of the others."""
    gpus = counted(result.ranks, "GPU")
    operation = f"{title(result)} of {result.tokens:,.0f} tokens a GPU over {gpus}"
    if result.time_s <= 0:
        return Headline(f"{operation} costs nothing: there is nothing to move.")
    span = f" ({format_time(result.low_s)} to {format_time(result.high_s)})"
    interval = span if result.high_s > result.low_s else ""
    text = f"{operation} takes {format_time(result.time_s)}{interval}."
    others = [item for item in result.libraries if item.library != result.library]
    reason = f"By {strong(names.library(result.library))}; a token reaches {result.gpus_reached:.2f} GPUs."
    if others:
        reason += f" {names.library(others[0].library)} would take {format_time(others[0].time_s)}."
    return Headline(text, reason)


def figures(result: ExchangeAnswer) -> list[Figure]:
    """Time, bandwidth as libraries print it, traffic and copies."""
    rate = "–" if result.algbw_bytes_per_s is None else format_rate(result.algbw_bytes_per_s)
    return [
        Figure("Time", format_time(result.time_s)),
        Figure("Library", names.library(result.library) if result.library else "none"),
        Figure("Bandwidth", rate, "Received bytes over time, as libraries print it."),
        Figure(
            "Received per GPU",
            format_message(result.received_bytes),
            "Tokens that stay on their GPU included.",
        ),
        Figure("Over NICs per GPU", format_message(result.scale_out_bytes)),
        Figure("Domains a token reaches", f"{result.domains_reached:.2f}"),
    ]


def numbers(result: ExchangeAnswer) -> None:
    """The table of libraries and the sources."""
    frame, alt = _libraries(result), f"{title(result)} by library"
    if result.libraries:
        record.add_table(alt, frame)
    documents = answer.cite(result.sources)

    def draw() -> None:
        if result.libraries:
            tables.draw(frame, alt)
        st.markdown(documents)

    folded.numbers("Numbers and sources", draw)


def _libraries(result: ExchangeAnswer) -> pd.DataFrame:
    """A row for each library."""
    return pd.DataFrame(
        {
            "library": [names.library(item.library) for item in result.libraries],
            "time": [format_time(item.time_s) for item in result.libraries],
            "p10": [format_time(item.low_s) for item in result.libraries],
            "p90": [format_time(item.high_s) for item in result.libraries],
            "basis": [basis.short(item.basis) for item in result.libraries],
        }
    )


def _draw(scenario: Scenario, exchange: MoeExchange, result: ExchangeAnswer) -> None:
    """Time vs tokens, one line a library."""
    rows = _rows(scenario, exchange, tuple(item.library for item in result.libraries))
    lead = findings.lead(rows, "library", "tokens", "time_s", findings.count)
    charts.draw(
        _spec(charts.room(rows["library"].nunique())), f"Time vs tokens per GPU by library, {lead}", rows=rows
    )


@lru_cache(maxsize=64)
def _rows(scenario: Scenario, exchange: MoeExchange, libraries: tuple[str, ...]) -> pd.DataFrame:
    frames = [
        pd.DataFrame(
            {
                "tokens": SWEPT,
                "time_s": exchange_prices(scenario, replace(exchange, library=name), SWEPT).prices.time_s,
                "library": names.library(name),
            }
        )
        for name in libraries
    ]
    return pd.concat(frames, ignore_index=True)


@lru_cache(maxsize=16)
def _spec(height: int) -> charts.Spec:
    chart = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=charts.counts_axis("tokens", "Tokens per GPU"),
            y=charts.log_axis("time_s", "Time", "s", axis=alt.Y),
            color=alt.Color("library:N", title=None, legend=charts.legend(columns=4)),
            strokeDash=alt.StrokeDash("library:N", title=None, legend=charts.legend(columns=4)),
            tooltip=[
                alt.Tooltip("library:N", title="Library"),
                alt.Tooltip("tokens:Q", title="Tokens per GPU", format=","),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(chart, height=height)
