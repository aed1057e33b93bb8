"""A training job as three pages ask for it: model, GPUs, batch, precision, on a system grown to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.calculators.question import PRECISIONS, Question, TrainingJob
from core.calculators.training import Scenario
from core.hardware import System
from core.parallel.grow import domains_for, sized_for
from core.workload import Model
from pages.ui.shared import bound, machine, rates, shape
from pages.ui.shared.layers import with_layers


@dataclass(frozen=True, slots=True)
class Job:
    """
    What the widgets say of a training job.

    Attributes:
        model: Gives the model once all widgets stand.
        gpus: World size.
        global_batch: Sequences of an optimizer step.
        seq: Sequence length in tokens.
        precision: Format of the GEMMs.
        efficiency: GEMM efficiency as a share of peak; None for the usual one of GPU and format.
    """

    model: Callable[[], Model | None]
    gpus: int
    global_batch: int
    seq: int
    precision: str
    efficiency: float | None


def question(prefix: str, *, model: str = "llama-3.1-70b", gpus: int = 64, batch: int = 128) -> Job:
    """Widgets whose keys in the URL start with ``prefix``."""
    choice = shape.choose(f"{prefix}_model", model, shaped=True).model
    return Job(
        model=choice,
        gpus=bound.number("GPUs (world size)", f"{prefix}_gpus", gpus, low=1, step=8),
        global_batch=bound.number("Global batch size (sequences)", f"{prefix}_batch", batch, low=1, step=32),
        seq=bound.number("Sequence length (tokens)", f"{prefix}_seq", 8192, low=1, step=1024),
        precision=bound.choice(
            "Precision", f"{prefix}_precision", PRECISIONS, "bf16", help="Format of the GEMMs."
        ),
        efficiency=bound.number(
            "GEMM efficiency (share of peak)",
            f"{prefix}_efficiency",
            None,
            low=0.01,
            high=1.1,
            step=0.05,
            help="Dense GEMM FLOP/s over peak: 0.4 is 40 %. One constant of your framework. Empty: the usual one for this GPU and format, with an interval over frameworks.",
        ),
    )


def scenario(
    job: Job, system_choice: machine.SystemChoice, choice: rates.RateChoice, **more: Any
) -> Scenario:
    """
    The training scenario, on as many domains of the system as its GPUs fill.

    Raises:
        InputError: The model's layers are not published.
    """
    system = sized_for(system_choice.system(), job.gpus)
    question = Question(
        system=system,
        rates=choice.on(system, job.gpus),
        model=with_layers(job.model),
        gpus=job.gpus,
        job=TrainingJob(
            global_batch=job.global_batch,
            seq=job.seq,
            precision=job.precision,
            efficiency=job.efficiency,
        ),
    )
    return Scenario.of(question, **more)


def unused_domains(system: System, gpus: int) -> str:
    """A sentence where the chosen system has more domains than the job fills; empty where it has not."""
    needed = domains_for(system, gpus)
    if system.domains <= needed:
        return ""
    used = "1 domain is" if needed == 1 else f"{needed:,} domains are"
    return f" Of the {system.domains:,} domains chosen {used} used: {gpus:,} GPUs fill no more."


def place(system: System) -> str:
    """Where a job runs: *one domain*, or the number of domains and their GPUs."""
    domains = system.domains
    return "one domain" if domains == 1 else f"{domains:,} domains of {system.domain_gpus} GPUs"
