"""The kernels that ``kernel`` prices: their sizes, their time on one GPU, and what they move or compute."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.catalog.calibrations.kernels import attention, mla
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.moe import MOE as MOE_KERNELS
from core.catalog.calibrations.kernels.shapes import Generation
from core.hardware import Gpu
from core.kernels.attention import cache_value_bytes, decode_attention_s, prefill_attention_s
from core.kernels.formats import format_on
from core.kernels.gemm import gemm_s
from core.kernels.mla import LATENT, NOPE, ROPE, VALUE, mla_decode_s, mla_prefill_s
from core.kernels.result import KernelTime
from core.kernels.routed import routed_mlp_s
from core.kernels.routing import UNIFORM

Sizes = dict[str, Any]
GEMM = {"m": 4096, "n": 4096, "k": 4096}
MOE = {"tokens": 256, "hidden": 7168, "width": 2048, "topk": 8, "experts": 256, "tp": 1, "ep": 1}
HEADS = {"heads": 32, "kv_heads": 8, "head_dim": 128, "window": None}
PREFILL = {"batch": 1, "length": 4096, "prefix": 0}
DECODE = {"batch": 64, "context": 4096}
LATENT_HEADS = {"heads": 128}


@dataclass(frozen=True, slots=True)
class Call:
    """
    A kernel on a GPU.

    Attributes:
        what: The call in words.
        time: Its seconds and interval.
        flop: FLOPs that a GPU must do.
        number_format: What runs in place of the format asked for.
        peak_flop_per_s: Dense peak of that format.
        rate: What the rate of those FLOPs is called.
        cache_bytes: Of the KV cache read; None where a kernel reads none.
        without: The engine that was asked for, where other engines' kernels answer in its place.
        measured: Constants of its kernels by the generation that they were measured on.
    """

    what: str
    time: KernelTime
    flop: float
    number_format: str
    peak_flop_per_s: float
    rate: str = "rate"
    cache_bytes: float | None = None
    without: str | None = None
    measured: Mapping[Generation, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kernel: what it is, its sizes with their defaults, and how it is priced."""

    meaning: str
    sizes: Mapping[str, Any]
    call: Callable[[Gpu, str, Sizes, str | None], Call]


def _gemm(device: Gpu, number_format: str, sizes: Sizes, engine: str | None) -> Call:
    entry, peak = format_on(device, number_format)
    time = gemm_s(device, number_format, **sizes, engine=engine)
    m, n, k = sizes["m"], sizes["n"], sizes["k"]
    call = Call(
        f"GEMM {m:,} x {n:,} x {k:,}",
        time,
        2.0 * m * n * k,
        entry.name,
        peak,
        measured=GEMMS[entry.constants],
    )
    return _of_engine(call, engine)


def _of_engine(call: Call, engine: str | None) -> Call:
    """The call, with the engine that was asked for where its kernels were not measured."""
    return call if call.time.engine == engine else replace(call, without=engine)


def _moe(device: Gpu, number_format: str, sizes: Sizes, engine: str | None) -> Call:
    entry, peak = format_on(device, number_format)
    sizes = dict(sizes)
    top_k, routing = sizes.pop("topk"), sizes.pop("routing")
    time = routed_mlp_s(device, number_format, **sizes, top_k=top_k, routing=routing, engine=engine)
    shared, measured = sizes["tp"] * sizes["ep"], MOE_KERNELS[entry.routed]
    flop = 6.0 * sizes["tokens"] * top_k * sizes["hidden"] * sizes["width"] / shared
    what = f"Routed MLP of {sizes['tokens']:,} tokens, {top_k} of {sizes['experts']:,} experts"
    if shared == 1:
        return _of_engine(Call(f"{what},", time, flop, entry.name, peak, measured=measured), engine)
    where = "one of {} GPUs at their mean load" if routing == UNIFORM else "the busiest of {} GPUs"
    what = f"{what} on {where.format(f'{shared:,}')}, each"
    rate = "rate, by the mean GPU's FLOPs"
    return _of_engine(Call(what, time, flop, entry.name, peak, rate, measured=measured), engine)


def _prefill(device: Gpu, number_format: str, sizes: Sizes, engine: str | None) -> Call:
    time = prefill_attention_s(device, number_format, **sizes, engine=engine)
    pairs = _pairs(sizes, sizes["window"])
    flop = 4.0 * pairs * sizes["heads"] * sizes["head_dim"]
    return _attention(device, number_format, f"Attention of {_prompt(sizes)}", time, flop, attention.PREFILL)


def _decode(device: Gpu, number_format: str, sizes: Sizes, engine: str | None) -> Call:
    time = decode_attention_s(device, number_format, **sizes, engine=engine)
    keys = sizes["batch"] * min(sizes["context"], sizes["window"] or sizes["context"])
    flop = 4.0 * keys * sizes["heads"] * sizes["head_dim"]
    cache = 2.0 * keys * sizes["kv_heads"] * sizes["head_dim"] * cache_value_bytes(number_format)
    return _attention(
        device, number_format, f"Attention of {_step(sizes)}", time, flop, attention.DECODE, cache
    )


def _mla_prefill(device: Gpu, number_format: str, sizes: Sizes, engine: str | None) -> Call:
    time = mla_prefill_s(device, number_format, **sizes, engine=engine)
    flop = 2.0 * _pairs(sizes, None) * sizes["heads"] * (NOPE + ROPE + VALUE)
    return _attention(device, number_format, f"MLA of {_prompt(sizes)}", time, flop, mla.PREFILL)


def _mla_decode(device: Gpu, number_format: str, sizes: Sizes, engine: str | None) -> Call:
    time = mla_decode_s(device, number_format, **sizes, engine=engine)
    keys = sizes["batch"] * sizes["context"]
    flop = 2.0 * keys * sizes["heads"] * (2 * LATENT + ROPE)
    cache = keys * (LATENT + ROPE) * cache_value_bytes(number_format)
    return _attention(device, number_format, f"MLA of {_step(sizes)}", time, flop, mla.DECODE, cache)


def _attention(
    device: Gpu,
    number_format: str,
    what: str,
    time: KernelTime,
    flop: float,
    measured: Mapping[Generation, object],
    cache_bytes: float | None = None,
) -> Call:
    _, peak = format_on(device, "bf16")
    return Call(what, time, flop, number_format, peak, cache_bytes=cache_bytes, measured=measured)


def _pairs(sizes: Sizes, window: int | None) -> float:
    """Pairs of a query and a key that causal attention multiplies."""
    length, prefix = int(sizes["length"]), int(sizes["prefix"])
    most = length + prefix if window is None else min(window, length + prefix)
    growing = min(length, max(most - prefix, 0))
    of_one = growing * prefix + growing * (growing + 1) / 2 + (length - growing) * most
    return float(sizes["batch"]) * of_one


def _prompt(sizes: Sizes) -> str:
    after = f" after {sizes['prefix']:,} cached" if sizes["prefix"] else ""
    return f"{sizes['batch']:,} x {sizes['length']:,} new tokens{after}, {sizes['heads']:,} heads,"


def _step(sizes: Sizes) -> str:
    return f"a token each of {sizes['batch']:,} sequences of {sizes['context']:,}, {sizes['heads']:,} heads,"


KINDS: Mapping[str, Kind] = {
    "gemm": Kind("m x k by k x n", GEMM, _gemm),
    "moe": Kind("a routed MLP", {**MOE, "routing": UNIFORM}, _moe),
    "prefill": Kind("causal attention of prompts", {**PREFILL, **HEADS}, _prefill),
    "decode": Kind("attention of a decode step", {**DECODE, **HEADS}, _decode),
    "mla-prefill": Kind("DeepSeek's latent attention of prompts", {**PREFILL, **LATENT_HEADS}, _mla_prefill),
    "mla-decode": Kind("the same of a decode step", {**DECODE, **LATENT_HEADS}, _mla_decode),
}
