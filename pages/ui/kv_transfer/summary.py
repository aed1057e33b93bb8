"""The answer of the page KV cache transfer in words, figures and tables."""

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.capacity import Path, Transfer, transfer
from core.calculators.capacity.transfer import Carried
from core.catalog import LINKS
from core.collectives.rates import Rates
from core.hardware import System
from core.units import counted, format_memory, format_rate, format_share, format_time
from core.workload import Model, Precision
from pages.ui.kv_transfer.inputs import CacheQuery
from pages.ui.shared import answer, folded, names, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.layers import with_layers
from pages.ui.shared.rates import RateChoice

SHORTEST = 16
TTFT_NOTE = "Prefill of the same tokens on the same GPUs: what TTFT costs without the cache."
FORMULA = (
    r"t_{move}=\frac{\mathrm{KV}(c)}{n\,B}+\alpha,\quad t_{recompute}=T_{prefill}(c,n),\quad "
    r"B_{break\,even}=\frac{\mathrm{KV}(c)}{n\,t_{recompute}}"
)
ASSUMPTIONS = (
    "every GPU of the TP group sends its own share at the same time",
    "a path runs at its link's unidirectional rate after encoding; nothing else uses it",
    "a host bounce buffer copies GPU to host, host to NIC and host to GPU; pipelined, its copies overlap",
    "the receiver has room for the cache; transfers layer by layer during prefill may overlap more",
    "an MLA cache is whole on every GPU: each sends its share of one copy",
)


@dataclass(frozen=True, slots=True)
class Cache:
    """A KV cache on a system, without its context length: what prices it at any length."""

    model: Model
    system: System
    kv: Precision
    weights: Precision
    gpus: int
    rates: Rates


def cache(query: CacheQuery, system: System, rates: RateChoice) -> Cache:
    """The cache that the widgets describe; InputError where the model's layers are unknown."""
    model = with_layers(query.model)
    return Cache(model, system, query.kv, query.weights, query.gpus, rates.on(system, query.gpus))


@lru_cache(maxsize=256)
def ask(cache: Cache, context: int) -> Transfer:
    """The answer for one context length, remembered."""
    return transfer(
        cache.model,
        cache.system,
        context,
        cache.kv,
        gpus=cache.gpus,
        weights=cache.weights,
        rates=cache.rates,
    )


def path_name(path: Path) -> str:
    """A path with its link's name instead of its id."""
    return names.path(path.name)


def purpose(path: Path) -> str:
    """What a path is for: disaggregation in a domain or across, or offload."""
    if path.note == "in the domain":
        return "to a GPU in the domain"
    return "offload to host memory" if path.note == "to host memory" else "to another domain"


def headline(result: Transfer, model: Model) -> Headline:
    """Transfer or recompute, the times, and the bandwidth at which it changes."""
    faster = [path_name(carried.path) for carried in result.carried if carried.beats_recompute]
    what = f"the {result.what} of {counted(result.context, 'token')} of {model.name}"
    if not faster:
        text = f"Recomputing {what} is faster than any transfer."
    elif len(faster) == len(result.carried):
        text = f"Transferring {what} is faster than recomputing it on every path."
    else:
        text = f"Transferring {what} is faster than recomputing it over {', '.join(faster)}."
    best, worst = _fastest(result), max(result.carried, key=lambda carried: carried.time_s)
    reason = (
        f"The cache is {format_memory(result.bytes)}, {format_memory(result.bytes_per_gpu)} on each of {result.gpus} GPUs: "
        f"{format_time(best.time_s)} over {path_name(best.path)}; {format_time(worst.time_s)} over "
        f"{path_name(worst.path)}; {format_time(result.recompute_s)} to recompute."
    )
    return Headline(text, reason, _crossovers(result))


def _fastest(result: Transfer) -> Carried:
    return min(result.carried, key=lambda carried: carried.time_s)


def _crossovers(result: Transfer) -> str:
    rate = format_rate(result.break_even_bytes_per_s)
    texts = [f"Break-even: {rate} per GPU, unidirectional; any faster path beats recomputing."]
    for carried in result.carried:
        name = path_name(carried.path)
        if carried.wins_from_tokens is None:
            texts.append(f"{name} does not beat recomputing up to a million tokens.")
        elif carried.wins_from_tokens > SHORTEST:
            texts.append(f"{name} beats it from {carried.wins_from_tokens:,} tokens.")
    return " ".join(texts)


def figures(result: Transfer) -> list[Figure]:
    """Size of the cache, time to recompute it, break-even bandwidth and the fastest path."""
    best = _fastest(result)
    return [
        Figure(result.what, format_memory(result.bytes)),
        Figure("Cache per GPU", format_memory(result.bytes_per_gpu)),
        Figure("Recompute", format_time(result.recompute_s), TTFT_NOTE),
        Figure(
            "Break-even",
            format_rate(result.break_even_bytes_per_s),
            "Bandwidth, unidirectional per GPU; any faster path beats recomputing.",
        ),
        Figure("Fastest path", format_time(best.time_s), path_name(best.path)),
    ]


def table(result: Transfer) -> None:
    """Every path as a row."""
    frame = pd.DataFrame(
        {
            "path": path_name(carried.path),
            "use": purpose(carried.path),
            "bandwidth": format_rate(carried.path.bytes_per_s),
            "time": format_time(carried.time_s),
            "vs recompute": format_share(carried.time_s / result.recompute_s),
            "faster": "yes" if carried.beats_recompute else "no",
            "faster from": _from(carried.wins_from_tokens),
        }
        for carried in result.carried
    )
    tables.show(frame, "Transfer time by path", height="content")
    st.caption("Bandwidth: unidirectional, per GPU.")


def _from(tokens: int | None) -> str:
    if tokens is None:
        return "never"
    return "any length" if tokens <= SHORTEST else f"{tokens:,} tokens"


def numbers(result: Transfer, cache: Cache) -> None:
    """The formula, the assumptions and the sources."""
    links = [LINKS[carried.path.name] for carried in result.carried if carried.path.name in LINKS]
    documents = [source for link in links for source in link.sources]
    texts = (
        answer.assumed(ASSUMPTIONS),
        answer.cite((*cache.model.sources, *cache.system.sources, *documents)),
    )

    def draw() -> None:
        st.latex(FORMULA)
        for text in texts:
            st.markdown(text)

    folded.numbers("Formula, assumptions and sources", draw)
