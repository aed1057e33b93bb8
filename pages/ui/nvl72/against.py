"""The same model and load on other systems: requests that fit, decode step, throughput and cost."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators import system_comparison
from core.calculators.capacity import Capacity, served_step
from core.calculators.system_comparison import Candidate, Comparison, SystemResult, compare_systems
from core.calculators.tensor_parallel import Objective, Scenario
from core.catalog import SYSTEMS
from core.checks import InputError
from core.units import format_number, format_share, format_time
from pages.ui.shared import bound, names, tables
from pages.ui.shared.messages import plain, refusal, told

MOST_OTHERS = 3
DEFAULT = ("gb200-nvl72", "dgx-h200")


@lru_cache(maxsize=64)
def ask(
    scenario: Scenario, candidates: tuple[Candidate, ...], requests: int, gpus: int, target_s: float | None
) -> Comparison:
    """The comparison, remembered."""
    return compare_systems(scenario, candidates, requests, gpus=gpus, target_s=target_s)


def choose(result: Capacity, goal: Objective) -> Comparison | None:
    """The widgets of the other systems and their prices; the comparison, None where nothing can be compared."""
    system = result.scenario.system
    others = bound.several(
        f"Other systems (up to {MOST_OTHERS})",
        "against",
        names.by_generation(SYSTEMS),
        DEFAULT,
        names=names.catalog(),
        help="Each grown to as many GPUs, over its own network.",
    )
    chosen = [name for name in others if name != system.id][:MOST_OTHERS]
    prices = _prices(chosen)
    load = served_step(result, tp=1)
    if load is None or not chosen:
        st.info("Choose another system." if load else "A comparison needs a model of known shape.")
        return None
    candidates = [Candidate(system, usd_per_gpu_hour=goal.usd_per_gpu_hour)]
    candidates += [Candidate(SYSTEMS[name], usd_per_gpu_hour=prices[name]) for name in chosen]
    scenario = result.scenario
    try:
        load = replace(load, reserve_bytes=scenario.reserve_bytes)
        return ask(load, tuple(candidates), max(1, scenario.sequences), scenario.used_gpus, goal.tpot_s)
    except InputError as problem:
        st.info(plain(refusal(problem)))
        return None


def verdict(comparison: Comparison | None) -> str:
    """This system against the best of the others, or the others alone where it serves nothing; empty without any."""
    if comparison is None:
        return ""
    this, *others = comparison.results
    if this.rate:
        best = max(others, key=lambda item: item.rate or 0.0)
        return f"{names.sentence(system_comparison.verdict((this, best)))} Each in its best layout."
    text = names.sentence(system_comparison.verdict(others))
    if not any(item.rate for item in others):
        return text
    return f"{this.place} do not serve it. {text} Each in its best layout."


def _prices(systems: list[str]) -> dict[str, float | None]:
    """The widgets of a price for each of the other systems."""
    prices: dict[str, float | None] = {}
    for column, name in zip(st.columns(MOST_OTHERS), systems, strict=False):
        with column:
            prices[name] = bound.number(
                f"{SYSTEMS[name].name}: GPU-hour ($)",
                f"usd_{name}",
                None,
                low=0.0,
                step=0.5,
                help="Empty: no cost.",
            )
    return prices


def show(comparison: Comparison | None) -> None:
    """A row for each system, and why one does not serve the load."""
    if comparison is None:
        return
    frame = pd.DataFrame(_row(item) for item in comparison.results)
    tables.show(frame, "Systems serving the same load", height="content")
    for item in comparison.results:
        if item.reason:
            st.caption(plain(f"{item.name}: {told(item.reason)}."))
    st.caption(
        "Each system in its layout with the most tokens/s per GPU: degrees x replicas. Worth: what its GPU-hour may cost "
        "against the first system. Cost: decode alone."
    )


def _row(item: SystemResult) -> dict[str, str | None]:
    row: dict[str, str | None] = {
        "system": item.place,
        "layout": item.layout,
        "requests that fit": None if item.most_requests is None else f"{item.most_requests:,}",
        "TPOT": None if item.tpot_s is None else format_time(item.tpot_s),
        "exposed comm.": None if item.share is None else format_share(item.share),
        "tokens/s/GPU": _number(item.tokens_per_s_per_gpu),
    }
    if item.target_s is not None:
        at = item.within_target
        row["requests in target"] = "none" if at is None else f"{at.requests:,}"
        row["tokens/s/GPU there"] = None if at is None else _number(at.tokens_per_s_per_gpu)
    row["$ per M tokens"] = None if item.cost is None else f"${format_number(item.cost)}"
    if item.usd_per_gpu_hour is None:
        row["$ per M tokens"] = "type a price"
    row["worth"] = None if item.worth is None else f"{item.worth:.2f}×"
    return row


def _number(value: float | None) -> str | None:
    return None if value is None else format_number(value)
