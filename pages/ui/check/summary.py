"""The page Check in words and tables: the verdict, its reasons, every size and every pair."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.hardware import System
from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.units import GB, US, format_share, format_size
from core.verdict import PairVerdict, RunVerdict, SizeVerdict, Status, judge_runs, measured_rates
from core.verdict import headline as verdict_headline
from core.verdict.headline import short_cause
from pages.http.counts import OF_PROCESS
from pages.ui.shared import answer, basis, empty_state, machine, names, pick, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain
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
NONE = "–"
SHOWN = "_verdict_shown"
FEW_ROWS, TABLE_HEIGHT = 8, 360


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
    system = pick.system_for(system_choice, runs)
    ranks = run.ranks or run.ranks_guess or 1
    rates = choice.on(system, min(ranks, system.gpus)) if ranks > 1 else choice.rates
    verdict = judge_runs(runs, system, rates=rates)[runs.index(run)]
    factor = bus_factor(verdict.collective, verdict.ranks) if verdict.collective else None
    return Checked(system, verdict, factor)


def headline(name: str, checked: Checked) -> None:
    """The number, what was expected, the verdict, its reason, and where the ranks sit."""
    verdict = checked.verdict
    text = verdict_headline(verdict)
    _count(f"{name}: {text}", verdict.status)
    sentences = [_once(verdict.reason.text, text), _share(verdict)]
    reason = " ".join(sentence for sentence in sentences if sentence)
    answer.headline(
        Headline(f"{name}: {text}", reason, icon=ICONS[verdict.status]),
        note=". ".join(
            filter(None, [_seats(checked), _opened(measured_rates(verdict)), _opened(verdict.bottleneck)])
        ),
        origin="measured",
    )


def _count(shown: str, status: Status) -> None:
    """For /metrics: once for as long as the verdict stands."""
    if st.session_state.get(SHOWN) != shown:
        st.session_state[SHOWN] = shown
        OF_PROCESS.verdict(str(status))


def _once(reason: str, said: str) -> str:
    """The reason as a sentence; empty where the headline is the reason."""
    return "" if reason in said else f"{_opened(reason)}."


def _opened(text: str) -> str:
    """A text that begins a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def _share(verdict: RunVerdict) -> str:
    """How many sizes or pairs have the verdict of the run."""
    parts = _parts(verdict)
    count = sum(part.status is verdict.status for part in parts)
    things = "samples" if verdict.sizes else "pairs"
    return f"{count:,} of {len(parts):,} {things} are {verdict.status}." if count else ""


def _parts(verdict: RunVerdict) -> tuple[SizeVerdict | PairVerdict, ...]:
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


def causes(verdict: RunVerdict) -> None:
    """The likely causes with their weights, what the log says of each, and the command that would tell."""
    if not verdict.causes:
        return
    st.subheader("Likely causes, and what to run next")
    for cause in verdict.causes:
        said = f" In the log: {plain('; '.join(cause.lines))}." if cause.lines else ""
        st.markdown(f"**{format_share(cause.weight)}** {plain(cause.reason.text)}.{said}")
        st.code(cause.test.command, language="bash", wrap_lines=True)
        st.caption(f"Shows, if it is so: {plain(_without_code(cause.test.shows))}.")


def _without_code(text: str) -> str:
    """Words that the shell quotes as code, without the quotes."""
    return text.replace("`", "")


def other_reasons(verdict: RunVerdict) -> None:
    """Every further reason once, with the sizes or pairs it is of."""
    by_code: dict[str, list[SizeVerdict | PairVerdict]] = {}
    for part in _parts(verdict):
        if part.status is not Status.FINE and part.reason.code != verdict.reason.code:
            by_code.setdefault(part.reason.code, []).append(part)
    lines = [f"* {plain(_where(parts))}: {plain(parts[0].reason.text)}." for parts in by_code.values()]
    if lines:
        st.markdown("\n".join(["**Also seen**", "", *lines]))


def _where(parts: Sequence[SizeVerdict | PairVerdict]) -> str:
    """The sizes that share a reason, or how many pairs do."""
    sizes = sorted({part.size_bytes for part in parts if isinstance(part, SizeVerdict)})
    if not sizes:
        return f"{len(parts)} pair{'s' if len(parts) > 1 else ''}"
    low, high = format_size(sizes[0]), format_size(sizes[-1])
    return low if low == high else f"{low} to {high} ({len(sizes)} sizes)"


def figures(verdict: RunVerdict) -> list[Figure]:
    """How many sizes or pairs have which verdict."""
    counts = Counter(part.status for part in _parts(verdict))
    return [
        Figure(str(status), f"{counts[status]:,}", MEANINGS[status]) for status in Status if counts[status]
    ]


def sizes(checked: Checked) -> None:
    """The table of message sizes."""
    if checked.verdict.sizes:
        frame = _size_table(checked.verdict, checked.busbw_factor)
        tables.show(
            frame,
            "Every message size with its verdict and reason",
            {"reason": st.column_config.TextColumn("reason", width="medium")},
            height=TABLE_HEIGHT,
        )


def _size_table(verdict: RunVerdict, factor: float | None) -> pd.DataFrame:
    def busbw(size_bytes: float, time_s: float | None) -> float | None:
        return tables.cell(factor * size_bytes / time_s, GB) if factor and time_s else None

    return pd.DataFrame(
        {
            "size": format_size(size.size_bytes),
            "placement": size.placement or NONE,
            "time (µs)": tables.cell(size.time_s, US),
            "p10 (µs)": tables.cell(size.low_s, US),
            "p90 (µs)": tables.cell(size.high_s, US),
            "busbw (GB/s)": busbw(size.size_bytes, size.time_s),
            "expected (GB/s)": busbw(size.size_bytes, size.expected_s),
            "verdict": str(size.status),
            "reason": short_cause(size.reason) or size.reason.text,
        }
        for size in verdict.sizes
    )


def pairs(verdict: RunVerdict) -> None:
    """The pairs that are not as expected."""
    odd = [pair for pair in verdict.pairs if pair.status is not Status.FINE]
    if verdict.pairs and not odd:
        st.markdown(f"All {len(verdict.pairs)} pairs are as expected.")
    if odd:
        height = "auto" if len(odd) <= FEW_ROWS else TABLE_HEIGHT
        tables.show(_pair_table(odd), "Pairs that are not as expected", height=height)


def _pair_table(pairs: Sequence[PairVerdict]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "table": pair.what,
            "from": pair.row,
            "to": pair.column or NONE,
            "measured (GB/s)": tables.cell(pair.measured_bytes_per_s, GB),
            "link rate (GB/s)": tables.cell(pair.expected_bytes_per_s, GB),
            "verdict": str(pair.status),
            "reason": short_cause(pair.reason) or pair.reason.text,
        }
        for pair in pairs
    )


def gate(system: System) -> None:
    """The same check as a command for a pipeline."""
    with st.expander("In a CI pipeline or acceptance test", icon=":material/terminal:"):
        option = "--system-file system.json" if system.yours else f"--system {system.id}"
        st.code(f"python -m gpu_probe check LOG {option}", language="bash")
        st.caption("Exit code 0: fine. 1: low, impossible or wrong. 2: unreadable.")
