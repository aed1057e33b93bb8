"""``--job``: a traced job beside calculated training steps, its parts and what both send."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core import units
from core.calculators.training import Scenario, answer, step_calls
from core.command_line import Parser
from core.job.beside import beside, unlike
from core.job.calls_beside import Sent, differences, sent_beside
from core.job.explain import Explanation, explain
from core.shell.output import page, remarks, table
from core.shell.read import job_of

Json = dict[str, Any]


def add(parser: Parser) -> None:
    """The option."""
    parser.add_argument(
        "--job",
        nargs="+",
        metavar="TRACE",
        help="your job: traces of it, or a job file, whose step stands beside the calculated one",
    )


def traced(args: Namespace) -> Explanation | None:
    """The job of the option explained, where it is given; raises InputError for what is no trace."""
    return None if args.job is None else explain(job_of(args.job))


def job_json(told: Explanation, steps: Mapping[str, Scenario]) -> Json:
    """
    Parts of the step, calls and bytes: traced, and in each calculated step by its name.

    Raises:
        InputError: The trace tells no times of compute.
    """
    names = list(steps)
    answers = [answer(scenario) for scenario in steps.values()]
    rows = sent_beside(told, [step_calls(scenario) for scenario in steps.values()])
    return {
        "steps": names,
        "parts": [
            {
                "name": part.name,
                "traced_s": part.measured_s,
                "calculated_s": list(part.calculated_s),
            }
            for part in beside(told, answers)
        ],
        "sent": [
            {
                "parallelism": row.parallelism,
                "operation": row.operation,
                "traced": _sent(row.traced),
                "calculated": [_sent(entry) for entry in row.calculated],
            }
            for row in rows
        ],
        "remarks": [*differences(rows), *unlike(told, answers[0]), *told.remarks],
    }


def job_text(told: Json) -> str:
    """The same for people."""
    names: Sequence[str] = told["steps"]
    parts = [(part["name"], *map(_time, (part["traced_s"], *part["calculated_s"]))) for part in told["parts"]]
    sent = [
        (
            f"{row['parallelism']} {row['operation']}",
            *(cell for side in (row["traced"], *row["calculated"]) for cell in _cells(side)),
        )
        for row in told["sent"]
    ]
    short = [name.rsplit(", ", 1)[-1] for name in names]
    sides = [cell for name in ("traced", *short) for cell in (f"{name}: calls", "bytes")]
    return page(
        f"Your job beside {' and '.join(names)}:",
        table(("part of a step", "traced", *short), parts),
        table(("sent by a GPU in a step", *sides), sent) if sent else "",
        remarks("Note", told["remarks"]),
    )


def _sent(entry: Sent | None) -> Json | None:
    return None if entry is None else asdict(entry)


def _cells(entry: Json | None) -> tuple[str | None, str | None]:
    calls, size = (None, None) if entry is None else (entry["calls"], entry["bytes"])
    return (
        None if calls is None else units.format_number(calls),
        None if size is None else units.format_memory(size),
    )


def _time(seconds: float | None) -> str | None:
    # NaN is what the trace does not tell
    return None if seconds is None or seconds != seconds else units.format_time(seconds)  # noqa: PLR0124
