"""An acceptance for the eye: the same page in shell and browser."""

import statistics
from collections import defaultdict
from collections.abc import Sequence

from core.units import counted, format_rate, whole_percent
from core.verdict.acceptance import Acceptance, Member
from core.verdict.records import Status

_MOST_NAMED, _PAIR = 3, 2
_MOST_RUNS = 40
"""A page with more runs lists those that are not fine, and says of the others what they reach."""


def acceptance_text(acceptance: Acceptance) -> str:
    """Counts, other GPUs, weak nodes and links, what to do, and a line for each run that is not fine."""
    counts = ", ".join(f"{count} {status}" for status, count in acceptance.counts.items()) or "none"
    lines = [f"{counted(len(acceptance.members), 'run')}: {counts}"]
    if acceptance.hosts:
        lines.append(f"{acceptance.fine_nodes} of {counted(len(acceptance.hosts), 'node')} without a finding")
    lines += _part(
        "nodes with another GPU", [f"{host}: {gpu}" for host, gpu in acceptance.other_gpus.items()]
    )
    lines += _part("weak nodes", [f"{host}: {few(runs)}" for host, runs in acceptance.weak_nodes.items()])
    lines += _part("weak links", [f"{a} to {b}" for a, b in acceptance.weak_links])
    lines += _part("weak, no node or link stands out", list(acceptance.unexplained))
    lines += _part("what to do", list(acceptance.swap))
    return "\n".join([*lines, *_runs(acceptance)])


def _part(title: str, texts: list[str]) -> list[str]:
    return [f"{title}:", *(f"  {text}" for text in texts)] if texts else []


def few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _runs(acceptance: Acceptance) -> list[str]:
    """Every run; of many those that are weak or not judged, and what the others reach."""
    members = acceptance.members
    if len(members) <= _MOST_RUNS:
        return ["runs:", *(f"  {_line(member)}" for member in members)]
    odd = [member for member in members if member.weak or member.status is Status.UNKNOWN]
    odd.sort(key=lambda member: (not member.weak, _is_of_weak_node(member, acceptance)))
    fine = [member for member in members if not (member.weak or member.status is Status.UNKNOWN)]
    shown = [f"  {_line(member)}" for member in odd[:_MOST_RUNS]]
    if len(odd) > _MOST_RUNS:
        shown.append(f"  and {len(odd) - _MOST_RUNS:,} more (--json lists all)")
    return [*(["weak or not judged:", *shown] if shown else []), *_summary(fine)]


def _is_of_weak_node(member: Member, acceptance: Acceptance) -> bool:
    """Whether a pair is weak by one of its nodes: what is not is told first."""
    return len(member.hosts) == _PAIR and bool(set(member.hosts) & set(acceptance.weak_nodes))


def _summary(fine: Sequence[Member]) -> list[str]:
    """What the fine runs reach, by the number of their hosts."""
    groups: dict[int, list[float]] = defaultdict(list)
    for member in fine:
        if member.busbw_bytes_per_s is not None:
            groups[len(member.hosts)].append(member.busbw_bytes_per_s)
    copies = sum(member.busbw_bytes_per_s is None for member in fine)
    lines = [
        f"  {counted(len(rates), 'run')} of {counted(hosts, 'host')}: {format_rate(min(rates))} to "
        f"{format_rate(max(rates))} busbw, median {format_rate(statistics.median(rates))}"
        for hosts, rates in sorted(groups.items())
    ]
    lines += [f"  {counted(copies, 'run')} of copies"] if copies else []
    return ["fine:", *lines] if lines else []


def _line(member: Member) -> str:
    """File, hosts, rate against its peers, verdict; ``?`` where nothing was judged."""
    rate = "" if member.busbw_bytes_per_s is None else f" {format_rate(member.busbw_bytes_per_s)}"
    share = "" if member.peer_share is None else f" ({whole_percent(member.peer_share)} of runs like it)"
    mark = "weak" if member.weak else "?" if member.status is Status.UNKNOWN else "ok"
    hosts = "+".join(member.hosts[:4]) + (f"+{len(member.hosts) - 4}" if len(member.hosts) > 4 else "")  # noqa: PLR2004 (as many as fit)
    return f"{mark:<5}{' '.join(filter(None, (member.name, hosts)))}{rate}{share}: {member.headline}"
