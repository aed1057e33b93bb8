"""The page Job in words and tables: headline, figures, calls against the model, ranks, groups, who waits for whom."""

from collections.abc import Iterable
from math import isfinite

import pandas as pd
import streamlit as st

from core.collectives.question import FabricQuestion
from core.job.beside import degrees
from core.job.explain import Explanation, KindTotal
from core.job.hang import Hang
from core.job.shares import TimeShares
from core.shell.job_text import headline as sentence
from core.shell.job_text import straggler_line, unrecorded_line, verdict_lines
from core.units import GB, MS, US, format_share, format_size, format_time
from core.verdict import Status
from core.verdict.headline import short_cause
from db.records import JobRow
from pages.ui.check.details import NONE
from pages.ui.check.summary import ICONS
from pages.ui.job import kept, plots
from pages.ui.job.inputs import Traced
from pages.ui.shared import answer, empty_state, kept_jobs, names, record, tables, your_job
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain
from pages.ui.shared.navigation import PAGES
from pages.ui.shared.sections import Section

PROFILE = """# a trace of every rank, your program unchanged:
#   python -m gpu_probe profile -- torchrun train.py
# or PyTorch's profiler around a few of its steps:
with torch.profiler.profile(
    schedule=torch.profiler.schedule(wait=5, warmup=2, active=3, repeat=1), record_shapes=True
) as profiler:
    for batch in batches:
        train(batch)
        profiler.step()
profiler.export_chrome_trace(f"rank{rank}.json.gz")"""
NO_GPU = (
    "The trace shows no GPU: its calls are compared with no system, and a line through them prices others."
)
TABLE_HEIGHT = 360
"""Rows beyond this are scrolled."""


def empty() -> None:
    """What the page needs."""
    empty_state.show(
        "No trace yet: upload the traces of a job, one file a rank. PyTorch makes them so:", PROFILE
    )


def headline(told: Explanation, here: FabricQuestion | None) -> None:
    """The job in a sentence, the call that costs most, the straggler."""
    reasons = [_costliest(told), straggler_line(told)]
    answer.headline(
        Headline(sentence(told), " ".join(f"{reason}." for reason in reasons if reason), icon=_icon(told)),
        note=NO_GPU
        if here is None
        else f"Calls are compared with {here.system.name}, the question's system.",
        origin="measured",
    )


def _icon(told: Explanation) -> str:
    statuses = [total.verdict.status for total in told.totals if total.verdict is not None]
    worst = next(
        (status for status in (Status.IMPOSSIBLE, Status.LOW, Status.FINE) if status in statuses), None
    )
    return ICONS[worst or Status.UNKNOWN]


def _costliest(told: Explanation) -> str:
    """The kind of call that is exposed most."""
    if not told.totals or not isfinite(told.totals[0].exposed_s) or told.totals[0].exposed_s <= 0:
        return ""
    total = told.totals[0]
    size = f" of {format_size(total.kind.size_bytes)}" if total.kind.size_bytes >= 0 else ""
    verdict = f"; {total.verdict.status}" if total.verdict is not None else ""
    exposed = sum(each.exposed_s for each in told.totals if isfinite(each.exposed_s))
    share = format_share(min(1.0, total.exposed_s / exposed))
    return f"{names.operation(total.kind.operation).capitalize()}{size} makes {share} of it{verdict}"


def figures(told: Explanation) -> list[Figure]:
    """A mean step in parts, and how many calls there are."""
    shares = told.per_step
    if not shares:
        return [Figure("Calls of a rank", f"{sum(total.calls for total in told.totals):,.0f}")]
    return [
        Figure(
            "Step" if told.step_s else "Trace", _mean(shares, "duration_s"), "The mean over steps and ranks."
        ),
        Figure("Compute", _mean(shares, "compute_s"), "Union of all kernels that are no collective."),
        Figure("Overlapped", _mean(shares, "overlapped_s"), "Communication behind compute."),
        Figure("Exposed", _mean(shares, "exposed_s"), "Communication without compute beside it."),
        Figure("Idle", _mean(shares, "idle_s"), "Neither compute nor communication."),
        Figure("Calls of a rank", f"{sum(total.calls for total in told.totals):,.0f}", "In the whole trace."),
    ]


def _mean(shares: Iterable[TimeShares], name: str) -> str:
    values = [float(getattr(share, name)) for share in shares]
    return format_time(sum(values) / len(values))


def remarks(told: Explanation) -> None:
    """What cannot be told from this trace."""
    record.current().warnings += told.remarks
    for line in told.remarks:
        st.caption(f":material/info: {plain(line)}")


def keeping(traced: Traced) -> None:
    """The way into the store, or out of it."""
    if traced.row is None:
        kept.offer(traced.job, traced.name)
    else:
        kept.manage(traced.row)


def sections(told: Explanation, row: JobRow | None = None) -> tuple[Section, ...]:
    """The tabs of what the trace tells."""
    return (
        Section("Calls against the model", lambda: calls(told)),
        Section("Bus bandwidth vs size", lambda: plots.bandwidth(told)),
        Section("Ranks and steps", lambda: ranks(told)),
        Section("Groups", lambda: groups(told)),
        Section("Bytes per step", lambda: step_traffic(told, row)),
    )


def calls(told: Explanation) -> None:
    """Every kind of call with its verdict, the costliest first."""
    if not told.totals:
        st.markdown("The trace shows no collectives.")
        return
    tables.show(
        pd.DataFrame(_call_row(total) for total in told.totals),
        "Kinds of call by exposed time: bytes, time, bus bandwidth, expectation and verdict",
        height=TABLE_HEIGHT if len(told.totals) > 8 else "auto",
    )
    for line in verdict_lines(told):
        st.markdown(f"* {plain(line)}.")
    st.caption(
        "One call: on the wire where all ranks are here (the shortest rank's time), else of the fastest call. "
        "Sizes as nccl-tests counts them."
    )


def _call_row(total: KindTotal) -> dict[str, object]:
    kind, verdict = total.kind, total.verdict
    return {
        "call": names.operation(kind.operation),
        "group": kind.parallelism,
        "ranks": kind.ranks,
        "size": format_size(kind.size_bytes) if kind.size_bytes >= 0 else NONE,
        "type": kind.dtype or NONE,
        "calls": total.calls,
        "exposed (ms)": _cell(total.exposed_s, MS),
        "total (ms)": _cell(total.total_s, MS),
        "waiting (ms)": _cell(total.waiting_s, MS),
        "one call (µs)": _cell(total.time_s, US),
        "expected (µs)": None if verdict is None else tables.cell(verdict.expected_s, US),
        "busbw (GB/s)": _cell(total.bus_bytes_per_s, GB),
        "verdict": NONE if verdict is None else str(verdict.status),
        "reason": NONE if verdict is None else short_cause(verdict.reason) or verdict.reason.text,
    }


def _cell(value: float, unit: float) -> float | None:
    return tables.cell(value, unit) if isfinite(value) else None


def ranks(told: Explanation) -> None:
    """The mean step of each rank, and every step."""
    if not told.ranks:
        st.markdown("The trace tells no times of compute.")
        return
    tables.show(
        pd.DataFrame(_shares_row(each) for each in told.per_step), "Mean step of each rank in its parts"
    )
    if told.steps:
        tables.show(
            pd.DataFrame({"step": each.step} | _shares_row(each) for each in told.steps),
            "Every step of every rank in its parts",
            height=TABLE_HEIGHT if len(told.steps) > 8 else "auto",
        )
    st.markdown(plain(straggler_line(told)))


def _shares_row(shares: TimeShares) -> dict[str, object]:
    return {
        "rank": shares.rank,
        "length (ms)": tables.cell(shares.duration_s, MS),
        "compute (ms)": tables.cell(shares.compute_s, MS),
        "overlapped (ms)": tables.cell(shares.overlapped_s, MS),
        "exposed (ms)": tables.cell(shares.exposed_s, MS),
        "idle (ms)": tables.cell(shares.idle_s, MS),
        "exposed (%)": tables.cell(100 * shares.exposed_share),
    }


def groups(told: Explanation) -> None:
    """What each group is for, and what tells so."""
    rows = [
        {
            "parallelism": str(use.parallelism),
            "group": group.description or group.name or NONE,
            "ranks": ", ".join(map(str, group.ranks)) if group.ranks else NONE,
            "size": group.size or (len(group.ranks) if group.ranks else None),
            "because": use.why,
        }
        for group, use in zip(told.job.groups, told.table.uses, strict=False)
    ]
    if not rows:
        st.markdown("The trace names no groups.")
        return
    tables.show(pd.DataFrame(rows), "Process groups, what they are for, and what tells so")


def step_traffic(told: Explanation, row: JobRow | None) -> None:
    """What a step sends, and the way to what its exposed share costs and to the calculated step."""
    if not told.totals:
        st.markdown("The trace shows no collectives.")
        return
    tables.show(your_job.sent(told), "Communication of one step of one rank by group, operation and size")
    if told.exposed_share:
        percent = f"{100 * told.exposed_share:.4g}"
        st.page_link(
            PAGES / "cost.py",
            label="What this exposed share costs",
            icon=":material/payments:",
            query_params={"money_from": "share", "lost_percent": percent},
        )
    if row is None:
        st.caption("Keep this job to lay its step beside the calculated one in Training step and Layouts.")
    elif told.ranks:
        st.page_link(
            PAGES / "training.py",
            label="Beside the calculated step",
            icon=":material/compare_arrows:",
            query_params={kept_jobs.KEY: str(row.id), "tab": your_job.TITLE, **_layout(told)},
        )


def _layout(told: Explanation) -> dict[str, str]:
    """GPUs and degrees of the traced job, as far as it tells them, in the names of the page Training step."""
    sizes = degrees(told)
    world = told.job.world_size
    values = {"gpus": world} | {
        f"train_{name.lower()}": sizes.get(name, 1) for name in ("TP", "PP", "CP", "EP")
    }
    values |= {} if sizes.get("PP", 1) > 1 else {"train_vpp": 1}
    return {} if world is None else {name: str(value) for name, value in values.items()}


def hang(stuck: Hang) -> None:
    """Who waits for whom in a job that stood still."""
    blamed = ", ".join(f"rank {rank}" for rank, _ in stuck.culprits[:4])
    answer.headline(
        Headline(
            f"The others wait for {blamed}" if blamed else stuck.unblamed,
            f"{stuck.unfinished:,} calls have not completed. {unrecorded_line(stuck)}".strip(),
            icon=ICONS[Status.LOW if blamed or stuck.mismatches else Status.UNKNOWN],
        ),
        origin="measured",
    )
    if stuck.waits:
        rows = [
            {
                "group": wait.description or wait.group,
                "parallelism": wait.parallelism,
                "waiting": ", ".join(map(str, wait.waiting)),
                "missing": ", ".join(map(str, wait.missing)) or NONE,
                "no record": ", ".join(map(str, wait.absent)) or NONE,
                "first missing call": wait.sequence,
                "operation": names.operation(wait.operation),
                "size": format_size(wait.size_bytes) if wait.size_bytes >= 0 else NONE,
            }
            for wait in stuck.waits
        ]
        tables.show(pd.DataFrame(rows), "First missing call of each group, who waits and for whom")
    if stuck.mismatches:
        rows = [
            {
                "group": item.group,
                "call": item.sequence,
                "rank": rank,
                "operation": names.operation(operation),
                "size": format_size(size) if size >= 0 else NONE,
            }
            for item in stuck.mismatches
            for rank, operation, size in item.calls
        ]
        tables.show(pd.DataFrame(rows), "Calls whose operation or size differs between ranks")
