"""What may enter the store: checked numbers, text that both engines can hold, NCCL_* only."""

import math
from dataclasses import replace

from core.checks import InputError
from core.measurement import GpuCount, Machine, Matrix, Notice, Run, Sample

MOST_INTEGER = 2**63 - 1
MOST_SMALL_INTEGER = 2**31 - 1
MOST_NAME = 300
"""Characters of a file name that are kept."""


def tidy(run: Run) -> Run:
    """
    The run as it will be stored.

    Raises:
        InputError: A number that is no measurement, named with its place in the run.
    """
    if not run.samples and not run.matrices:
        message = "the run holds no measurement: neither samples nor a matrix"
        raise InputError(message)
    return replace(
        run,
        file=text(run.file)[:MOST_NAME],
        format=text(run.format),
        collective=optional(run.collective),
        ranks=_small("ranks", run.ranks),
        dtype=optional(run.dtype),
        tool_version=optional(run.tool_version),
        started_at=optional(run.started_at),
        machine=_machine(run.machine),
        samples=tuple(_sample(index, sample) for index, sample in enumerate(run.samples)),
        matrices=tuple(_matrix(matrix) for matrix in run.matrices),
        warnings=tuple(
            Notice(text(notice.code), text(notice.message), _small("warnings.line", notice.line))
            for notice in run.warnings
        ),
    )


def text(value: str) -> str:
    """Without what PostgreSQL or UTF-8 cannot hold: NUL and halves of surrogate pairs."""
    return value.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def optional(value: str | None) -> str | None:
    """Text that may be absent; an empty one is absent."""
    return (text(value) or None) if value is not None else None


def _machine(machine: Machine) -> Machine:
    return Machine(
        gpus=tuple(GpuCount(text(gpu.name), _small("gpus.count", gpu.count) or 0) for gpu in machine.gpus),
        hosts=tuple(text(host) for host in machine.hosts),
        driver=optional(machine.driver),
        cuda=optional(machine.cuda),
        nccl=optional(machine.nccl),
        env={text(name): text(str(value)) for name, value in machine.env.items() if name.startswith("NCCL_")},
    )


def _sample(index: int, sample: Sample) -> Sample:
    place = f"samples[{index}]"
    if not 0 <= sample.size_bytes <= MOST_INTEGER:
        message = f"{place}.size_bytes: from 0 to 2^63-1, not {sample.size_bytes}"
        raise InputError(message)
    if not math.isfinite(sample.time_s) or sample.time_s < 0:
        message = f"{place}.time_s: finite and not negative, not {sample.time_s}"
        raise InputError(message)
    if sample.wrong is not None and not 0 <= sample.wrong <= MOST_INTEGER:
        message = f"{place}.wrong: from 0 to 2^63-1, not {sample.wrong}"
        raise InputError(message)
    return replace(
        sample,
        operation=optional(sample.operation),
        placement=optional(sample.placement),
        reported_algbw_bytes_per_s=_finite(sample.reported_algbw_bytes_per_s),
        reported_busbw_bytes_per_s=_finite(sample.reported_busbw_bytes_per_s),
    )


def _matrix(matrix: Matrix) -> Matrix:
    return replace(
        matrix,
        name=text(matrix.name),
        kind=text(matrix.kind),
        direction=optional(matrix.direction),
        rows=tuple(text(name) for name in matrix.rows),
        columns=tuple(text(name) for name in matrix.columns),
        values=tuple(tuple(_cell(cell) for cell in row) for row in matrix.values),
    )


def _cell(cell: float | str | None) -> float | str | None:
    return text(cell) if isinstance(cell, str) else _finite(cell)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _small(name: str, value: int | None) -> int | None:
    if value is not None and not 0 <= value <= MOST_SMALL_INTEGER:
        message = f"{name}: from 0 to 2^31-1, not {value}"
        raise InputError(message)
    return value
