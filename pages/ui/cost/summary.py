"""The answer of the page Cost of communication in words, figures and tables."""

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.cost.exposed import DAYS_PER_MONTH, Loss, exposed_interval, loss, payback_months
from core.calculators.layouts import FabricValue, Terms, by_network, by_rate, fastest_layout
from core.calculators.training import Answer, Scenario
from core.calculators.training import answer as calculate
from core.units import format_number, format_rate, format_time
from pages.ui.cost.inputs import KnownShare, Prices
from pages.ui.shared import job, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.machine import SystemChoice
from pages.ui.shared.messages import plain, strong
from pages.ui.shared.rates import RateChoice

RATE_FACTORS = tuple(2 ** (k / 2) for k in range(-4, 9))
CLUSTERS = (1_024, 4_096, 16_384, 65_536)
SHARES = (0.01, 0.05, 0.10, 0.20)
ONE_PERCENT = 0.01
MONTHS_PER_YEAR, LONGEST_IN_MONTHS, LONGEST_YEARS = 12, 120, 100
MILLION, BILLION = 1e6, 1e9


@dataclass(frozen=True, slots=True)
class JobCost:
    """A job in its fastest layout, with the same job on other fabrics."""

    scenario: Scenario
    answer: Answer
    fabrics: tuple[FabricValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """Cost of exposed communication and of 1 % of the cluster's time; ``job`` None for a known share."""

    lost: Loss
    one_percent: Loss
    job: JobCost | None = None

    @property
    def bill_usd_per_month(self) -> float:
        """Price of all GPUs for a month."""
        return self.one_percent.usd_per_month / ONE_PERCENT

    @property
    def custom(self) -> bool:
        """Whether the system is the reader's own."""
        return self.job is not None and self.job.scenario.system.yours


def ask(
    question: job.Job | KnownShare, prices: Prices, system_choice: SystemChoice, rates: RateChoice
) -> Result:
    """The cost; InputError where the job has no layout."""
    usd = prices.usd_per_gpu_hour
    if isinstance(question, KnownShare):
        gpus = question.gpus
        return Result(loss(question.share, gpus, usd), loss(ONE_PERCENT, gpus, usd))
    return _job_cost(job.scenario(question, system_choice, rates), question.gpus, prices)


@lru_cache(maxsize=64)
def _job_cost(scenario: Scenario, gpus: int, prices: Prices) -> Result:
    usd = prices.usd_per_gpu_hour
    best = fastest_layout(scenario, gpus).scenario
    answer = calculate(best)
    share = answer.exposed_s.total_s / answer.step_s
    interval = exposed_interval(share, communicates=answer.comm_s.total_s > 0)
    lost = loss(share, gpus, usd, interval)
    one_percent = loss(ONE_PERCENT, gpus, usd)
    if best.system.scale_out is None:
        return Result(lost, one_percent, JobCost(best, answer))
    fabrics = by_network(best, prices.networks, _terms(prices, gpus), rerank=prices.reoptimize)
    return Result(lost, one_percent, JobCost(best, answer, fabrics))


@lru_cache(maxsize=64)
def rates_of(scenario: Scenario, gpus: int, prices: Prices) -> tuple[FabricValue, ...]:
    """The job at other network rates, remembered; none without a network."""
    if scenario.system.scale_out is None:
        return ()
    return by_rate(scenario, RATE_FACTORS, _terms(prices, gpus))


def _terms(prices: Prices, gpus: int) -> Terms:
    return Terms(prices.usd_per_gpu_hour, prices.capital_per_gpu_usd * gpus, prices.horizon_months)


def dollars(amount: float) -> str:
    """A sum of money to three digits from a million on, with its sign."""
    sign, value = ("−" if amount < 0 else ""), abs(amount)
    for unit, size in (("B", BILLION), ("M", MILLION)):
        if value >= size:
            return f"{sign}${value / size:,.3g}{unit}"
    return f"{sign}${value:,.0f}"


def markdown_dollars(amount: float) -> str:
    """A sum of money inside Markdown, where two dollar signs would make a formula."""
    return plain(dollars(amount))


def headline(result: Result, prices: Prices) -> Headline:
    """Cost per month, what it is a share of, and whether another fabric would pay back."""
    if result.job is None:
        return _known_share(result, prices)
    lost, answer = result.lost, result.job.answer
    ends = f"{dollars(lost.usd_per_month_low)} to {dollars(lost.usd_per_month_high)}"
    text = (
        f"Exposed communication costs {dollars(lost.usd_per_month)} a month ({ends}): "
        f"{100 * lost.share:.3g} % of the GPU time."
    )
    reason = (
        f"{strong(answer.layout)} takes {format_time(answer.step_s)} per step on {answer.gpus:,} GPUs, "
        f"{format_time(answer.exposed_s.total_s)} of it exposed communication: as if {lost.idle_gpus:,.0f} GPUs were idle."
    )
    return Headline(text, reason, _best_fabric(result.job, prices))


def _known_share(result: Result, prices: Prices) -> Headline:
    lost = result.lost
    text = f"{100 * lost.share:.3g} % of {lost.gpus:,.0f} GPUs is {dollars(lost.usd_per_month)} a month."
    reason = f"As if {lost.idle_gpus:,.0f} GPUs were idle: {lost.gpu_hours_per_day:,.0f} GPU-hours a day."
    each = f"Each 1 % is {dollars(result.one_percent.usd_per_day)} a day."
    return Headline(text, reason, f"{each}{_upgrade(prices.upgrade_usd, lost)}")


def _upgrade(capital_usd: float | None, lost: Loss) -> str:
    """When an upgrade that ends the exposed communication has paid for itself."""
    if capital_usd is None:
        return ""
    months = payback_months(capital_usd, lost)
    when = "never" if months is None else f"in {payback(months)}"
    return f" An upgrade for {dollars(capital_usd)} that ends it is paid back {when}."


def payback(months: float) -> str:
    """Months until what was paid has been saved; in years where nobody would wait for it."""
    if months <= LONGEST_IN_MONTHS:
        return f"{format_number(months)} months"
    years = months / MONTHS_PER_YEAR
    return f"over {LONGEST_YEARS} years" if years > LONGEST_YEARS else f"{years:,.0f} years"


def _best_fabric(cost: JobCost, prices: Prices) -> str:
    if not cost.fabrics:
        no_network = "This system has no scale-out network to replace."
        return no_network if cost.scenario.system.scale_out is None else ""
    best = max(cost.fabrics, key=lambda fabric: fabric.saved_usd_per_month)
    if best.saved_usd_per_month < 1:
        return "None of the fabrics compared would save anything."
    text = (
        f"{strong(best.name)} would save {dollars(best.saved_usd_per_month)} a month, worth up to "
        f"{dollars(best.worth_usd_per_gpu)} per GPU over {prices.horizon_months} months"
    )
    if best.payback_months is None:
        return f"{text}."
    paid = payback(best.payback_months)
    return f"{text}; {dollars(prices.capital_per_gpu_usd)} per GPU would be paid back in {paid}."


def note(result: Result) -> str:
    """Where the job runs, and the length of a month."""
    month = f"A month has {DAYS_PER_MONTH} days."
    if result.job is None:
        return month
    system = result.job.scenario.system
    return f"The fastest layout on {system.name}, {job.place(system)}. {month}"


def figures(result: Result) -> list[Figure]:
    """Cost of exposed communication, of 1 % of the time, of the bubble, and the whole bill."""
    lost, one_percent = result.lost, result.one_percent
    hours_per_month = DAYS_PER_MONTH * lost.gpu_hours_per_day
    items = [
        Figure("Cost per day", dollars(lost.usd_per_day), f"Of exposed communication{_ends(lost, 'day')}."),
        Figure(
            "Cost per month",
            dollars(lost.usd_per_month),
            f"{hours_per_month:,.0f} GPU-hours{_ends(lost, 'month')}.",
        ),
        Figure("GPU-hours per day", f"{lost.gpu_hours_per_day:,.0f}", "Of exposed communication."),
        Figure("1 % per day", dollars(one_percent.usd_per_day), "1 % of the time of all GPUs."),
        Figure("1 % per month", dollars(one_percent.usd_per_month)),
        Figure("GPU bill per month", dollars(result.bill_usd_per_month), "All GPUs."),
    ]
    if result.job:
        bubble = result.job.answer.bubble_share * result.bill_usd_per_month
        explanation = "Per month, of pipeline stages that wait for one another: no link would change it."
        items.append(Figure("Pipeline bubble", dollars(bubble), explanation))
    return items


def _ends(lost: Loss, span: str) -> str:
    """The prediction interval of the dollars per day or month; empty where the share is known."""
    if lost.share_low == lost.share_high:
        return ""
    low, high = (getattr(lost, f"usd_per_{span}_{end}") for end in ("low", "high"))
    return f"; {dollars(low)} to {dollars(high)}"


def fabrics(cost: JobCost, prices: Prices) -> None:
    """Each fabric against the current one as a row: rate, step time, saving, worth, payback."""
    table = pd.DataFrame(
        {
            "fabric": fabric.name,
            "rate per GPU": format_rate(fabric.bytes_per_s),
            "step time": format_time(fabric.step_s),
            "saved per month": dollars(fabric.saved_usd_per_month),
            "worth per GPU": dollars(fabric.worth_usd_per_gpu),
            "worth per GPU-hour": _signed(fabric.worth_usd_per_gpu_hour),
            "payback": "–" if fabric.payback_months is None else payback(fabric.payback_months),
        }
        for fabric in cost.fabrics
    )
    if prices.reoptimize:
        table.insert(2, "layout", [fabric.layout for fabric in cost.fabrics])
    tables.show(table, "Scale-out fabrics under the same job", height="content")
    st.caption(
        f"Unidirectional rates, with as many NICs as now. Worth per GPU: what is saved in {prices.horizon_months} months. "
        "Worth per GPU-hour: the price difference at the same cost of a step."
    )


def _signed(amount: float) -> str:
    return f"{'−' if amount < 0 else '+'}${abs(amount):.3f}"


def price_list(result: Result, prices: Prices) -> None:
    """Cost per day of some shares on clusters of several sizes."""
    usd = prices.usd_per_gpu_hour
    sizes = sorted({*CLUSTERS, int(result.lost.gpus)})
    frame = pd.DataFrame({"GPUs": f"{gpus:,}"} for gpus in sizes)
    for share in SHARES:
        frame[f"{100 * share:g} % per day"] = [dollars(loss(share, gpus, usd).usd_per_day) for gpus in sizes]
    one_percent = [loss(ONE_PERCENT, gpus, usd) for gpus in sizes]
    frame["1 % per month"] = [dollars(lost.usd_per_month) for lost in one_percent]
    frame["1 %, GPU-hours per day"] = [f"{lost.gpu_hours_per_day:,.0f}" for lost in one_percent]
    tables.show(frame, "Cost per day by exposed share and cluster size", height="content")


def formulas() -> None:
    """The formulas."""
    with st.expander("Formulas", icon=":material/functions:"):
        st.latex(
            r"\text{idle GPUs} = s\,n,\qquad \text{cost per day} = 24\,p\,s\,n,\qquad \text{month} = 30\text{ days}"
        )
        st.latex(
            r"\text{saved} = \left(1-\frac{t'}{t}\right)\text{bill},\qquad "
            r"\text{payback} = \frac{\text{capital}}{\text{saved per month}},\qquad "
            r"\text{worth per GPU-hour} = p\left(\frac{t}{t'}-1\right)"
        )
        st.caption(
            "s: exposed share, n: GPUs, p: price of a GPU-hour, t and t′: step time now and on the other fabric. Training "
            "the same model in less time pays for fewer GPU-hours; power, staff and delay are not counted."
        )
