"""``push``: run files, any output that we read, or the traces of a job, to a server."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.command_line import one_line
from core.errors import InputError
from gpu_probe.anonymous import anonymous
from gpu_probe.client import Client, Journal, PushError, Sent
from gpu_probe.commands.files import complain
from gpu_probe.parsers import ParseError, read
from gpu_probe.parsers.answer import answered


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``push``."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="run files, outputs of the tools, or the traces of one job"
    )
    parser.add_argument(
        "--server", required=True, metavar="URL", help="http://HOST:PORT of a Wirespeed server"
    )
    parser.add_argument("--token", default="", help="default: WIRESPEED_API_TOKEN, WIRESPEED_API_TOKEN_FILE")
    parser.add_argument("--project", default="", metavar="NAME", help="whose members alone see the runs")
    parser.add_argument("--anonymous", action="store_true", help="without host names, addresses and paths")
    parser.add_argument("--ca-file", default="", metavar="PEM", help="certificate authority of the server")
    parser.add_argument("--collective", metavar="NAME", help="where a log names none")
    parser.add_argument("--ranks", type=int, metavar="N", help="where a log lists none")


def run(options: argparse.Namespace) -> int:
    """0 all sent, 1 some could not be sent (the files are kept), 2 a file or option is bad."""
    try:
        client = Client(options.server, _token(options.token), options.ca_file, project=options.project)
    except (PushError, OSError) as error:
        return _refuse(str(error))
    if options.ca_file and not Path(options.ca_file).is_file():
        return _refuse(f"--ca-file: no such file: {options.ca_file}")
    paths = tuple(dict.fromkeys(map(Path, options.files)))
    traces = _traces(paths)
    status = 0
    for path in paths:
        name = str(path)
        try:
            status = max(status, _push_any(client, path, traces, options))
        except (ParseError, InputError) as error:
            complain(name, error, getattr(error, "line", None))
            status = 2
        except OSError as error:
            complain(name, error.strerror or error)
            status = 2
        except PushError as error:
            complain(name, error)
            status = max(status, 1)
            if error.final:
                break
    return status


def _push_any(client: Client, path: Path, traces: Sequence[Path], options: argparse.Namespace) -> int:
    """Send a file's runs, or with the first trace the job of all of them; the status of the command."""
    if path not in traces:
        return _push_file(client, path, options)
    if path == traces[0]:
        _push_job(client, traces, options)
    return 0


def _traces(paths: Sequence[Path]) -> list[Path]:
    """The files that are traces; none where their readers, or numpy, are not here."""
    try:
        module = importlib.import_module("gpu_probe.commands.job_push")
    except ModuleNotFoundError:
        return []
    return [path for path in paths if module.is_trace(path)]


def _push_job(client: Client, paths: Sequence[Path], options: argparse.Namespace) -> None:
    """Send what the traces tell together as one job, under the name of the first."""
    module = importlib.import_module("gpu_probe.commands.job_push")
    job = module.job_file(paths, anonymous=options.anonymous)
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    file = "job.json" if options.anonymous else f"{paths[0].name}{more}"
    _say(str(paths[0]), client.push_job(Journal.of(paths[0], client.server, client.project), job, file))


def _say(name: str, sent: Sent) -> None:
    outcome = "new" if sent.new else "sent before" if sent.before else "already there"
    print(one_line(f"{name}: {sent.url} ({outcome})"))


def _refuse(text: str) -> int:
    print(f"python -m gpu_probe push: {one_line(text)}", file=sys.stderr)
    return 2


def _token(option: str) -> str:
    """The token from the option, the environment, or the file that the environment names."""
    if option:
        return option
    if "WIRESPEED_API_TOKEN" in os.environ:
        return os.environ["WIRESPEED_API_TOKEN"].strip()
    file = os.environ.get("WIRESPEED_API_TOKEN_FILE")
    return Path(file).read_text(encoding="utf-8").strip() if file else ""


def _push_file(client: Client, path: Path, options: argparse.Namespace) -> int:
    runs = [answered(run, options.collective, options.ranks) for run in read(path.name, path.read_bytes())]
    if options.anonymous:
        runs = [anonymous(run) for run in runs]
    journal = Journal.of(path, client.server, client.project)
    status = 0
    measured = [measured_run for measured_run in runs if measured_run.samples or measured_run.matrices]
    if not measured:
        complain(str(path), "holds no measurement, only what was skipped: nothing to send")
        return 1
    for measured_run in measured:
        try:
            sent = client.push(journal, measured_run)
        except PushError as error:
            if error.final:
                raise
            complain(str(path), error)
            status = 1
            continue
        _say(str(path), sent)
    return status
