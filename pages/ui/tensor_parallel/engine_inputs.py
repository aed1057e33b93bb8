"""Inputs of the serving engine on the page Tensor parallelism; what is left open is the software's."""

import streamlit as st

from core.calculators.serving import Engine, engine_of
from core.calculators.serving.engine import CHUNK_STEPS, KV_RESERVE
from core.calculators.tensor_parallel.usable_memory import MEMORY_OF
from core.catalog.software import Preset
from core.units import GB, US, converted
from pages.ui.shared import bound, fields, folded
from pages.ui.shared.question.software import AS_PRESET

CHUNK_HELP = (
    "Most tokens of a step that holds prompt tokens: vLLM max_num_batched_tokens, SGLang chunked_prefill_size, "
    "TensorRT-LLM max_num_tokens. Empty: the software's."
)
STEPS_HELP = "**mixed**: a chunk runs in a step with decode tokens. **separate**: decoding waits for it."
MEMORY_HELP = (
    "What the usable share is a share of. **driver**: vLLM gpu_memory_utilization, SGLang mem_fraction_static. "
    "**free**: what the weights leave, TensorRT-LLM kv_cache_free_gpu_memory_fraction."
)
RESERVE_HELP = (
    "**mean**: a request counts at half of its output. **longest**: at all of it (guaranteed_no_evict)."
)
STATES_HELP = (
    "Layers that keep a state: memory of states over that of KV blocks, two pools. SGLang mamba_full_memory_ratio; "
    "0: one pool. Empty: the software's."
)
ACCEPTANCE_HELP = "Chance that a drafted token is accepted, given that those before it were."


def usable() -> float:
    """The widget of the usable share of the GPU memory."""
    return bound.number(
        "Usable GPU memory (share)",
        "usable",
        0.9,
        low=0.01,
        high=1.0,
        step=0.05,
        help="vLLM gpu_memory_utilization, SGLang mem_fraction_static.",
    )


def choose(preset: Preset) -> tuple[Engine, float]:
    """The widgets in an expander; the engine, and the usable share of the memory."""
    with folded.panel("Serving engine", "engine_more", ":material/memory:"), st.grid("auto"):
        scheduling, share = _scheduling(), usable()
        return engine_of(preset, **scheduling, **_cache(), **_speculation()), share


def _scheduling() -> dict[str, object]:
    return {
        "prefill_chunk": bound.number(
            "Prefill chunk (batched tokens)", "prefill_chunk", None, low=1, step=512, help=CHUNK_HELP
        ),
        "chunk_steps": _preset_or(
            bound.switch("Chunk steps", "chunk_steps", (AS_PRESET, *CHUNK_STEPS), help=STEPS_HELP)
        ),
        "max_sequences": bound.number(
            "Concurrent requests at most", "max_sequences", None, low=1, step=64, help="vLLM max_num_seqs."
        ),
        "host_step_s": converted(
            bound.number("Host time of a step (µs)", "host_step_us", None, low=0.0, step=100.0), US
        ),
        "host_sequence_s": converted(
            bound.number("Host time per request (µs)", "host_request_us", None, low=0.0, step=10.0), US
        ),
    }


def _cache() -> dict[str, object]:
    return {
        "memory_of": _preset_or(
            bound.switch("Usable memory of", "memory_of", (AS_PRESET, *MEMORY_OF), help=MEMORY_HELP)
        ),
        "reserve_bytes": converted(
            bound.number(
                "Runtime reserve per GPU (GB)",
                "engine_reserve_gb",
                None,
                low=0.0,
                step=1.0,
                help="Activations and CUDA graphs of each GPU.",
            ),
            GB,
        ),
        "kv_block": bound.number("KV block (tokens)", "kv_block", None, low=1, step=16),
        "kv_reserve": _preset_or(
            bound.switch("KV cache kept for", "kv_reserve", (AS_PRESET, *KV_RESERVE), help=RESERVE_HELP)
        ),
        "state_ratio": bound.number(
            "Memory of states over KV cache",
            "mamba_memory_ratio",
            None,
            low=0.0,
            step=0.1,
            help=STATES_HELP,
        ),
        "state_slots": fields.count("States per request", "states_per_request", help="Drafts apart."),
        "prefix_hit": fields.share("Prefix-cache hit rate (share)", "prefix_hit", 0.0),
    }


def _speculation() -> dict[str, object]:
    return {
        "draft_tokens": bound.number(
            "Draft tokens", "draft_tokens", 0, low=0, high=64, step=1, help="0: no speculative decoding."
        ),
        "acceptance": bound.number(
            "Acceptance rate", "acceptance", 0.7, low=0.0, high=1.0, step=0.05, help=ACCEPTANCE_HELP
        ),
        "draft_cost": bound.number(
            "Draft cost (share of a step)",
            "draft_cost",
            0.05,
            low=0.0,
            high=1.0,
            step=0.01,
            help="Drafting one token, as a share of the target's decode step.",
        ),
    }


def _preset_or(option: str) -> str | None:
    return None if option == AS_PRESET else option
