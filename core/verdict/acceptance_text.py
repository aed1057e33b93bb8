"""An acceptance for the eye: the same page in shell and browser."""

from core.units import counted, format_rate, whole_percent
from core.verdict.acceptance import Acceptance, Member
from core.verdict.records import Status


def acceptance_text(acceptance: Acceptance) -> str:
    """Counts, weak nodes and links, what to do, and a line for each run."""
    counts = ", ".join(f"{count} {status}" for status, count in acceptance.counts.items()) or "none"
    lines = [f"{counted(len(acceptance.members), 'run')}: {counts}"]
    lines += _part(
        "weak nodes", [f"{host}: {', '.join(runs)}" for host, runs in acceptance.weak_nodes.items()]
    )
    lines += _part("weak links", [f"{a} to {b}" for a, b in acceptance.weak_links])
    lines += _part("weak, no node or link stands out", list(acceptance.unexplained))
    lines += _part("what to do", list(acceptance.swap))
    lines.append("runs:")
    lines += [f"  {_line(member)}" for member in acceptance.members]
    return "\n".join(lines)


def _part(title: str, texts: list[str]) -> list[str]:
    return [f"{title}:", *(f"  {text}" for text in texts)] if texts else []


def _line(member: Member) -> str:
    """File, hosts, rate against its peers, verdict; ``?`` where nothing was judged."""
    rate = "" if member.busbw_bytes_per_s is None else f" {format_rate(member.busbw_bytes_per_s)}"
    share = "" if member.peer_share is None else f" ({whole_percent(member.peer_share)} of runs like it)"
    mark = "weak" if member.weak else "?" if member.status is Status.UNKNOWN else "ok"
    hosts = "+".join(member.hosts[:4]) + (f"+{len(member.hosts) - 4}" if len(member.hosts) > 4 else "")  # noqa: PLR2004 (as many as fit)
    return f"{mark:<5}{' '.join(filter(None, (member.name, hosts)))}{rate}{share}: {member.headline}"
