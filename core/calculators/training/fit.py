"""What would make a training layout fit the memory of its GPUs, where it does not as it was asked."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import combinations

from core.calculators.training.memory import EAGER, LOGIT_BYTES, Memory, logit_bytes, memory
from core.calculators.training.scenario import Scenario
from core.parallel.memory_fit import Fit, Verdict

LEAN_GRADIENT_BYTES = 2.0
LEAN_ADAM_BYTES = 8.0
"""An FP32 master copy and two BF16 moments: Megatron-Core's precision-aware optimizer."""
OFFLOADED = 0.5
"""Part of the activations that is offloaded where offloading is named."""


Change = Callable[[Scenario], Scenario]


def fit(scenario: Scenario) -> Fit:
    """
    Whether the layout fits as asked, or what would make it fit.

    Tried in order: one change, then two, and so on, the cheapest first: a fused loss, recomputation,
    BF16 gradients, BF16 optimizer moments, then offloading to the host.
    """
    asked = memory(scenario)
    if asked.fits:
        return Fit(Verdict.FITS, (), asked.total_bytes, asked.available_bytes)
    least = asked.total_bytes
    for conditions, usage in _alternatives(scenario):
        if usage.fits:
            return Fit(Verdict.FITS_IF, conditions, usage.total_bytes, usage.available_bytes)
        least = min(least, usage.total_bytes)
    return Fit(Verdict.DOES_NOT_FIT, (), least, asked.available_bytes)


def _alternatives(scenario: Scenario) -> Iterator[tuple[tuple[str, ...], Memory]]:
    """Every set of changes that may go together, small sets and cheap changes first."""
    changes = list(_changes(scenario))
    for size in range(1, len(changes) + 1):
        for chosen in combinations(changes, size):
            names = tuple(name for name, _ in chosen)
            if sum("recomputation" in name for name in names) > 1:
                continue
            changed = reduce(lambda job, item: item[1](job), chosen, scenario)
            yield names, memory(changed)


def _changes(scenario: Scenario) -> Iterator[tuple[str, Change]]:
    """Changes that this job has not made yet, by name."""
    if logit_bytes(scenario) > LOGIT_BYTES and scenario.layout.pp == 1:
        yield "a fused or chunked loss", _with(fused_loss=True)
    if scenario.kernels in EAGER and not scenario.fused_linear_loss and scenario.layout.pp == 1:
        yield "a fused linear loss, which keeps no logits", _with(fused_linear_loss=True)
    whole = scenario.recompute == "full" and scenario.recompute_layers is None
    if scenario.recompute == "none" or (scenario.recompute == "selective" and scenario.recompute_modules):
        yield "selective activation recomputation", _with(recompute="selective", recompute_modules=())
    if not whole:
        everything = _with(recompute="full", recompute_modules=(), recompute_layers=None)
        yield "full activation recomputation", everything
    if scenario.whole_gradients and scenario.micro_batches > 1:
        yield "gradients sharded after each micro-batch", _with(whole_gradients=False)
    if scenario.grad_bytes > LEAN_GRADIENT_BYTES:
        yield "BF16 gradients", _with(grad_bytes=LEAN_GRADIENT_BYTES)
    if scenario.optimizer_bytes > LEAN_ADAM_BYTES:
        yield "optimizer moments in BF16", _with(optimizer_bytes=LEAN_ADAM_BYTES)
    if not whole and scenario.offload_activations < OFFLOADED:
        yield "half the activations offloaded to the host", _with(offload_activations=OFFLOADED)
    if scenario.offload_optimizer < 1:
        yield "the optimizer state offloaded to the host", _with(offload_optimizer=1.0)


def _with(**changes: object) -> Change:
    return lambda scenario: replace(scenario, **changes)  # type: ignore[arg-type]
