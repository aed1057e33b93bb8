"""``run``: measure this machine, alone or as one of torchrun's processes."""

import argparse
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from core.command_line import one_line

_TORCH_LEAST = (2, 1)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``run``."""
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--quick", dest="amount", action="store_const", const="quick", help="under a minute")
    amount.add_argument("--full", dest="amount", action="store_const", const="full", help="all sizes")
    parser.set_defaults(amount="usual")
    parser.add_argument(
        "-o", "--output", default="wirespeed-run.json", metavar="FILE", help="run file to write"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="PROBE", help="memory, host, peers, collectives"
    )
    parser.add_argument(
        "--backend", choices=("auto", "nccl", "gloo"), default="auto", help="of the collectives"
    )
    parser.add_argument(
        "--ranks", type=int, metavar="N", help="start N processes on this host for the collectives"
    )


def run(options: argparse.Namespace) -> int:
    """0 measured, 2 cannot start, 130 stopped by hand with the file kept."""
    try:
        torch = _torch()
    except ImportError as error:
        return _refuse(str(error))
    from gpu_probe.probes import PROBES  # noqa: PLC0415 (only a probing needs them)
    from gpu_probe.session import run_probes  # noqa: PLC0415

    keys = [probe_module.key for probe_module in PROBES]
    for name in options.only:
        if name not in keys:
            return _refuse(f"--only: one of {', '.join(keys)}, not {name!r}")
    if not Path(options.output).name:
        return _refuse(f"--output: the name of a file, not {options.output!r}")
    if options.ranks is not None:
        return _start(options)
    try:
        return run_probes(torch, options)
    except OSError as error:
        return _refuse(f"{options.output}: {error.strerror or error}")


def _refuse(text: str) -> int:
    print(f"python -m gpu_probe run: {one_line(text)}", file=sys.stderr)
    return 2


def _torch() -> Any:
    """The node's own torch; raises ImportError with a sentence where it is missing or too old."""
    try:
        import torch  # noqa: PLC0415 (the readers must work without)
    except ImportError as error:
        message = f"measuring needs the node's own torch 2.1 or newer: {error}"
        raise ImportError(message) from error
    parts = str(torch.__version__).split("+")[0].split(".")[:2]
    if not all(part.isdigit() for part in parts) or tuple(map(int, parts)) >= _TORCH_LEAST:
        return torch
    message = f"measuring needs torch 2.1 or newer, not {torch.__version__}"
    raise ImportError(message)


def _start(options: argparse.Namespace) -> int:
    """Start one process per rank on this host, as torchrun would."""
    if not 1 <= options.ranks <= 1024:  # noqa: PLR2004 (one host)
        return _refuse("--ranks: a whole number from 1 to 1024")
    arguments = ["run", "-o", options.output, "--backend", options.backend]
    arguments += [] if options.amount == "usual" else [f"--{options.amount}"]
    arguments += [argument for name in options.only for argument in ("--only", name)]
    entry = [sys.argv[0]] if zipfile.is_zipfile(sys.argv[0]) else ["-m", "gpu_probe"]
    processes = ["--nproc_per_node", str(options.ranks)]
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", *processes, *entry, *arguments]
    process = subprocess.Popen(command, env={"OMP_NUM_THREADS": "1"} | os.environ)  # noqa: S603 (our own program)
    while True:
        try:
            status = process.wait()
            break
        except KeyboardInterrupt:
            continue
    has_file = Path(options.output).exists()
    if status not in (0, 2) and has_file:
        print(f"stopped early; {options.output} holds what was measured", file=sys.stderr)
    return status if status >= 0 else 128 - status
