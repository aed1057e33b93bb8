"""Cost of exposed communication by kind of parallelism, and of a share that is known."""

from dataclasses import replace

from core.calculators.comparison.explanation import (
    DOLLARS,
    SECONDS,
    SHARE,
    Explanation,
    Factor,
    Figure,
    Part,
    Quantity,
    dollars,
)
from core.calculators.comparison.facts import count
from core.calculators.comparison.training import step_parts, training
from core.calculators.cost.exposed import DAYS_PER_MONTH, Loss
from core.calculators.training import Answer, Scenario

MONTHLY = "Exposed communication per month"
HOURS_PER_DAY = 24
WAITING = ("exposed", "straggler")
"""How the terms of a step begin that this cost counts."""


def cost(scenario: Scenario, answer: Answer, loss: Loss) -> Explanation:
    """Dollars of a month's exposed communication, by kind, and the whole bill by cause."""
    explained = training(scenario, answer)
    bill = _bill(loss)
    price = Factor("price of a GPU-hour", dollars(loss.usd_per_gpu_hour), loss.usd_per_gpu_hour)
    parts = tuple(
        replace(part, value=part.value / answer.step_s * bill, factors=(price, *part.factors))
        for part in step_parts(scenario, answer)
    )
    lost = tuple(part for part in parts if part.name.startswith(WAITING))
    return replace(
        explained,
        quantities=(
            Quantity(MONTHLY, DOLLARS, lost),
            Quantity("GPU bill per month", DOLLARS, parts),
            *explained.quantities[:1],
        ),
        figures=(
            Figure("Exposed share", loss.share, SHARE, more=False),
            Figure("Step time", answer.step_s, SECONDS, more=False),
            Figure("Cost per day", loss.usd_per_day, DOLLARS, more=False),
            Figure("GPU bill per month", bill, DOLLARS, more=False),
        ),
    )


def known_share(loss: Loss) -> Explanation:
    """Dollars of a month at a share that the reader knows."""
    bill = _bill(loss)
    factors = (
        Factor("share", f"{100 * loss.share:.3g} %", loss.share),
        count("GPUs", loss.gpus),
        Factor("price of a GPU-hour", dollars(loss.usd_per_gpu_hour), loss.usd_per_gpu_hour),
    )
    return Explanation(
        subject=f"{100 * loss.share:.3g} % of {loss.gpus:,.0f} GPUs",
        work={"GPUs (world size)": f"{loss.gpus:,.0f}"},
        quantities=(Quantity(MONTHLY, DOLLARS, (Part("exposed share", loss.usd_per_month, factors),)),),
        figures=(
            Figure("Exposed share", loss.share, SHARE, more=False),
            Figure("Cost per day", loss.usd_per_day, DOLLARS, more=False),
            Figure("GPU bill per month", bill, DOLLARS, more=False),
        ),
    )


def _bill(loss: Loss) -> float:
    """Dollars of all GPUs for a month."""
    return loss.gpus * HOURS_PER_DAY * DAYS_PER_MONTH * loss.usd_per_gpu_hour
