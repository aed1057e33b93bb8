"""Inputs of the page Cost of communication: a training job or a known share, and prices."""

from dataclasses import dataclass

from core.catalog.networks import FABRICS
from core.systems import NETWORKS
from pages.ui.shared import bound, job, names
from pages.ui.shared.question.record import SharedInputs

JOB, SHARE = "job", "share"


@dataclass(frozen=True, slots=True)
class KnownShare:
    """Exposed communication as a share of the time (0 to 1) of so many GPUs, and a price."""

    share: float
    gpus: int


@dataclass(frozen=True, slots=True)
class Prices:
    """
    What a GPU-hour and a change of the fabric cost.

    Attributes:
        usd_per_gpu_hour: Price of a GPU-hour.
        upgrade_usd: Capital of an upgrade that ends a known share; None asks for no payback.
        networks: Fabrics to compare under a job, by id.
        capital_per_gpu_usd: Capital of a new fabric per GPU.
        horizon_months: Months in which it must pay back.
        reoptimize: Whether each fabric gets its own fastest layout.
    """

    usd_per_gpu_hour: float
    upgrade_usd: float | None = None
    networks: tuple[str, ...] = ()
    capital_per_gpu_usd: float = 0.0
    horizon_months: int = 36
    reoptimize: bool = False


def question(shared: SharedInputs) -> job.Job | KnownShare:
    """The question's job, whose exposed communication is computed, or a share that is known."""
    source = bound.switch(
        "Exposed communication",
        "money_from",
        (JOB, SHARE),
        help="job: computed for the training job. share: a share of the time that you know.",
    )
    if source == JOB:
        return shared.job
    percent = bound.number(
        "Exposed communication (% of time)", "lost_percent", 10.0, low=0.0, high=100.0, step=1.0
    )
    return KnownShare(percent / 100, shared.job.gpus)


def prices(question: job.Job | KnownShare) -> Prices:
    """The widgets of the prices that the question needs."""
    usd = bound.number("GPU-hour price ($)", "money_usd", 3.0, low=0.0, step=0.5)
    if isinstance(question, KnownShare):
        upgrade = bound.number(
            "Upgrade that ends it ($)", "upgrade_usd", None, low=0.0, help="Empty: no payback."
        )
        return Prices(usd, upgrade_usd=upgrade)
    return _fabric_prices(usd)


def _fabric_prices(usd_per_gpu_hour: float) -> Prices:
    networks = bound.several("Fabrics to compare", "fabrics", NETWORKS, FABRICS, names=names.catalog())
    capital = bound.number(
        "New fabric ($ per GPU)",
        "capital_per_gpu",
        1500.0,
        low=0.0,
        step=250.0,
        help="NICs, switches, cables and work, divided by the GPUs. An example: replace it by your quote.",
    )
    months = bound.number("Payback horizon (months)", "horizon", 36, low=1, step=6)
    reoptimize = bound.toggle(
        "Fastest layout for each fabric", "anew", help="Off: the layout that is fastest today stays."
    )
    return Prices(
        usd_per_gpu_hour,
        networks=tuple(networks),
        capital_per_gpu_usd=capital,
        horizon_months=months,
        reoptimize=reoptimize,
    )
