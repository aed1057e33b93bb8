"""What a serving engine makes of the step: its parts, chunked prefill, prefix cache, speculative decoding."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.serving import Engine, EngineAnswer, EngineQuestion, LayerPart, engine_answer
from core.calculators.tensor_parallel import Objective, Scenario
from core.units import counted, format_number, format_share, format_time
from pages.ui.shared import tables

Rows = list[tuple[str, str]]


@lru_cache(maxsize=64)
def ask(scenario: Scenario, engine: Engine, question: EngineQuestion) -> EngineAnswer:
    """Every figure of the engine, remembered."""
    return engine_answer(scenario, engine, question)


def draw(scenario: Scenario, engine: Engine, goal: Objective) -> None:
    """The split of a layer beside what the engine makes of the step."""
    answer = ask(scenario, engine, EngineQuestion(input_tokens=goal.input_tokens, tpot_s=goal.tpot_s))
    left, right = st.columns(2)
    with left:
        st.subheader("Split of a layer")
        tables.show(parts(answer.parts), "Split of a layer and of the step", height="content")
    with right:
        st.subheader("Engine")
        rows = [*_chunked(answer), *_speculative(answer), *_prefix(answer)]
        if rows:
            tables.show(tables.terms(rows), "What the serving engine makes of the step", height="content")
        else:
            st.info(
                "This step has no chunk, no draft and no prefix-cache hit: set a prefill chunk, draft tokens or a hit "
                "rate under Serving engine."
            )


def parts(split: tuple[LayerPart, ...]) -> pd.DataFrame:
    """Every part of the step as a row."""
    return pd.DataFrame(
        {
            "part": part.part,
            "per layer": format_time(part.layer_s) if part.layer_s else None,
            "per step": format_time(part.step_s),
            "share": format_share(part.share),
        }
        for part in split
    )


def _chunked(answer: EngineAnswer) -> Rows:
    chunked = answer.chunked
    if chunked is None:
        return []
    rows = [
        ("decode step with the engine's host time", format_time(chunked.decode_step_s)),
        (f"step with {chunked.chunk_tokens:,.0f} prompt tokens", format_time(chunked.mixed_step_s)),
        (f"TTFT in {counted(chunked.chunks, 'step')}", format_time(chunked.ttft_s)),
        ("TTFT alone, in one step", format_time(chunked.alone_ttft_s)),
    ]
    if chunked.largest_chunk is not None:
        rows.append(
            (
                "largest chunk within the TPOT target",
                f"{chunked.largest_chunk:,} tokens" if chunked.largest_chunk else "none",
            )
        )
    return rows


def _speculative(answer: EngineAnswer) -> Rows:
    drafted = answer.speculative
    if drafted is None:
        return []
    pays = drafted.break_even_acceptance
    return [
        ("tokens per verification", f"{drafted.tokens_per_step:.2f}"),
        ("TPOT with speculative decoding", format_time(drafted.tpot_s)),
        ("speed-up by speculative decoding", f"{drafted.speedup:.2f}×"),
        ("break-even acceptance rate", "none" if pays is None else f"{pays:.2f}"),
    ]


def _prefix(answer: EngineAnswer) -> Rows:
    prefix = answer.prefix
    if prefix is None:
        return []
    return [
        ("TTFT with prefix-cache hits", format_time(prefix.ttft_s)),
        ("TTFT without", format_time(prefix.without_ttft_s)),
        ("prompt tokens/s per GPU with hits", format_number(prefix.tokens_per_s_per_gpu)),
        ("prompt tokens/s per GPU without", format_number(prefix.without_tokens_per_s_per_gpu)),
    ]
