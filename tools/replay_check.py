"""
``python -m tools.replay_check``: a job over gloo with other buckets and groups, predicted from each other.

Every process runs all settings in turn, a step of each a round (``tools.replay_job``), so that whatever else
the machine does falls on all of them alike. Rounds that it disturbed most are left out for all of them.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from core.job.change import Change
from core.job.explain import Explanation, explain
from core.job.trace_fit import fit_trace
from core.job.what_if import what_if
from core.traces.detect import read_job
from tools.replay_options import MARK, MIB, Setting, add, words

WITHIN = 0.15


def settings(args: argparse.Namespace) -> list[Setting]:
    """Both sizes of group with both sizes of bucket."""
    return [Setting(ranks, bucket) for ranks in args.ranks for bucket in args.buckets]


def traces(args: argparse.Namespace, folder: Path) -> list[list[bytes]]:
    """For each setting the trace of every rank, of the rounds that the machine disturbed least."""
    every = [json.loads((folder / f"rank{rank}.json").read_text()) for rank in range(max(args.ranks))]
    marks = [_marks(trace) for trace in every]
    count = len(settings(args))
    lengths = np.array([[mark["dur"] for mark in own] for own in marks]).mean(axis=0).reshape(-1, count)
    calm = set(np.argsort(lengths.sum(axis=1))[: max(1, len(lengths) * 2 // 3)].tolist())
    return [
        [
            _of_setting(trace, own[index::count], calm, setting, rank)
            for rank, (trace, own) in enumerate(zip(every, marks, strict=True))
        ]
        for index, setting in enumerate(settings(args))
    ]


def _marks(trace: Any) -> list[Any]:
    marks = [event for event in trace["traceEvents"] if str(event.get("name")).startswith(MARK)]
    return sorted((mark for mark in marks if mark.get("ph") == "X"), key=lambda mark: float(mark["ts"]))


def _of_setting(trace: Any, marks: Sequence[Any], calm: set[int], setting: Setting, rank: int) -> bytes:
    """A trace of these steps alone, one behind the other."""
    events, at = [], 0.0
    whole = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
    starts = np.array([float(event["ts"]) for event in whole])
    for number, mark in enumerate(marks):
        if number not in calm:
            continue
        begin, length = float(mark["ts"]), float(mark["dur"])
        inside = np.flatnonzero((starts >= begin) & (starts <= begin + length)).tolist()
        events += [whole[place] | {"ts": starts[place] - begin + at} for place in inside]
        at += length
    first = rank - rank % setting.ranks
    group = {
        "pg_name": f"{first}",
        "pg_desc": "DATA_PARALLEL_GROUP",
        "pg_size": setting.ranks,
        "ranks": list(range(first, first + setting.ranks)),
    }
    told = trace["distributedInfo"] | {"pg_config": [group]}
    return json.dumps({"schemaVersion": 1, "distributedInfo": told, "traceEvents": events}).encode()


@dataclass(frozen=True, slots=True)
class Prediction:
    """
    One setting predicted from another.

    Attributes:
        run: Number of the run.
        basis: Whose trace it is.
        target: What was predicted.
        step: Predicted over measured step.
        wire: Predicted over measured time on the wire, all calls of a step together.
        is_inside: Whether the measured step lies in the interval.
    """

    run: int
    basis: Setting
    target: Setting
    step: float
    wire: float
    is_inside: bool


def predictions(run: int, told: Sequence[tuple[Setting, Explanation]]) -> Iterator[Prediction]:
    """Every setting from every other one."""
    for basis, traced in told:
        for target, truth in told:
            if basis == target:
                continue
            change = Change(
                compute_factor=1.0,
                ranks={} if basis.ranks == target.ranks else {"DP": target.ranks},
                bucket_bytes=None if basis.bucket_mib == target.bucket_mib else target.bucket_mib * MIB,
            )
            answer = what_if(traced.job, change, traced)
            fit = fit_trace(traced.totals)
            if fit is None or truth.step_s is None:
                continue
            priced_s = fit.prices([total.kind for total in truth.totals]).time_s
            calls = np.array([total.calls for total in truth.totals])
            wire_s = np.array([total.time_s for total in truth.totals])
            yield Prediction(
                run,
                basis,
                target,
                answer.new.step_s / truth.step_s,
                float((calls * priced_s).sum() / (calls * wire_s).sum()),
                answer.low_s <= truth.step_s <= answer.high_s,
            )


def measured(args: argparse.Namespace, run: int) -> list[tuple[Setting, Explanation]]:
    """One run of all processes, explained for each setting."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.replay_job", "--folder", folder, *words(args)]
        ranks = [
            subprocess.Popen([*command, "--rank", str(rank)], env={"OMP_NUM_THREADS": "1"} | os.environ)
            for rank in range(max(args.ranks))
        ]
        if sum(process.wait() for process in ranks):
            message = f"run {run}: a rank failed"
            raise SystemExit(message)
        return [
            (
                setting,
                explain(read_job([(f"rank{rank}.json", BytesIO(data)) for rank, data in enumerate(own)])),
            )
            for setting, own in zip(settings(args), traces(args, Path(folder)), strict=True)
        ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, predict, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2, help="how often all settings are run and predicted")
    add(parser)
    args = parser.parse_args(arguments)
    every: list[Prediction] = []
    for run in range(args.runs):
        told = measured(args, run)
        for setting, traced in told:
            say(f"run {run}: {setting}: {_described(traced)}")
        every += predictions(run, told)
    for item in every:
        inside = "in" if item.is_inside else "outside"
        say(
            f"run {item.run}: {item.basis} -> {item.target}: step {item.step:.3f} of measured, "
            f"{inside} the interval; wire {item.wire:.3f}"
        )
    say(f"{sum(item.is_inside for item in every)} of {len(every)} steps lie in their interval")
    for name in ("step", "wire"):
        errors = [abs(getattr(item, name) - 1) for item in every]
        held = sum(error <= WITHIN for error in errors)
        say(
            f"{name}: {held} of {len(errors)} within {WITHIN:.0%}, median error {median(errors):.1%}, "
            f"largest {max(errors):.1%}"
        )


def _described(traced: Explanation) -> str:
    """Step, exposed share and calls of a traced setting."""
    calls = ", ".join(
        f"{total.calls:g} all-reduces of {total.kind.size_bytes / MIB:g} MiB in {1e3 * total.time_s:.3g} ms"
        for total in traced.totals
    )
    return f"step {1e3 * (traced.step_s or 0):.1f} ms, {traced.exposed_share or 0:.0%} exposed; {calls}"


def say(line: str) -> None:
    """A line of the report, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
