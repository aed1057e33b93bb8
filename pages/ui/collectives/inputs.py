"""Inputs of the page Collectives, and the scenario made of them."""

from dataclasses import dataclass

import streamlit as st

from core.calculators.question import Question
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.formulas import COLLECTIVES
from core.collectives.pricing import ALGORITHM_WORDS, Scenario
from core.collectives.pricing.scenario import DTYPES
from core.collectives.question import Software
from core.hardware import System
from pages.ui.shared import bound
from pages.ui.shared.rates import RateChoice
from pages.ui.shared.sizes import size_of

LAUNCH_HELP = "stream: eager launch on a CUDA or HIP stream. graph: replayed from a CUDA or HIP graph."


@dataclass(frozen=True, slots=True)
class CollectiveQuery:
    """One collective: message size as text with its unit; ranks None stands for every GPU."""

    collective: str
    size: str
    ranks: int | None


@dataclass(frozen=True, slots=True)
class Library:
    """Who runs the collective and how."""

    implementation: str
    launch: str
    algorithm: str
    dtype: str


def query() -> CollectiveQuery:
    """The widgets of collective, message size and ranks."""
    collective = bound.choice("Collective", "collective", COLLECTIVES)
    size = bound.text(
        "Message size", "size", "1 GiB", help="Bytes as nccl-tests counts them: 64 KiB, 1.5 GB, 4096."
    )
    ranks = bound.number("Ranks (GPUs)", "ranks", None, low=1, step=1, help="Empty: every GPU of the system.")
    return CollectiveQuery(collective, size, ranks)


def library() -> Library:
    """The widgets of library, kernel launch, algorithm and data type."""
    with st.expander("Library and algorithm", icon=":material/tune:"):
        return Library(
            implementation=bound.choice("Communication library", "implementation", IMPLEMENTATIONS),
            launch=bound.switch("Kernel launch", "launch", LAUNCHES, help=LAUNCH_HELP),
            algorithm=bound.choice("Algorithm", "algorithm", ALGORITHM_WORDS, help="auto: the fastest."),
            dtype=bound.choice("Data type", "dtype", DTYPES),
        )


def scenario(query: CollectiveQuery, system: System, rates: RateChoice, library: Library) -> Scenario:
    """The question put to core; InputError where the size cannot be read."""
    ranks = system.gpus if query.ranks is None else query.ranks
    question = Question(
        system=system,
        rates=rates.on(system, ranks),
        software=Software(implementation=library.implementation, launch=library.launch),
        algorithm=library.algorithm,
    )
    return question.scenario(
        Scenario,
        collective=query.collective,
        ranks=ranks,
        size_bytes=size_of(query.size),
        dtype=library.dtype,
    )
