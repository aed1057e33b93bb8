"""The bar: a popover for each part of the shared question, its label a summary of the value."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.catalog import PRECISIONS
from core.errors import InputError
from core.parallel.grow import domains_for
from pages.ui.shared import bound, machine, names, rates, record, shape, undo
from pages.ui.shared.job import Job
from pages.ui.shared.job import choose as choose_job
from pages.ui.shared.messages import plain, refusal
from pages.ui.shared.question import example, labels, software
from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.question.old_keys import rename
from pages.ui.shared.question.record import Load, SharedInputs
from pages.ui.shared.question.uses import JOB, LOAD, MODEL, RATES, SOFTWARE, SYSTEM, USES

_KEY = "_question"
COMPUTED = [key for key, fmt in PRECISIONS.items() if not fmt.weight_only]
"""Formats of what is not a weight."""
TITLES = {
    SYSTEM: "System",
    RATES: "Rates",
    SOFTWARE: "Software",
    MODEL: "Model",
    JOB: "Training",
    LOAD: "Serving",
}
CONTEXT_HELP = "Per request. Empty: 4,096 tokens; in a prefill step, one prompt of all its tokens."


def start(page: str) -> None:
    """
    Draw the bar of a page.

    The frame calls it, not the page: only so do the widgets stay the same on the next page.
    """
    if page not in USES:
        return
    rename(page)
    example.offer(page)
    with st.container(horizontal=True, gap="xsmall", key="question"):
        with _part(SYSTEM, labels.system(), page):
            system = machine.choose(DEFAULTS["system"])
        with _part(RATES, labels.rates(), page):
            choice = rates.choose()
        with _part(SOFTWARE, labels.software(page), page):
            software_choice = software.choose(page)
        with _part(MODEL, labels.model(), page):
            model = shape.choose()
        with _part(JOB, labels.job(), page) as job_place:
            job = choose_job(model, software_choice)
        with _part(LOAD, labels.load(), page):
            load = _load()
        undo.buttons()
    st.session_state[_KEY] = SharedInputs(system, choice, software_choice, model, job, load)
    example.note(page)
    _check(system, job, job_place)


def shared() -> SharedInputs:
    """The question as drawn in this run."""
    question: SharedInputs = st.session_state[_KEY]
    return question


@contextmanager
def _part(part: str, label: str, page: str) -> Iterator[DeltaGenerator]:
    """The popover of a part; subdued where the page has no use for it, and its inputs noted as unused."""
    used = part in USES[page]
    popover = st.popover(
        f":gray[{TITLES[part]}] {plain(label)}",
        type="secondary" if used else "tertiary",
        key=f"_question_{part}",
    )
    if not used:
        popover.caption(":material/info: Not used on this page.")
    run = record.current()
    former = set(run.inputs)
    with popover:
        yield popover
    if not used:
        run.unused |= run.inputs.keys() - former


def _load() -> Load:
    """The widgets of the serving load."""
    requests = bound.number(
        "Concurrent requests (batch size)", "requests", int(DEFAULTS["requests"]), low=0, step=32
    )
    context = bound.number("Context length (tokens)", "context", None, low=0, step=1024, help=CONTEXT_HELP)
    formats = [
        PRECISIONS[bound.choice(label, key, options, DEFAULTS[key], names=names.precisions())]
        for label, key, options in (
            ("Weight precision", "weights", list(PRECISIONS)),
            ("Activation precision", "activations", COMPUTED),
            ("KV cache precision", "kv", COMPUTED),
        )
    ]
    return Load(requests, context, *formats)


def _check(system: machine.SystemChoice, job: Job, job_place: DeltaGenerator) -> None:
    """Build the system once: its description stands in its popover, what is wrong with it below the bar, once."""
    problem = _problem(system.system)
    if problem:
        record.current().question_problem = problem
        st.error(plain(refusal(problem)), icon=":material/block:")
        return
    domains = domains_for(system.system(), job.gpus)
    each = system.system().domain_gpus
    noun = "domain" if domains == 1 else "domains"
    job_place.caption(
        f"{job.gpus:,} GPUs are {domains:,} {noun} of {each} of this system, whatever number of domains "
        "serves or runs a collective."
    )


def _problem(build: Callable[[], object]) -> str:
    try:
        build()
    except InputError as error:
        return str(error)
    return ""
