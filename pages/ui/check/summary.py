"""The page Check in words and tables: the verdict, its reasons, every size and every pair."""

from collections import Counter
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.hardware import System
from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.verdict import PairVerdict, RunVerdict, SizeVerdict, Status, judge_runs, measured_rates
from core.verdict import headline as verdict_headline
from core.verdict.machines import by_machine
from pages.http.counts import OF_PROCESS
from pages.ui.shared import answer, basis, empty_state, machine, names, pick, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.rates import RateChoice

HINT = (
    "Log of nccl-tests, rccl-tests, nvbandwidth, p2pBandwidthLatencyTest, topo -m, nvlink -s, or a run file"
)
ICONS = {
    Status.FINE: ":green[:material/check_circle:]",
    Status.LOW: ":orange[:material/trending_down:]",
    Status.HIGH: ":blue[:material/trending_up:]",
    Status.IMPOSSIBLE: ":red[:material/block:]",
    Status.WRONG: ":red[:material/error:]",
    Status.UNKNOWN: ":gray[:material/help:]",
}
MEANINGS = {
    Status.FINE: "inside the prediction interval (p10-p90) of this system, or up to 5 % outside it",
    Status.LOW: "slower than the prediction interval",
    Status.HIGH: "faster than calibrated systems of this kind, yet possible",
    Status.IMPOSSIBLE: "less time than the link rate allows for so many bytes",
    Status.WRONG: "the tool found wrong values (#wrong), so the time counts for nothing",
    Status.UNKNOWN: "the model expects nothing here",
}
SHOWN = "_verdict_shown"


@dataclass(frozen=True, slots=True)
class Checked:
    """A run's verdict on a system, and the factor from algbw to busbw (None where there is none)."""

    system: System
    verdict: RunVerdict
    busbw_factor: float | None


def usable(run: Run) -> bool:
    """Whether a verdict can say anything of this run."""
    return bool(run.samples or run.matrices)


def empty() -> None:
    """What the page will say, before there is a log."""
    empty_state.logs("No log yet: upload one, paste its text, or choose a stored run. A log is made so:")
    frame = pd.DataFrame(
        {"verdict": [str(status) for status in MEANINGS], "meaning": list(MEANINGS.values())}
    )
    tables.show(frame, "The six verdicts")


def ask(picked: pick.Picked, system_choice: machine.SystemChoice, choice: RateChoice) -> Checked:
    """The verdict on a run beside the others of its file; InputError where neither log nor reader tell the system."""
    run, runs = picked.run, picked.file_runs or (picked.run,)
    if system_choice.option == pick.LOG:
        place = runs.index(run)
        runs = next(tuple(runs[at] for at in places) for places in by_machine(runs) if place in places)
    system = pick.measured_system(system_choice, runs)
    ranks = run.ranks_or_guess or 1
    rates = choice.on(system, min(ranks, system.gpus)) if ranks > 1 else choice.rates
    verdict = judge_runs(runs, system, rates=rates)[runs.index(run)]
    factor = bus_factor(verdict.collective, verdict.ranks) if verdict.collective else None
    return Checked(system, verdict, factor)


def headline(name: str, checked: Checked) -> None:
    """The number, what was expected, the verdict, its reason, and where the ranks sit."""
    verdict = checked.verdict
    text = verdict_headline(verdict)
    _count(f"{name}: {text}", verdict.status)
    first = verdict.causes[0].reason.text if verdict.causes else ""
    sentences = [_once(verdict.reason.text, f"{text}; {first}"), _share(verdict)]
    reason = " ".join(sentence for sentence in sentences if sentence)
    answer.headline(
        Headline(f"{name}: {text}", reason, icon=ICONS[verdict.status]),
        note=" ".join(
            f"{names.sentence(part)}."
            for part in (_seats(checked), measured_rates(verdict), verdict.bottleneck)
            if part
        ),
        origin="measured",
    )


def _count(shown: str, status: Status) -> None:
    """For /metrics: once for as long as the verdict stands."""
    if st.session_state.get(SHOWN) != shown:
        st.session_state[SHOWN] = shown
        OF_PROCESS.verdict(str(status))


def _once(reason: str, said: str) -> str:
    """The reason as a sentence, without what stands elsewhere on the page already: headline or first cause."""
    parts = [part for part in reason.split("; ") if part not in said]
    return f"{names.sentence('; '.join(parts))}." if parts else ""


def _share(verdict: RunVerdict) -> str:
    """How many sizes or pairs have the verdict of the run."""
    judged = parts(verdict)
    count = sum(part.status is verdict.status for part in judged)
    thing = "sample" if verdict.sizes else "pair"
    things = f"{thing} is" if len(judged) == 1 else f"{thing}s are"
    return f"{count:,} of {len(judged):,} {things} {verdict.status}." if count else ""


def parts(verdict: RunVerdict) -> tuple[SizeVerdict | PairVerdict, ...]:
    """Every size and pair of a verdict."""
    return (*verdict.sizes, *verdict.pairs)


def _seats(checked: Checked) -> str:
    verdict = checked.verdict
    seats = ""
    if verdict.ranks:
        seats = f"{names.operation(verdict.collective)} on {verdict.ranks} ranks"
        if verdict.domains:
            seats += f", {verdict.domains} × {verdict.local_ranks} on {checked.system.name}"
    return ". ".join(filter(None, [seats, verdict.basis and basis.sentence(verdict.basis).rstrip(".")]))


def figures(verdict: RunVerdict) -> list[Figure]:
    """How many sizes or pairs have which verdict."""
    counts = Counter(part.status for part in parts(verdict))
    return [
        Figure(str(status), f"{counts[status]:,}", MEANINGS[status]) for status in Status if counts[status]
    ]
