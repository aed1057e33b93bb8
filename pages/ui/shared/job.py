"""The training job of the question, and the scenario on the domains that its GPUs need."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.calculators.question import PRECISIONS, Question, TrainingJob
from core.calculators.training import Scenario
from core.hardware import System
from core.workload import Model
from pages.ui.shared import bound, fields, machine, names, rates, shape
from pages.ui.shared.layers import with_layers
from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.question.software import SoftwareChoice

EFFICIENCY_HELP = (
    "Dense GEMM FLOP/s over peak: 0.4 is 40 %. One constant of your framework. Empty: the usual one for this GPU "
    "and format, with an interval over published tables."
)


@dataclass(frozen=True, slots=True)
class Job:
    """
    What the bar says of a training job.

    Attributes:
        model: Gives the model once all widgets stand.
        gpus: World size.
        global_batch: Sequences of an optimizer step.
        seq: Sequence length in tokens.
        precision: Format of the GEMMs.
        efficiency: GEMM efficiency as a share of peak; None for the usual one of GPU and format.
        software: The framework that trains.
    """

    model: Callable[[], Model | None]
    gpus: int
    global_batch: int
    seq: int
    precision: str
    efficiency: float | None
    software: SoftwareChoice


def choose(model: shape.ModelChoice, software: SoftwareChoice) -> Job:
    """The widgets of the training job."""
    return Job(
        model=model.model,
        gpus=bound.number("GPUs (world size)", "gpus", int(DEFAULTS["gpus"]), low=1, step=8),
        global_batch=bound.number(
            "Global batch size (sequences)", "batch", int(DEFAULTS["batch"]), low=1, step=32
        ),
        seq=bound.number("Sequence length (tokens)", "seq", int(DEFAULTS["seq"]), low=1, step=1024),
        precision=bound.choice(
            "GEMM precision",
            "precision",
            PRECISIONS,
            DEFAULTS["precision"],
            names=names.precisions(),
            help="Format of the GEMMs.",
        ),
        efficiency=fields.efficiency("GEMM efficiency (share of peak)", "efficiency", help=EFFICIENCY_HELP),
        software=software,
    )


def scenario(
    job: Job, system_choice: machine.SystemChoice, choice: rates.RateChoice, **more: Any
) -> Scenario:
    """
    The training scenario, on the domains of the system that the GPUs need, no fewer and no more.

    Raises:
        InputError: The model's layers are not published.
    """
    system = system_choice.with_gpus(job.gpus)
    question = Question(
        system=system,
        rates=choice.on(system, job.gpus),
        software=job.software.software,
        model=with_layers(job.model),
        gpus=job.gpus,
        job=TrainingJob(
            global_batch=job.global_batch,
            seq=job.seq,
            precision=job.precision,
            efficiency=job.efficiency,
            **job.software.training,
        ),
    )
    return Scenario.of(question, **more)


def unused_domains(chosen: machine.SystemChoice, system: System) -> str:
    """A sentence where more domains are chosen than the system of the job has; empty where not."""
    domains = chosen.configuration.domains
    if domains <= system.domains:
        return ""
    used = "1 is" if system.domains == 1 else f"{system.domains:,} are"
    return f" Of {domains:,} domains chosen {used} used: the GPUs of the job fill no more."


def place(system: System) -> str:
    """Where a job runs: *one domain*, or the number of domains and their GPUs."""
    domains = system.domains
    return "one domain" if domains == 1 else f"{domains:,} domains of {system.domain_gpus} GPUs"
