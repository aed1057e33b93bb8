"""Inputs of the page Collectives, and the scenario made of them."""

from dataclasses import dataclass

from core.calculators.question import Question
from core.collectives.formulas import COLLECTIVES
from core.collectives.moe.question import COLLECTIVES as EXCHANGES
from core.collectives.pricing import ALGORITHM_WORDS, Scenario
from core.collectives.pricing.scenario import DTYPES, NVLS
from pages.ui.shared import bound, fields, names
from pages.ui.shared.question.record import SharedInputs
from pages.ui.shared.sizes import size_of


@dataclass(frozen=True, slots=True)
class CollectiveQuery:
    """One collective: message size as text with its unit; ranks None stands for every GPU."""

    collective: str
    size: str
    ranks: int | None


@dataclass(frozen=True, slots=True)
class Kernel:
    """Which algorithm runs, on which data type, and whether the NVSwitches may reduce."""

    algorithm: str
    dtype: str
    nvls: str


def collective(*, exchanges: bool = False) -> str:
    """The widget of the collective; with ``exchanges`` dispatch and combine of tokens, whose inputs are others."""
    return bound.choice(
        "Collective",
        "collective",
        (*COLLECTIVES, *EXCHANGES) if exchanges else COLLECTIVES,
        names=names.operations() | {key: names.exchange(key) for key in EXCHANGES},
    )


def query(collective: str) -> CollectiveQuery:
    """The widgets of message size and ranks."""
    size = bound.text(
        "Message size", "size", "1 GiB", help="Bytes as nccl-tests counts them: 64 KiB, 1.5 GB, 4096."
    )
    ranks = fields.count("Ranks (GPUs)", "ranks", help="Empty: every GPU of the system.")
    return CollectiveQuery(collective, size, ranks)


def kernel() -> Kernel:
    """The widgets of algorithm, data type and NVLS."""
    return Kernel(
        algorithm=bound.choice(
            "Algorithm",
            "algorithm",
            ALGORITHM_WORDS,
            names=names.algorithms(ALGORITHM_WORDS),
            help="auto: the fastest.",
        ),
        dtype=bound.choice("Data type", "dtype", DTYPES),
        nvls=bound.choice(
            "NVLS", "nvls", NVLS, help="NVLink SHARP: the NVSwitches reduce (NCCL_NVLS_ENABLE)."
        ),
    )


def scenario(shared: SharedInputs, query: CollectiveQuery, kernel: Kernel) -> Scenario:
    """The question put to core; InputError where the size cannot be read."""
    system = shared.system.system()
    ranks = system.gpus if query.ranks is None else query.ranks
    question = Question(
        system=system,
        rates=shared.rates.on(system, ranks),
        software=shared.software.software,
        algorithm=kernel.algorithm,
    )
    return question.scenario(
        Scenario,
        collective=query.collective,
        ranks=ranks,
        size_bytes=size_of(query.size),
        dtype=kernel.dtype,
        nvls=kernel.nvls,
    )
