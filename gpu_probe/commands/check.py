"""``check``: a gate in a pipeline; does this system do what it should?"""

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import groupby

from core.checks import InputError
from core.collectives.rates import Rates
from core.command_line import harmless, one_line
from core.hardware import System
from core.measurement import Run
from core.shell import question
from core.shell.options import add_cluster
from core.verdict import EVIDENCE_CODE, RunVerdict, Status, judge_runs
from core.verdict.as_measured import as_measured
from core.verdict.machines import by_machine
from core.verdict.recognition import system_of_file, with_stated_nics
from core.verdict.report import file_reports, verdict_text
from core.verdict.system_match import SystemMatch
from gpu_probe.commands.files import add_file_options, complain, read_files

Judged = list[tuple[Run, RunVerdict, SystemMatch]]
_FAILED = (Status.LOW, Status.IMPOSSIBLE, Status.WRONG)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``check``: the files and the system that they are compared with."""
    add_file_options(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--system", metavar="ID", help="catalog id of the system (default: as each log tells)")
    which.add_argument("--system-file", metavar="FILE.json", help="your own system, as JSON")
    add_cluster(parser, domains="as the run needs")
    parser.add_argument(
        "--rates", default="calibrated", metavar="RATES", help="calibrated | spec | fitted:FILE"
    )
    parser.add_argument("--implementation", default="nccl", help="library that ran (nccl)")
    parser.add_argument("--launch", default="stream", help="stream | graph")


def run(options: argparse.Namespace) -> int:
    """0 fine, 1 low, impossible or wrong, 2 unreadable or nothing to judge."""
    answer = judge_files(options, as_logged=True)
    if answer is None:
        return 2
    judged, unreadable = answer
    reports = file_reports((run, verdict, match.system, match.remark) for run, verdict, match in judged)
    if options.json:
        print(json.dumps(reports, allow_nan=False))
    else:
        told = [report for report in reports if report["reason"] != EVIDENCE_CODE]
        print(harmless("\n".join(map(verdict_text, told))), end="\n" if told else "")
    for measured, verdict, _ in judged:
        if verdict.status is Status.UNKNOWN:
            complain(measured.file, f"not judged: {verdict.reason.text}")
    return exit_status([verdict.status for _, verdict, _ in judged], unreadable)


def judge_files(options: argparse.Namespace, *, as_logged: bool = False) -> tuple[Judged, int] | None:
    """Each run with its verdict and system, how many files were not judged; None for a bad option."""
    try:
        named = options.system is not None or options.system_file is not None
        system = question.system(options) if named else None
        rates = question.rates_named(options.rates)
        runs, unreadable = read_files(options)
        judged, unnamed = _judged(runs, system, rates, options, as_logged=as_logged)
        return judged, unreadable + unnamed
    except (InputError, OSError) as error:
        print(f"python -m gpu_probe {options.command}: {one_line(error)}", file=sys.stderr)
        return None


def exit_status(statuses: Sequence[Status], unreadable: int) -> int:
    """0 fine, 1 low, impossible or wrong, 2 unreadable or nothing to judge."""
    if unreadable or all(status is Status.UNKNOWN for status in statuses):
        return 2
    return 1 if any(status in _FAILED for status in statuses) else 0


def _judged(
    runs: Sequence[Run],
    system: System | None,
    rates: Rates,
    options: argparse.Namespace,
    *,
    as_logged: bool,
) -> tuple[Judged, int]:
    """
    Each run with its verdict and system, those of a file judged together; and how many files name no system.

    Where no system is named, each file is judged on the one that its log describes, and a log of
    several machines run by run.
    """
    how = {"rates": rates, "implementation": options.implementation, "launch": options.launch}
    judged: Judged = []
    unnamed = 0
    for file, group in groupby(runs, key=lambda run: run.file):
        members = list(group)
        together = [list(range(len(members)))] if system is not None else by_machine(members)
        found: dict[int, tuple[Run, RunVerdict, SystemMatch]] = {}
        for places in together:
            same = [members[place] for place in places]
            if system is None:
                match = _of_log(file, same, options)
            else:
                match = _named(file, same, system) if as_logged else SystemMatch(system, "")
            if match is None or match.system is None:
                unnamed += 1
                continue
            verdicts = judge_runs(same, match.system, **how)
            found |= {
                place: (run, verdict, match)
                for place, run, verdict in zip(places, same, verdicts, strict=True)
            }
        judged += [found[place] for place in sorted(found)]
    return judged, unnamed


def _named(file: str, runs: Sequence[Run], system: System) -> SystemMatch:
    """The system that was named, or that of the GPUs that the log names where those are others."""
    match = as_measured(runs, system)
    if match is None:
        return SystemMatch(system, "")
    complain(file, match.remark)
    return match


def _of_log(file: str, runs: Sequence[Run], options: argparse.Namespace) -> SystemMatch | None:
    """The system that a file's runs describe, on the network of the options; None with a line why."""
    try:
        match = system_of_file(runs, options.network)
        if match.system is None:
            complain(file, f"{match.remark}: add --system ID (python -m core systems lists them)")
            return None
        system = question.configured(match.system, options)
        system = system if options.nics_per_domain is None else with_stated_nics(system)
    except InputError as error:
        complain(file, str(error))
        return None
    complain(file, f"system as the log tells: {match.remark}")
    return SystemMatch(system, match.remark)
