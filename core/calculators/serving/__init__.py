"""Serving engines on top of one step: chunked prefill, KV cache, speculative decoding, disaggregation."""

from core.calculators.serving.arrivals import Arrivals, arrivals
from core.calculators.serving.benchmark import Measured, measured
from core.calculators.serving.chunked import Chunked, chunked
from core.calculators.serving.disaggregated import Disaggregated, disaggregated
from core.calculators.serving.engine import Engine
from core.calculators.serving.engine_answer import EngineAnswer, EngineQuestion, engine_answer, engine_json
from core.calculators.serving.engine_of_preset import engine_of
from core.calculators.serving.layer_parts import LayerPart, layer_parts
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.load_generator import ClosedLoop, OpenLoop
from core.calculators.serving.memory import Cache, cache
from core.calculators.serving.mixed import Load, StepTime, mixed_step
from core.calculators.serving.prefix import Prefix, prefix
from core.calculators.serving.queue import Queue, queue, ttft_interval
from core.calculators.serving.service import engine_service
from core.calculators.serving.speculative import Speculative, speculative, tokens_per_step
from core.calculators.serving.throughput import Offline, offline, prompt_s

__all__ = [
    "Arrivals",
    "Cache",
    "Chunked",
    "ClosedLoop",
    "Disaggregated",
    "Engine",
    "EngineAnswer",
    "EngineQuestion",
    "LayerPart",
    "Lengths",
    "Load",
    "Measured",
    "Offline",
    "OpenLoop",
    "Prefix",
    "Queue",
    "Speculative",
    "StepTime",
    "arrivals",
    "cache",
    "chunked",
    "disaggregated",
    "engine_answer",
    "engine_json",
    "engine_of",
    "engine_service",
    "layer_parts",
    "measured",
    "mixed_step",
    "offline",
    "prefix",
    "prompt_s",
    "queue",
    "speculative",
    "tokens_per_step",
    "ttft_interval",
]
