"""A job explained and replayed, in lines for people."""

import math

from core.job.explain import Explanation, KindTotal
from core.job.hang import Hang
from core.job.what_if import Answer, Outcome
from core.shell.output import facts, page, percent, remarks, table
from core.units import format_message, format_rate, format_time
from core.verdict import Status

MOST_RANKS, MOST_KINDS, MOST_WAITS, MOST_UNRECORDED = 16, 10, 8, 16


def explanation_text(told: Explanation) -> str:
    """Headline, shares by rank, the kinds that cost most, the straggler, what cannot be told."""
    return page(
        headline(told),
        _ranks(told),
        _kinds(told),
        remarks("Not as expected", verdict_lines(told)),
        straggler_line(told),
        remarks("Groups", _groups(told)),
        remarks("Note", told.remarks),
    )


def headline(told: Explanation) -> str:
    """The job in one sentence."""
    job = told.job
    size = f" of {job.world_size}" if job.world_size and job.world_size != len(job.ranks) else ""
    what = [job.format, f"{len(job.ranks)}{size} ranks" if job.ranks else "", job.device_name]
    who = ", ".join(part for part in what if part)
    if told.exposed_share is None:
        return f"{who}: {sum(total.calls for total in told.totals):,.0f} calls of a rank, no times of compute"
    exposed = f"exposed communication takes {percent(told.exposed_share)}"
    if told.step_s is None:
        return f"{who}: {exposed} of the trace"
    return f"{who}: a step takes {format_time(told.step_s)}; {exposed}"


def _ranks(told: Explanation) -> str:
    if not told.ranks:
        return ""
    per = "step" if told.steps else "trace"
    rows = [
        (
            shares.rank,
            *(
                format_time(value)
                for value in (shares.compute_s, shares.overlapped_s, shares.exposed_s, shares.idle_s)
            ),
            percent(shares.exposed_share),
        )
        for shares in told.per_step[:MOST_RANKS]
    ]
    header = ("rank", f"compute per {per}", "overlapped", "exposed", "idle", "exposed share")
    more = len(told.ranks) - MOST_RANKS
    return page(table(header, rows), f"... and {more} more ranks" if more > 0 else "")


def _kinds(told: Explanation) -> str:
    if not told.totals:
        return "No collectives."
    rows = [_kind_row(total) for total in told.costliest]
    header = (
        "call",
        "group",
        "ranks",
        "size",
        "calls",
        "exposed",
        "total",
        "one call",
        "busbw",
        "expected",
        "verdict",
    )
    more = len(told.totals) - MOST_KINDS
    return page(table(header, rows), f"... and {more} more kinds of call" if more > 0 else "")


def _kind_row(total: KindTotal) -> tuple[object, ...]:
    kind, verdict = total.kind, total.verdict
    expected = None if verdict is None or verdict.expected_s is None else format_time(verdict.expected_s)
    return (
        kind.operation,
        kind.parallelism,
        kind.ranks,
        None if kind.size_bytes < 0 else format_message(kind.size_bytes),
        f"{total.calls:,.4g}",
        _time(total.exposed_s),
        _time(total.total_s),
        _time(total.time_s),
        format_rate(total.bus_bytes_per_s) if math.isfinite(total.bus_bytes_per_s) else None,
        expected,
        None if verdict is None else str(verdict.status),
    )


def _time(seconds: float) -> str | None:
    return format_time(max(0.0, seconds)) if math.isfinite(seconds) else None


def verdict_lines(told: Explanation) -> list[str]:
    """The reasons of kinds that are not as expected, each once with how many kinds share it."""
    odd = (Status.LOW, Status.HIGH, Status.IMPOSSIBLE, Status.WRONG)
    reasons: dict[tuple[str, str], list[KindTotal]] = {}
    for total in told.totals:
        if total.verdict is not None and total.verdict.status in odd:
            key = (str(total.verdict.status), total.verdict.reason.text)
            reasons.setdefault(key, []).append(total)
    return [f"{status}: {_which(totals)}: {text}" for (status, text), totals in reasons.items()]


def _which(totals: list[KindTotal]) -> str:
    first = totals[0].kind
    name = f"{first.operation} of {format_message(first.size_bytes)}"
    return name if len(totals) == 1 else f"{name} and {len(totals) - 1} more"


def straggler_line(told: Explanation) -> str:
    """Who is waited for; empty where nobody is or it cannot be told."""
    late = told.straggler
    if late is None:
        return ""
    return (
        f"Straggler: rank {late.rank} comes last to {percent(late.share)} of its calls; "
        f"another rank waits {format_time(late.waited_s)} in its calls, on average"
    )


def _groups(told: Explanation) -> list[str]:
    lines = []
    for group, use in zip(told.job.groups, told.table.uses, strict=False):
        size = group.size or (len(group.ranks) if group.ranks else None)
        name = group.description or group.name or "without a name"
        lines.append(f"{use.parallelism}: {name}, {size or 'unknown'} ranks ({use.why})")
    return list(dict.fromkeys(lines))[:MOST_RANKS]


def answer_text(answer: Answer) -> str:
    """The step there: a sentence, the waterfall, the bounds, the assumptions."""
    gain = answer.today.step_s / answer.new.step_s if answer.new.step_s > 0 else math.inf
    first = (
        f"What if: a step takes {format_time(answer.new.step_s)} "
        f"({format_time(answer.low_s)} to {format_time(answer.high_s)}) instead of "
        f"{format_time(answer.today.step_s)}: {gain:.3g}x as fast; communication on the critical path "
        f"{percent(answer.new.critical_share)} instead of {percent(answer.today.critical_share)}"
    )
    return page(
        first, _waterfall(answer), _bounds(answer), remarks("Assumed", answer.assumptions), _basis(answer)
    )


def _waterfall(answer: Answer) -> str:
    rows: list[tuple[object, ...]] = [("today", format_time(answer.today.step_s))]
    rows += [(term.name, signed_time(term.change_s)) for term in answer.terms]
    rows.append(("there", format_time(answer.new.step_s)))
    return table(("step", "time"), rows)


def signed_time(seconds: float) -> str:
    """A change with its sign."""
    return f"{'-' if seconds < 0 else '+'}{format_time(abs(seconds))}"


def _bounds(answer: Answer) -> str:
    only = [(f"only {name} communication", format_time(seconds)) for name, seconds in answer.only_s.items()]
    return facts(
        [
            ("free communication", format_time(answer.free_s)),
            *only,
            ("best overlap", format_time(answer.best_overlap_s)),
            ("dollars per 1000 steps, today", _dollars(answer.today)),
            ("dollars per 1000 steps, there", _dollars(answer.new)),
        ]
    )


def _dollars(outcome: Outcome) -> str | None:
    usd = outcome.usd_per_1000_steps
    return None if usd is None else f"${usd:,.4g}"


def _basis(answer: Answer) -> str:
    return remarks("Note", [*answer.remarks, f"basis: {', '.join(answer.basis) or 'none'}"])


def hang_text(hang: Hang) -> str:
    """Who waits for whom, the first missing call, sizes that differ."""
    blamed = ", ".join(f"rank {rank} ({groups} groups)" for rank, groups in hang.culprits[:MOST_WAITS])
    waits = [
        f"{wait.description or wait.group} ({wait.parallelism}): ranks {_listed(wait.waiting)} wait in call "
        f"{wait.sequence:,} ({wait.operation}, {_bytes(wait.size_bytes)}) for "
        f"{_listed(wait.missing) or 'ranks without a record'}"
        for wait in hang.waits[:MOST_WAITS]
    ]
    different = [
        f"group {item.group}, call {item.sequence:,}: "
        + ", ".join(f"rank {rank} {name} of {_bytes(size)}" for rank, name, size in item.calls[:MOST_WAITS])
        for item in hang.mismatches[:MOST_WAITS]
    ]
    return page(
        f"Waited for: {blamed}"
        if blamed
        else f"{hang.unblamed}; {hang.unfinished:,} calls have not completed.",
        unrecorded_line(hang),
        remarks("First missing call", waits),
        remarks("Calls that differ between ranks", different),
    )


def unrecorded_line(hang: Hang) -> str:
    """Which ranks left no record; "" where all did."""
    if not hang.unrecorded:
        return ""
    more = len(hang.unrecorded) - MOST_UNRECORDED
    named = _listed(hang.unrecorded[:MOST_UNRECORDED])
    return f"No record of rank {named}{f' and {more:,} others' if more > 0 else ''}."


def _listed(ranks: tuple[int, ...]) -> str:
    return ", ".join(map(str, ranks))


def _bytes(size_bytes: int) -> str:
    return "bytes unknown" if size_bytes < 0 else format_message(size_bytes)
