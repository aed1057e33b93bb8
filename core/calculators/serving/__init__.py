"""Serving engines: chunked prefill, KV cache memory, speculative decoding, disaggregation, on top of one step."""

from core.calculators.serving.engine import Engine, engine_of
from core.calculators.serving.memory import Cache, cache
from core.calculators.serving.mixed import Load, StepTime, mixed_step
from core.calculators.serving.speculative import Speculative, speculative, tokens_per_step
from core.calculators.serving.throughput import Lengths, Offline, offline, prompt_s

__all__ = [
    "Cache",
    "Engine",
    "Lengths",
    "Load",
    "Offline",
    "Speculative",
    "StepTime",
    "cache",
    "engine_of",
    "mixed_step",
    "offline",
    "prompt_s",
    "speculative",
    "tokens_per_step",
]
