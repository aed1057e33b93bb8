"""``accept``: many logs of a cluster to one page: fine, weak links, weak nodes, what to swap."""

import argparse
import json
from typing import Any

from core.verdict.acceptance import Acceptance, Member, accept
from core.verdict.acceptance_text import acceptance_text
from gpu_probe.commands import check


def add_options(parser: argparse.ArgumentParser) -> None:
    """As ``check``: the logs of all nodes, pairs and groups, and the system that they should be."""
    check.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """0 all fine, 1 something weak, 2 unreadable or nothing to judge."""
    answer = check.judge_files(options)
    if answer is None:
        return 2
    judged, unreadable = answer
    acceptance = accept([(measured, verdict) for measured, verdict, _ in judged])
    page = acceptance_json(acceptance) | {"unread_files": unreadable}
    unread = f"\nnot on this page, one line each on stderr: {_files(unreadable)}" if unreadable else ""
    print(json.dumps(page, allow_nan=False) if options.json else acceptance_text(acceptance) + unread)
    status = check.exit_status([verdict.status for _, verdict, _ in judged], unreadable)
    return 1 if status == 0 and any(member.weak for member in acceptance.members) else status


def acceptance_json(acceptance: Acceptance) -> dict[str, Any]:
    """The page as ``--json`` prints it, rates in GB/s."""
    return {
        "counts": acceptance.counts,
        "weak_nodes": {host: list(names) for host, names in acceptance.weak_nodes.items()},
        "weak_links": [list(link) for link in acceptance.weak_links],
        "unexplained": list(acceptance.unexplained),
        "swap": list(acceptance.swap),
        "runs": [_run(member) for member in acceptance.members],
    }


def _run(member: Member) -> dict[str, Any]:
    rate, share = member.busbw_bytes_per_s, member.peer_share
    return {
        "file": member.name,
        "hosts": list(member.hosts),
        "verdict": str(member.status),
        "headline": member.headline,
        "busbw_GBps": None if rate is None else float(f"{rate / 1e9:.6g}"),
        "share_of_peers": None if share is None else round(share, 4),
        "weak": member.weak,
    }


def _files(count: int) -> str:
    return f"{count} file{'s' if count != 1 else ''} not judged"
