"""``accept``: many logs of a cluster to one page: fine, weak links, weak nodes, what to swap."""

import argparse
import json

from core.command_line import harmless
from core.verdict.acceptance import accept
from core.verdict.acceptance_json import acceptance_json
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
    print(
        json.dumps(page, allow_nan=False) if options.json else harmless(acceptance_text(acceptance) + unread)
    )
    status = check.exit_status([verdict.status for _, verdict, _ in judged], unreadable)
    return 1 if status == 0 and any(member.weak for member in acceptance.members) else status


def _files(count: int) -> str:
    return f"{count} file{'s' if count != 1 else ''} not judged"
