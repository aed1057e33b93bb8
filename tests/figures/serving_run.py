"""One record for every published serving run: what was run, and the figures that it states."""

from dataclasses import dataclass
from typing import Any

from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Served:
    """
    One run, at a concurrency or, without ``requests``, of a queue that never empties.

    Attributes:
        ep: GPUs that share the experts; above ``tp``: DP attention.
        isl, osl: Tokens of a prompt and of an answer, means where not ``equal``.
        requests: Mean concurrent requests of the whole run.
        tpot_ms: Mean (or median) time per output token.
        itl_ms: Median time between two tokens: of the steps, most of which hold no prompt.
        ttft_ms: Median time to the first token of a request alone.
        loaded_ttft_ms: Mean time to the first token of all ``requests``.
        tokens_per_s: Output tokens/s of all GPUs.
        prompts: Requests of the whole run, where it is short; None: many times ``requests``. Without
            ``requests`` all are there from the start.
        usable: Share of the memory that the engine may use.
        accepted: Mean tokens of a verification where tokens are drafted and it is stated.
        engine: Fields that replace those of the preset ``software``.
        equal: Whether every request has these lengths.
    """

    source: Source
    software: str
    model: str
    system: str
    weights: str
    tp: int
    ep: int
    isl: int
    osl: int
    requests: float | None = None
    tpot_ms: float | None = None
    ttft_ms: float | None = None
    tokens_per_s: float | None = None
    itl_ms: float | None = None
    loaded_ttft_ms: float | None = None
    prompts: int | None = None
    usable: float = 0.9
    kv: str = "bf16"
    accepted: float | None = None
    engine: tuple[tuple[str, int], ...] = ()
    equal: bool = True


def at(*run: Any, **figures: Any) -> Served:
    """A run at a concurrency: source to EP, concurrent requests, both lengths, TPOT and TTFT where stated."""
    *asked, requests, isl, osl = run[:10]
    return Served(*asked, isl, osl, requests, *run[10:], **figures)


def full(*run: Any, **more: Any) -> Served:
    """A queue that never empties: source to EP, both lengths, output tokens/s, fields of the engine."""
    *asked, rate = run[:10]
    return Served(*asked, tokens_per_s=rate, engine=run[10] if len(run) > 10 else (), **more)
