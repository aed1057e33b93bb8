"""The shared question as pages take it: what its widgets say."""

from dataclasses import dataclass

from core.workload import Precision
from pages.ui.shared.job import Job
from pages.ui.shared.machine import SystemChoice
from pages.ui.shared.question.software import SoftwareChoice
from pages.ui.shared.rates import RateChoice
from pages.ui.shared.shape import ModelChoice


@dataclass(frozen=True, slots=True)
class Load:
    """
    How a model is served.

    Attributes:
        requests: Concurrent requests of all replicas together.
        context: Context length in tokens; None leaves it to the calculator.
        weights, activations, kv: Formats.
    """

    requests: int
    context: int | None
    weights: Precision
    activations: Precision
    kv: Precision

    @property
    def tokens(self) -> int:
        """Context length where a calculator needs one."""
        return USUAL_CONTEXT if self.context is None else self.context


USUAL_CONTEXT = 4096


@dataclass(frozen=True, slots=True)
class SharedInputs:
    """The shared question: what every page is asked about."""

    system: SystemChoice
    rates: RateChoice
    software: SoftwareChoice
    model: ModelChoice
    job: Job
    load: Load
