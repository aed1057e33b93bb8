"""Money page: a job or a share, its price, and what other fabrics would save."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import pandas as pd
import streamlit as st

from core.calculators.cost.exposed import DAYS_PER_MONTH, Loss, loss, payback_months
from core.calculators.layouts import Terms, by_network, by_rate, rank_training
from core.calculators.training import answer as price
from core.systems import NETWORKS
from core.units import GB, format_rate, format_time
from pages.ui.cost import charts as money_charts
from pages.ui.shared import bound, charts, job, tables
from pages.ui.shared.messages import plain

JOB, SHARE = "job", "share"
USUAL = ("ib-hdr", "ib-ndr", "ib-xdr", "roce-400", "roce-800")
RATE_FACTORS = tuple(2 ** (k / 2) for k in range(-4, 9))
LADDER = (1_024, 4_096, 16_384, 65_536)
SHARES = (0.01, 0.05, 0.10, 0.20)
KINDS = {"tp": "TP", "cp": "CP", "ep": "EP", "pp": "PP", "dp": "DP"}


@dataclass(frozen=True, slots=True)
class Result:
    """What waits: its price, the job behind it (None for a typed share), other fabrics and rates."""

    lost: Loss
    one_percent: Loss
    job: Any = None
    scenario: Any = None
    fabrics: tuple = ()
    rates: tuple = ()

    @property
    def yours(self):
        """Whether the machine is the reader's own."""
        return self.scenario is not None and self.scenario.system.yours


def question():
    """A job whose waiting is computed, or a share that is known."""
    known = bound.switch(
        "What waits", "money_from", (JOB, SHARE), help="A job that is computed, or a share you know."
    )
    if known == SHARE:
        share = bound.number(
            "Share of the time lost (%)", "lost_percent", 10.0, low=0.0, high=100.0, step=1.0
        )
        gpus = bound.number("GPUs", "money_gpus", 16384, low=1, step=1024)
        return {"share": share / 100, "gpus": gpus}
    return asdict(job.question("money", model="llama-3.1-405b", gpus=1024, batch=256))


def terms(asked):
    """Price of a GPU-hour; for a job also the fabrics to compare and what they cost."""
    with st.expander("Prices", icon=":material/payments:", expanded=True):
        usd = bound.number("Price of a GPU-hour ($)", "money_usd", 3.0, low=0.0, step=0.5)
        if "share" in asked:
            upgrade = bound.number(
                "An upgrade that ends it costs ($)", "upgrade_usd", None, low=0.0, help="Empty: no payback."
            )
            return {"usd": usd, "upgrade": upgrade}
        networks = bound.several("Fabrics to compare", "fabrics", NETWORKS, USUAL)
        capital = bound.number(
            "A new fabric costs ($ per GPU)",
            "capital_per_gpu",
            1500.0,
            low=0.0,
            step=250.0,
            help="NICs, switches, cables and work, divided by the GPUs. An example: replace it by your quote.",
        )
        months = bound.number("It must pay within (months)", "horizon", 36, low=1, step=6)
        anew = bound.toggle(
            "Lay the job out anew on each fabric", "anew", help="Off: the layout that is best today stays."
        )
    return {"usd": usd, "networks": tuple(networks), "capital": capital, "months": months, "anew": anew}


def ask(asked, how, box, chosen):
    """The price of what waits."""
    if "share" in asked:
        gpus, usd = asked["gpus"], how["usd"]
        return Result(loss(asked["share"], gpus, usd), loss(0.01, gpus, usd))
    whole = job.scenario(job.Job(**asked), box, chosen)
    gpus = asked["gpus"]
    bill = Terms(how["usd"], how["capital"] * gpus, how["months"])
    return _priced(whole, gpus, bill, how["networks"], how["anew"])


@lru_cache(maxsize=64)
def _priced(whole, gpus, bill, networks, anew):
    best = rank_training(whole, gpus).ranked[0].scenario
    found = price(best)
    share = found.exposed_s.total_s / found.step_s
    lost, one = (loss(part, gpus, bill.usd_per_gpu_hour) for part in (share, 0.01))
    if best.system.scale_out is None:
        return Result(lost, one, found, best)
    fabrics = by_network(best, networks, bill, rerank=anew)
    return Result(lost, one, found, best, fabrics, by_rate(best, RATE_FACTORS, bill))


def dollars(amount):
    """A sum that can be read at a glance, with its sign."""
    sign, value = ("−" if amount < 0 else ""), abs(amount)
    for unit, size in (("B", 1e9), ("M", 1e6)):
        if value >= size:
            return f"{sign}${value / size:,.3g}{unit}"
    return f"{sign}${value:,.0f}"


def _said(amount):
    """Dollars inside a sentence of Markdown, where two dollar signs would make a formula."""
    return plain(dollars(amount))


def verdict(how, found):
    """What waits a month, out of what, and whether another fabric would pay."""
    lost = found.lost
    if found.job is None:
        first = f"{100 * lost.share:.3g} % of {lost.gpus:,.0f} GPUs is {dollars(lost.usd_per_month)} a month."
        reason = (
            f"As if {lost.idle_gpus:,.0f} GPUs did nothing: {lost.gpu_hours_per_day:,.0f} GPU-hours a day."
        )
        each = f"Each per cent is {_said(found.one_percent.usd_per_day)} a day."
        return first, reason, f"{each}{_upgrade(how['upgrade'], lost)}"
    first = (
        f"Waiting for wires costs {dollars(lost.usd_per_month)} a month: {100 * lost.share:.3g} % of the job."
    )
    reason = (
        f"**{found.job.layout}** takes {format_time(found.job.step_s)} a step on {found.job.gpus:,} GPUs; "
        f"{format_time(found.job.exposed_s.total_s)} of it is communication that nothing hides, "
        f"as if {lost.idle_gpus:,.0f} GPUs did nothing."
    )
    return first, reason, _pays(found, how)


def _upgrade(capital, lost):
    """When an upgrade that ends the waiting has paid for itself."""
    if capital is None:
        return ""
    months = payback_months(capital, lost)
    when = "never" if months is None else f"in {months:,.3g} months"
    return f" An upgrade for {_said(capital)} that ends it is paid back {when}."


def _pays(found, how):
    if not found.fabrics:
        return "This machine has no network to replace." if found.scenario.system.scale_out is None else ""
    best = max(found.fabrics, key=lambda one: one.saved_usd_per_month)
    if best.saved_usd_per_month < 1:
        return "None of the fabrics compared would save anything."
    words = (
        f"**{plain(best.name)}** would save {_said(best.saved_usd_per_month)} a month: worth up to "
        f"{_said(best.worth_usd_per_gpu)} per GPU over {how['months']} months"
    )
    if best.payback_months is None:
        return f"{words}."
    paid = (
        f"paid back in {best.payback_months:,.2g} months"
        if best.payback_months <= 1200
        else "never paid back"
    )
    return f"{words}; at {_said(how['capital'])} per GPU {paid}."


def note(found):
    """Where it runs."""
    if found.job is None:
        return f"A month has {DAYS_PER_MONTH} days."
    system = found.scenario.system
    return plain(
        f"The fastest layout on {system.name}, {job.place(system)}. A month has {DAYS_PER_MONTH} days."
    )


def figures(found):
    """Secondary numbers."""
    lost, one = found.lost, found.one_percent
    pairs = [
        ("Lost, a day", dollars(lost.usd_per_day), f"{lost.gpu_hours_per_day:,.0f} GPU-hours."),
        (
            "Lost, a month",
            dollars(lost.usd_per_month),
            f"{DAYS_PER_MONTH * lost.gpu_hours_per_day:,.0f} GPU-hours.",
        ),
        ("GPU-hours, a day", f"{lost.gpu_hours_per_day:,.0f}"),
        ("1 %, a day", dollars(one.usd_per_day)),
        ("1 %, a month", dollars(one.usd_per_month)),
        ("The whole bill", f"{dollars(100 * one.usd_per_month)}", "All GPUs for a month."),
    ]
    if found.job:
        bubble = found.job.bubble_share * 100 * one.usd_per_month
        pairs.append(
            ("Bubble", dollars(bubble), "A month of stages that wait for one another: not a wire's fault.")
        )
    return pairs


def fabrics(found, how):
    """Each fabric against the one that is there: saved, worth, payback."""
    if not found.fabrics:
        st.info("This machine has no network: choose one, or a machine with domains that are joined.")
        return
    frame = pd.DataFrame(
        {
            "name": one.name,
            "saved": one.saved_usd_per_month,
            "step_s": one.step_s,
            "worth": one.worth_usd_per_gpu,
            "sign": "saves" if one.saved_usd_per_month >= 0 else "costs",
        }
        for one in found.fabrics
    )
    charts.draw(
        money_charts.fabrics(len(frame)), "Dollars a month that each fabric saves or costs", rows=frame
    )
    table = pd.DataFrame(
        {
            "fabric": one.name,
            "rate of a GPU": format_rate(one.bytes_per_s),
            "step": format_time(one.step_s),
            "saved a month": dollars(one.saved_usd_per_month),
            "worth per GPU": dollars(one.worth_usd_per_gpu),
            "a GPU-hour": f"{'−' if one.worth_usd_per_gpu_hour < 0 else '+'}${abs(one.worth_usd_per_gpu_hour):.3f}",
            "payback": "–" if one.payback_months is None else f"{one.payback_months:,.3g} months",
        }
        for one in found.fabrics
    )
    if how["anew"]:
        table.insert(2, "layout", [one.layout for one in found.fabrics])
    tables.show(table, "Fabrics compared", height="content")
    st.caption(
        f"Rates one way, with as many NICs as now. Worth per GPU: what is saved within {how['months']} months. "
        "A GPU-hour: by how much its price may differ at the same cost of a step."
    )


def marginal(found, how):
    """Saved dollars a month over the network's rate, and what one GB/s more is worth."""
    if not found.rates:
        st.info("No network, no margin.")
        return
    rows = [(one.bytes_per_s, one.saved_usd_per_month, one.step_s) for one in found.rates]
    frame = pd.DataFrame(rows, columns=["rate", "saved", "step_s"])
    here = found.scenario.system.scale_out.bytes_per_s
    charts.draw(
        money_charts.marginal(),
        "Dollars a month saved over the network rate of a GPU",
        rows=frame,
        here=pd.DataFrame({"rate": [here]}),
    )
    after = next(one for one in found.rates if one.bytes_per_s > here * 1.01)
    slope = after.saved_usd_per_month / ((after.bytes_per_s - here) / GB)
    st.caption(
        f"From {format_rate(here)} on, one GB/s more per GPU is worth {_said(slope)} a month, "
        f"{_said(slope * how['months'] / found.job.gpus)} per GPU over {how['months']} months; each next one less."
    )


def where(found):
    """The bill of a month by what the GPUs do."""
    step_s, bill = found.job.step_s, 100 * found.one_percent.usd_per_month
    exposed = asdict(found.job.exposed_s)
    rows = [("compute", found.job.compute_s), ("bubble", found.job.bubble_s)]
    rows += [(f"{title} wires", exposed[name]) for name, title in KINDS.items() if exposed[name] > 0]
    frame = pd.DataFrame(rows, columns=["part", "time_s"])
    frame["usd"] = frame["time_s"] / step_s * bill
    frame["share"] = frame["time_s"] / step_s
    charts.draw(money_charts.where(), "Dollars of a month by what the GPUs do", rows=frame)


def ladder(found, how):
    """Dollars a day of some shares on clusters of several sizes, at this price."""
    sizes = sorted({*LADDER, int(found.lost.gpus)})
    frame = pd.DataFrame({"GPUs": f"{gpus:,}"} for gpus in sizes)
    for share in SHARES:
        frame[f"{100 * share:g} %, a day"] = [
            dollars(loss(share, gpus, how["usd"]).usd_per_day) for gpus in sizes
        ]
    frame["1 %, a month"] = [dollars(loss(0.01, gpus, how["usd"]).usd_per_month) for gpus in sizes]
    frame["1 %, GPU-hours a day"] = [
        f"{loss(0.01, gpus, how['usd']).gpu_hours_per_day:,.0f}" for gpus in sizes
    ]
    tables.show(frame, "Dollars a day of shares lost, by size of the cluster", height="content")


def words():
    """The formulas."""
    with st.expander("Formulas", icon=":material/functions:"):
        st.latex(
            r"\text{idle} = s\,n,\qquad \text{dollars a day} = 24\,p\,s\,n,\qquad \text{a month} = 30\text{ days}"
        )
        st.latex(
            r"\text{saved} = \left(1-\frac{t'}{t}\right)\text{bill},\qquad "
            r"\text{payback} = \frac{\text{capital}}{\text{saved a month}},\qquad "
            r"\text{worth of a GPU-hour} = p\left(\frac{t}{t'}-1\right)"
        )
        st.caption(
            "s share lost, n GPUs, p price of a GPU-hour, t and t′ the step now and on the other fabric. Whoever "
            "trains the same model in less time pays for fewer GPU-hours; power, staff and delay are not counted."
        )
