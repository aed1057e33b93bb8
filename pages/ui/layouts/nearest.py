"""Where no layout fits: the nearest question that has one."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from core.calculators.layouts import most_requests
from core.catalog import MODELS, PRECISIONS, SYSTEMS
from core.checks import InputError
from pages.ui.layouts import inputs, result
from pages.ui.layouts.inputs import ServingQuery
from pages.ui.shared import job, names
from pages.ui.shared.layers import with_layers
from pages.ui.shared.machine import SystemChoice
from pages.ui.shared.offer import Offer
from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.rates import RateChoice

MOST_TIMES = 64
"""As many times the GPUs are offered; what needs more is for another system."""
LEAN = ("fp8", "int4")
Question = job.Job | ServingQuery


def nearest(question: Question, system: SystemChoice, rates: RateChoice) -> Offer | None:
    """
    A question with a layout that differs in one input; the default system where this one has none.

    In this order: the GPUs of a machine without a network, fewer requests, more GPUs, leaner weights, the
    largest model that fits.
    """
    others = _others(question, system, rates)
    if offer := next((offer for offer, other in others if _answered(other, system, rates)), None):
        return offer
    usual = str(DEFAULTS["system"])
    return None if system.option == usual else Offer(f"Use {SYSTEMS[usual].name}", {"system": usual})


def _answered(question: Question, system: SystemChoice, rates: RateChoice) -> bool:
    try:
        result.ask(question, system, rates)
    except InputError:
        return False
    return True


def _others(question: Question, system: SystemChoice, rates: RateChoice) -> Iterator[tuple[Offer, Question]]:
    """Questions near this one, the nearest first."""
    if machine_gpus := _without_network(question.gpus, system):
        own = replace(question, gpus=machine_gpus)
        yield Offer(f"Use {machine_gpus} GPUs", {"gpus": machine_gpus}), own
        for offer, other in _others(own, system, rates):
            if other.gpus == machine_gpus:
                label = f"Use {machine_gpus} GPUs and {offer.label.removeprefix('Use ')}"
                yield Offer(label, {**offer.values, "gpus": machine_gpus}), other
        return
    if isinstance(question, ServingQuery) and (most := _most(question, system, rates)):
        yield Offer(f"Use {most:,} requests", {"requests": most}), replace(question, sequences=most)
    gpus = question.gpus
    while (gpus := 2 * gpus) <= MOST_TIMES * question.gpus:
        yield Offer(f"Use {gpus:,} GPUs", {"gpus": gpus}), replace(question, gpus=gpus)
    if isinstance(question, ServingQuery):
        bytes_per_value = question.weights.bytes_per_value
        for key in (key for key in LEAN if PRECISIONS[key].bytes_per_value < bytes_per_value):
            lean = PRECISIONS[key]
            yield Offer(f"Use {key.upper()} weights", {"weights": key}), replace(question, weights=lean)
    params = _params(question)
    smaller = sorted((MODELS[key].params, key) for key in MODELS if MODELS[key].params < params)
    for _, key in reversed(smaller):
        yield Offer(f"Use {names.of(key)}", {"model": key}), replace(question, model=partial(MODELS.get, key))


def _without_network(gpus: int, system: SystemChoice) -> int:
    """The GPUs of a machine that has no network and fewer of them than the question; else none."""
    try:
        machine = system.system()
    except InputError:
        return 0
    return machine.gpus if machine.network is None and machine.gpus < gpus else 0


def _most(question: ServingQuery, system: SystemChoice, rates: RateChoice) -> int:
    """Concurrent requests that fit; none where the weights do not, or there is no such system."""
    try:
        return most_requests(inputs.serving(question, system, rates), question.gpus)
    except InputError:
        return 0


def _params(question: Question) -> float:
    try:
        return with_layers(question.model).params
    except InputError:
        return 0.0
