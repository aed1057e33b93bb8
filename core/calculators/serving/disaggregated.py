"""Disaggregated serving: prefill and decode on GPUs of their own, with the KV cache moved between them."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.capacity.transfer import Path, paths
from core.calculators.serving.cycle import decode_step, fill_step
from core.calculators.serving.engine import Engine
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.memory import cache
from core.calculators.serving.mixed import check_priced_by_shape
from core.calculators.serving.speculative import output_tokens
from core.calculators.serving.throughput import Offline, most_within, offline, prompt_s
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import choice
from core.units import format_number, format_time
from core.workload.transformer import cache_bytes_per_gpu

SAME = 0.02
"""Throughputs within this share of each other are called equal."""


@dataclass(frozen=True, slots=True)
class Disaggregated:
    """
    Prefill GPUs and decode GPUs that balance at the lengths of the requests.

    Attributes:
        prefill_gpus, decode_gpus: Of one group of each kind.
        prefill_groups_per_decode_group: Prefill groups that keep one decode group busy.
        prefill_share: Share of all GPUs that prefill.
        groups: Whole prefill and decode groups on the GPUs of the system with the most tokens/s, and
            ``groups_tokens_per_s_per_gpu`` of them; None where there are too few GPUs for one of each.
        path: The way that the KV cache takes.
        transfer_bytes_per_gpu, transfer_s: The cache of one prompt.
        ttft_s: Prefill and transfer of one prompt, without a queue.
        tpot_s: The decode step; nothing else runs there.
        requests: Concurrent requests of one decode group.
        tokens_per_s_per_gpu: Output tokens over prefill and decode GPUs.
        aggregated: Both on the same GPUs within the same latency target; None where none keeps it.
        gain: ``tokens_per_s_per_gpu`` over the aggregated; None without one.
        break_even_bytes_per_s: Rate of the path, for each GPU, from which TTFT is below the aggregated one;
            None where prefill alone already takes longer.
        verdict: In a sentence.
    """

    prefill_gpus: int
    decode_gpus: int
    prefill_groups_per_decode_group: float
    prefill_share: float
    groups: tuple[int, int] | None
    groups_tokens_per_s_per_gpu: float | None
    path: str
    transfer_bytes_per_gpu: float
    transfer_s: float
    ttft_s: float
    tpot_s: float
    requests: int
    tokens_per_s_per_gpu: float
    aggregated: Offline | None
    gain: float | None
    break_even_bytes_per_s: float | None
    verdict: str


def disaggregated(
    scenario: Scenario,
    engine: Engine,
    lengths: Lengths,
    *,
    tpot_s: float | None = None,
    path: str | None = None,
) -> Disaggregated | None:
    """
    Disaggregated against aggregated serving; None where the weights or the latency target do not fit.

    Args:
        scenario: Model and formats; each kind of group has its GPUs.
        engine: Of both kinds.
        lengths: Input and output of a request.
        tpot_s: Latency target of both.
        path: Name of a way out of a GPU; None takes the NIC (GPUDirect RDMA) where there is one, else the
            scale-up link.

    Raises:
        InputError: No such path, or compute or messages are overridden.
    """
    check_priced_by_shape(scenario, "disaggregated")
    way = _path(scenario, path)
    held = cache(scenario, engine, lengths.input_tokens, lengths.output_tokens).requests
    tokens = output_tokens(engine)
    requests = held
    if tpot_s is not None and held:
        requests = most_within(
            lambda grid: decode_step(scenario, engine, lengths, grid).time_s / tokens, held, tpot_s
        )
    if not requests:
        return None
    step_s = first(decode_step(scenario, engine, lengths, np.array([float(requests)])).time_s) / tokens
    groups = max(1.0, scenario.ep / scenario.tp)
    prefill = _prefill(engine)
    fill_s = first(fill_step(scenario, prefill, lengths).time_s)
    prompts = groups * prefill.chunk_tokens / fill_s / prefill.uncached(lengths.input_tokens)
    answers = groups * requests / step_s / lengths.output_tokens
    return _answer(scenario, engine, lengths, way, _Rates(requests, step_s, prompts, answers), tpot_s)


@dataclass(frozen=True, slots=True)
class _Rates:
    """Of a decode group: requests and TPOT; of a group of each kind: prompts and whole answers a second."""

    requests: int
    tpot_s: float
    prompts_per_s: float
    answers_per_s: float


def _answer(
    scenario: Scenario, engine: Engine, lengths: Lengths, way: Path, rates: _Rates, target_s: float | None
) -> Disaggregated:
    gpus = max(scenario.tp, scenario.ep)
    ratio = rates.answers_per_s / rates.prompts_per_s
    groups = _whole_groups(scenario.system.gpus // gpus, rates)
    per_request = lengths.output_tokens / (gpus * sum(groups)) if groups else 0.0
    each = gpus * (1 + ratio)
    per_gpu = rates.answers_per_s * lengths.output_tokens / each
    whole = float(cache_bytes_per_gpu(scenario.model, lengths.input_tokens, scenario.kv.bytes_per_value, 1))
    moved = whole / scenario.tp
    transfer_s = moved / way.bytes_per_s + way.latency_s
    prefill_s = prompt_s(scenario, _prefill(engine), lengths.input_tokens)
    both = offline(scenario, lengths.input_tokens, lengths.output_tokens, engine=engine, tpot_s=target_s)
    gain = per_gpu / both.tokens_per_s_per_gpu if both else None
    spare = both.ttft_s - prefill_s - way.latency_s if both and both.ttft_s is not None else 0.0
    return Disaggregated(
        prefill_gpus=gpus,
        decode_gpus=gpus,
        prefill_groups_per_decode_group=ratio,
        prefill_share=ratio / (1 + ratio),
        groups=groups,
        groups_tokens_per_s_per_gpu=None if groups is None else _finished(*groups, rates) * per_request,
        path=way.name,
        transfer_bytes_per_gpu=moved,
        transfer_s=transfer_s,
        ttft_s=prefill_s + transfer_s,
        tpot_s=rates.tpot_s,
        requests=rates.requests,
        tokens_per_s_per_gpu=per_gpu,
        aggregated=both,
        gain=gain,
        break_even_bytes_per_s=moved / spare if spare > 0 else None,
        verdict=_verdict(per_gpu, both, rates.tpot_s, prefill_s + transfer_s),
    )


def _prefill(engine: Engine) -> Engine:
    """The engine of prefill GPUs: a chunk spares no decoding there, so prompts run whole."""
    return replace(engine, prefill_chunk=None)


def _whole_groups(groups: int, rates: _Rates) -> tuple[int, int] | None:
    """Prefill and decode groups, of so many in all, that finish the most requests."""
    if groups < 2:  # noqa: PLR2004 (one of each kind)
        return None
    prefill = np.arange(1, groups)
    finished = np.minimum(prefill * rates.prompts_per_s, (groups - prefill) * rates.answers_per_s)
    best = int(prefill[np.argmax(finished)])
    return best, groups - best


def _finished(prefill: int, decode: int, rates: _Rates) -> float:
    """Requests a second of so many groups."""
    return min(prefill * rates.prompts_per_s, decode * rates.answers_per_s)


def _path(scenario: Scenario, name: str | None) -> Path:
    """The way of that name; by itself the NIC where the system has one."""
    ways = {way.name: way for way in paths(scenario.system)}
    if name is not None:
        return ways[choice("kv_path", name, tuple(ways))]
    direct = [way for way in ways.values() if way.note == "GPUDirect RDMA"]
    return (direct or list(ways.values()))[0]


def _verdict(per_gpu: float, both: Offline | None, tpot_s: float, ttft_s: float) -> str:
    """Which of the two, with both throughputs and what changes for a user."""
    here = f"{format_number(per_gpu)} tokens/s per GPU at a TPOT of {format_time(tpot_s)}"
    if both is None:
        return f"Disaggregated: {here}; on the same GPUs no batch keeps the latency target."
    there = f"{format_number(both.tokens_per_s_per_gpu)} at {format_time(both.tpot_s)}"
    gain = per_gpu / both.tokens_per_s_per_gpu
    first_token = ""
    if both.ttft_s is not None:
        first_token = (
            f" TTFT {format_time(ttft_s)} with the KV cache transfer, {format_time(both.ttft_s)} aggregated."
        )
    if abs(gain - 1) <= SAME:
        return f"Disaggregated and aggregated have the same throughput: {here}, {there}.{first_token}"
    better, ratio = ("Disaggregated", gain) if gain > 1 else ("Aggregated", 1 / gain)
    figures = f"disaggregated {here}, aggregated {there}"
    return f"{better} serving has {ratio:.2f} times the throughput: {figures}.{first_token}"
