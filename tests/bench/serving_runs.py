"""Every published serving run asked as its command states it: each figure beside the computed one."""

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving import (
    ClosedLoop,
    Lengths,
    cache,
    engine_of,
    measured,
    offline,
    prompt_s,
    queue,
    ttft_interval,
)
from core.calculators.serving.cycle import cycle
from core.calculators.serving.interval import throughput_span
from core.calculators.tensor_parallel import Scenario
from core.catalog import precision
from core.catalog.calibrations.expert_load import unbalanced
from core.catalog.software import PRESETS
from core.units import MS
from core.verdict.ranks import with_domains
from tests.bench.serving_shapes import machine as machine_of
from tests.bench.serving_shapes import shape

HALVINGS = 50


@dataclass(frozen=True, slots=True)
class Judged:
    """A published figure: computed over published speed, and whether the interval holds it."""

    kind: str
    run: object
    ratio: float
    inside: bool


def acceptance(drafted, tokens):
    """The chance of a drafted token at which a verification yields so many tokens, by halving."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        few = sum(middle**place for place in range(drafted + 1)) < tokens
        low, high = (middle, high) if few else (low, middle)
    return high


def question(run):
    """Scenario and engine of a run."""
    preset, asked, machine = PRESETS[run.software], shape(run.model), machine_of(run.system)
    inside = run.tp <= machine.domain_gpus
    if not inside:
        machine = with_domains(machine, run.tp // machine.domain_gpus)
    routed, more = run.ep > run.tp, dict(run.engine)
    if run.accepted is not None:
        more["acceptance"] = acceptance(more["draft_tokens"], run.accepted)
    scenario = Scenario(
        machine, asked, tp=run.tp, ep=run.ep, weights=precision(run.weights), kv=precision(run.kv),
        imbalance=unbalanced(asked.experts, run.ep) if routed else 1.0, launch="graph", usable=run.usable,
        implementation=preset.implementation if inside else "nccl",
        dispatch=precision("fp8") if routed and run.weights != "bf16" else None, engine=preset.engine,
    )  # fmt: skip
    return scenario, engine_of(preset, **more)


def finite_rate(scenario, engine, lengths, prompts, *, varied=False):
    """Output tokens/s of so many requests that are all there from the start, in all attention groups."""
    groups = max(1.0, scenario.ep / scenario.tp)
    each = max(1, round(prompts / groups))
    loop = ClosedLoop(clients=each, requests=each, varied=varied)
    run = measured(scenario, engine, lengths, loop)
    return groups * each * lengths.output_tokens / run.duration_s


def _judged(kind, run, span, ours, published):
    low, high = (span.of_first_token() if kind == "TTFT" else span).of(ours)
    return Judged(kind, run, published / ours, low <= published <= high)


def _tpot_kind(run):
    """What a TPOT tells of drafted tokens."""
    if not dict(run.engine).get("draft_tokens"):
        return "TPOT"
    return "TPOT, drafts" if run.accepted else "TPOT, drafts, acceptance not stated"


def _loaded(run, scenario, engine, lengths):
    """The benchmark followed request by request: its TPOT where all arrive at once, its mean TTFT."""
    clients, span = int(run.requests), throughput_span(scenario, engine)
    loop = ClosedLoop(clients=clients, requests=run.prompts, varied=not run.equal)
    found = measured(scenario, engine, lengths, loop)
    if run.tpot_ms is not None and run.prompts <= clients:
        yield _judged(_tpot_kind(run), run, span, float(found.tpot_s.mean()), run.tpot_ms * MS)
    if run.tokens_per_s is not None and run.requests is not None and clients < run.prompts:
        ours = found.duration_s / (run.prompts * lengths.output_tokens)
        yield _judged("throughput", run, span, ours, 1 / run.tokens_per_s)
    if run.loaded_ttft_ms is not None:
        waits = queue(replace(scenario, tokens=clients), engine, lengths)
        low, high = ttft_interval(waits, span)
        published = run.loaded_ttft_ms * MS
        ratio = published / float(found.ttft_s.mean())
        yield Judged("TTFT under load", run, ratio, low <= published <= high)


def _full(run, scenario, engine, lengths):
    """Throughput of a full queue, which a run of stated length empties at its end."""
    answer = offline(scenario, run.isl, run.osl, engine=engine)
    if answer is None:
        return []
    rate = answer.output_tokens_per_s
    if run.prompts is not None:
        rate = finite_rate(scenario, engine, lengths, run.prompts, varied=not run.equal)
    kind = "saturated, DP attention" if run.ep > run.tp else "saturated"
    found = [_judged(kind, run, throughput_span(scenario, engine), 1 / rate, 1 / run.tokens_per_s)]
    if run.loaded_ttft_ms is not None:
        groups = max(1.0, run.ep / run.tp)
        found += _loaded(replace(run, requests=round(run.prompts / groups), prompts=round(run.prompts / groups)),
                         scenario, engine, lengths)  # fmt: skip
    return found


def _tpot_s(scenario, engine, lengths, requests, at):
    """Time per output token at a concurrency; where memory does not hold it, that of the closed loop."""
    if cache(scenario, engine, lengths.input_tokens, lengths.output_tokens).requests >= requests:
        return float(at.tpot_s[0])
    waits = queue(replace(scenario, tokens=round(requests)), engine, lengths)
    return float(at.tpot_s[0]) if waits is None else waits.tpot_s


def judge(run):
    """Every figure of a run; none where it does not fit."""
    scenario, engine = question(run)
    span = throughput_span(scenario, engine)
    lengths = Lengths(input_tokens=run.isl, output_tokens=run.osl, equal=run.equal)
    if run.requests is None:
        return _full(run, scenario, engine, lengths)
    requests = run.requests / max(1.0, run.ep / run.tp)
    at, found = cycle(scenario, engine, lengths, np.array([requests])), []
    if run.prompts is not None:
        found += _loaded(run, scenario, engine, lengths)
    if run.tpot_ms is not None and (run.prompts is None or run.prompts > run.requests):
        found.append(
            _judged(
                _tpot_kind(run), run, span, _tpot_s(scenario, engine, lengths, requests, at), run.tpot_ms * MS
            )
        )
    if run.itl_ms is not None:
        found.append(_judged("decode step", run, span, float(at.plain.time_s[0]), run.itl_ms * MS))
    if run.tokens_per_s is not None and run.prompts is None:
        ours = float(at.step_s[0]) * requests / float(at.running[0])
        found.append(_judged("throughput", run, span, ours, run.requests / run.tokens_per_s))
    if run.ttft_ms is not None:
        ours = prompt_s(scenario, engine, run.isl)
        found.append(_judged("TTFT", run, span, ours, run.ttft_ms * MS))
    return found


def every(runs):
    """Every figure of runs."""
    return [entry for run in runs for entry in judge(run)]


def line(name, ratios, inside):
    """One printed line: error of the rate."""
    off = np.abs(np.asarray(ratios) - 1)
    figures = f"median {np.median(off):5.1%}, p90 {np.quantile(off, 0.9):4.0%}, worst {off.max():4.0%}"
    bias = np.median(ratios) - 1
    print(
        f"  {name:28}{len(off):4} runs  {figures}, bias {bias:+5.1%}, {np.mean(inside):4.0%} in the interval"
    )


def report(title, entries):
    """Print every kind of question by source, GPU, model and run."""
    print(f"serving, {title} (speed, computed over published)")
    groups = defaultdict(list)
    for entry in entries:
        run = entry.run
        name = getattr(run, "model", "deepseek-v3-r1")
        where = f"{name} {run.system} {getattr(run, 'software', '')}"
        for key in ("all", entry.kind, run.source.key, run.system, name, where):
            groups[key].append(entry)
    for name in sorted(groups):
        line(name, [entry.ratio for entry in groups[name]], [entry.inside for entry in groups[name]])
