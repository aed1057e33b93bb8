"""Runs of one file that are the same on each host: processes that should have been one job, and were not."""

from collections.abc import Sequence

from core.measurement import Run
from core.units import counted


def alone_warning(runs: Sequence[Run]) -> str:
    """
    What to say where each host of a file ran the same sizes by itself; empty elsewhere.

    So it looks where mpirun starts nccl-tests that know nothing of MPI: each process prints a table.
    """
    alone = [run for run in runs if run.samples and len(run.machine.hosts) == 1 and run.ranks]
    hosts = {run.machine.hosts[0] for run in alone}
    kinds = {(run.collective, run.ranks, tuple(item.size_bytes for item in run.samples)) for run in alone}
    if not 1 < len(alone) == len(hosts) or len(kinds) > 1 or any(len(run.machine.hosts) > 1 for run in runs):
        return ""
    ranks = alone[0].ranks or 1
    return (
        f"{len(hosts)} hosts ran by themselves, {counted(ranks, 'rank')} each: where one run "
        "over all was meant, build nccl-tests with MPI=1"
    )
