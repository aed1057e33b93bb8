"""A job explained and replayed as plain values in SI units, for ``--json`` and other programs."""

from dataclasses import asdict
from typing import Any

from core.job.explain import Explanation, KindTotal
from core.job.hang import Hang
from core.job.traffic import traffic
from core.job.what_if import Answer, Outcome

Json = dict[str, Any]


def explanation_json(told: Explanation) -> Json:
    """What a trace tells: shares by rank and step, totals by kind with verdicts, straggler, remarks."""
    job = told.job
    return {
        "format": job.format,
        "ranks": [trace.rank for trace in job.ranks],
        "world_size": job.world_size,
        "device": job.device_name,
        "step_s": told.step_s,
        "exposed_share": told.exposed_share,
        "rank_shares": [_shares(shares) for shares in told.ranks],
        "mean_step_shares": [_shares(shares) for shares in told.per_step],
        "step_shares": [_shares(shares) for shares in told.steps],
        "groups": [
            asdict(group) | {"parallelism": str(use.parallelism), "why": use.why}
            for group, use in zip(job.groups, told.table.uses, strict=False)
        ],
        "calls": [_total(total) for total in told.totals],
        "step_traffic": [
            {
                "parallelism": part.kind.parallelism,
                "operation": part.kind.operation,
                "ranks": part.kind.ranks,
                "size_bytes": None if part.kind.size_bytes < 0 else part.kind.size_bytes,
                "calls": part.calls,
                "bytes": part.bytes,
                "exposed_s": part.exposed_s,
            }
            for part in traffic(told)
        ],
        "straggler": None if told.straggler is None else asdict(told.straggler),
        "remarks": list(told.remarks),
    }


def _shares(shares: Any) -> Json:
    return asdict(shares) | {"exposed_share": shares.exposed_share}


def _total(total: KindTotal) -> Json:
    verdict = total.verdict
    judged = {
        "expected_s": None if verdict is None else verdict.expected_s,
        "low_s": None if verdict is None else verdict.low_s,
        "high_s": None if verdict is None else verdict.high_s,
        "verdict": None if verdict is None else str(verdict.status),
        "reason": None if verdict is None else asdict(verdict.reason),
    }
    return {
        "parallelism": total.kind.parallelism,
        "operation": total.kind.operation,
        "ranks": total.kind.ranks,
        "size_bytes": None if total.kind.size_bytes < 0 else total.kind.size_bytes,
        "dtype": total.kind.dtype,
        "calls": total.calls,
        "total_s": total.total_s,
        "exposed_s": total.exposed_s,
        "waiting_s": total.waiting_s,
        "time_s": total.time_s,
        "busbw_bytes_per_s": total.bus_bytes_per_s,
        **judged,
        "excess_s": total.excess_s,
    }


def answer_json(answer: Answer) -> Json:
    """The step there: outcome, interval, bounds, waterfall, ratios."""
    return {
        "today": _outcome(answer.today),
        "new": _outcome(answer.new),
        "low_s": answer.low_s,
        "high_s": answer.high_s,
        "replay_error": answer.replay_error,
        "free_communication_s": answer.free_s,
        "best_overlap_s": answer.best_overlap_s,
        "only_s": dict(answer.only_s),
        "compute": asdict(answer.compute),
        "waterfall": [asdict(term) for term in answer.terms],
        "calls": [
            {
                "parallelism": change.kind.parallelism,
                "operation": change.kind.operation,
                "ranks": change.kind.ranks,
                "ranks_there": change.there.ranks,
                "size_bytes": None if change.kind.size_bytes < 0 else change.kind.size_bytes,
                "expected_here_s": change.expected_here_s,
                "expected_there_s": change.expected_there_s,
                "ratio": change.ratio,
            }
            for change in answer.changes
        ],
        "basis": list(answer.basis),
        "assumptions": list(answer.assumptions),
        "remarks": list(answer.remarks),
    }


def _outcome(outcome: Outcome) -> Json:
    return asdict(outcome) | {"critical_share": outcome.critical_share}


def hang_json(hang: Hang) -> Json:
    """Who waits for whom."""
    return asdict(hang)
