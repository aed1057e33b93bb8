"""The runs of one file together: a topology is judged by the GPUs that ran."""

from collections.abc import Sequence
from dataclasses import replace

from core.collectives.rates import Rates
from core.hardware import System
from core.measurement import Matrix, Run
from core.verdict.judge import judge_run
from core.verdict.records import RunVerdict


def judge_runs(
    runs: Sequence[Run],
    system: System,
    *,
    rates: Rates | None = None,
    implementation: str = "nccl",
    launch: str = "stream",
) -> list[RunVerdict]:
    """
    The verdicts on the runs of one file, in their order.

    Where a file holds a topology and collectives of one node, only the paths between GPUs that ran count.

    Args:
        runs: As ``gpu_probe.parsers.read`` gives them.
        system: As for ``judge_run``, like the others.
        rates: Likewise.
        implementation: Likewise.
        launch: Likewise.

    Raises:
        InputError: As ``judge_run``.
    """
    ran = {name for run in runs for name in _gpus_that_ran(run)}
    return [
        judge_run(_of_those(run, ran), system, rates=rates, implementation=implementation, launch=launch)
        for run in runs
    ]


def _gpus_that_ran(run: Run) -> set[str]:
    """Names such as ``GPU0`` in the paths that a collective's run carries."""
    paths = [item.value.split()[:2] for item in run.observations if item.kind == "path"]
    return {name for pair in paths for name in pair}


def _of_those(run: Run, ran: set[str]) -> Run:
    if not ran or run.samples:
        return run
    return replace(run, matrices=tuple(_restricted(matrix, ran) for matrix in run.matrices))


def _restricted(matrix: Matrix, ran: set[str]) -> Matrix:
    """A topology without the GPUs that did not run; other matrices as they are."""
    if matrix.kind != "topology":
        return matrix
    rows = [index for index, name in enumerate(matrix.rows) if name in ran or not name.startswith("GPU")]
    columns = [
        index for index, name in enumerate(matrix.columns) if name in ran or not name.startswith("GPU")
    ]
    return replace(
        matrix,
        rows=tuple(matrix.rows[index] for index in rows),
        columns=tuple(matrix.columns[index] for index in columns),
        values=tuple(
            tuple(matrix.values[row][column] for column in columns if column < len(matrix.values[row]))
            for row in rows
        ),
    )
