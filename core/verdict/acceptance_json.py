"""An acceptance for programs: the same page in shell and HTTP."""

from typing import Any

from core.verdict.acceptance import Acceptance, Member


def acceptance_json(acceptance: Acceptance) -> dict[str, Any]:
    """The page as ``--json`` prints it, rates in GB/s."""
    return {
        "counts": acceptance.counts,
        "weak_nodes": {host: list(names) for host, names in acceptance.weak_nodes.items()},
        "weak_links": [list(link) for link in acceptance.weak_links],
        "other_gpus": acceptance.other_gpus,
        "nodes": len(acceptance.hosts),
        "fine_nodes": acceptance.fine_nodes,
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
