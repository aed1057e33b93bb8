"""What may enter the store: checked numbers, text that both engines can hold, NCCL_* only."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.checks import InputError
from core.file_names import file_name
from core.measurement import GpuCount, Machine, Matrix, Notice, Observation, Run, Sample
from core.measurement.run_json import allowed_variable

MOST_INTEGER = 2**63 - 1
MOST_SMALL_INTEGER = 2**31 - 1
MOST_NAME = 300
"""Characters of a file name that are kept."""
MOST_LABEL = 200
"""Characters of a word that runs are found by: what both engines can index."""

FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The four signs, in full width too; blanks before them do not always help."""


def measured(runs: Sequence[Run]) -> list[Run]:
    """
    The runs that hold a measurement; a log may also hold attempts that failed.

    Raises:
        InputError: None does.
    """
    filled = [run for run in runs if run.samples or run.matrices]
    if not filled:
        message = "there is no measurement to keep: neither samples nor a matrix"
        raise InputError(message)
    return filled


def tidy(run: Run) -> Run:
    """
    The run as it will be stored.

    Raises:
        InputError: A number that is no measurement, named with its place in the run, or a file's name that
            cannot be one.
    """
    return replace(
        run,
        file=called(run.file),
        format=text(run.format),
        collective=optional(run.collective),
        ranks=_small("ranks", run.ranks),
        collective_guess=optional(run.collective_guess),
        ranks_guess=_small("ranks_guess", run.ranks_guess),
        origin=optional(run.origin),
        dtype=label("dtype", run.dtype),
        tool_version=optional(run.tool_version),
        started_at=optional(run.started_at),
        machine=_machine(run.machine),
        samples=tuple(_sample(index, sample) for index, sample in enumerate(run.samples)),
        matrices=tuple(_matrix(matrix) for matrix in run.matrices),
        warnings=tuple(
            Notice(text(notice.code), text(notice.message), _whole("warnings.line", notice.line))
            for notice in run.warnings
        ),
        observations=tuple(
            Observation(
                text(item.kind), text(item.value), text(item.host), _whole("observations.line", item.line)
            )
            for item in run.observations
        ),
    )


def text(value: str) -> str:
    """Without what PostgreSQL or UTF-8 cannot hold: NUL and halves of surrogate pairs."""
    return value.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def called(name: str) -> str:
    """A file's name as it is kept, cut to ``MOST_NAME`` characters; InputError as ``checks.file_name``."""
    return text(file_name("file", name))[:MOST_NAME]


def printable(value: str) -> str:
    r"""The text with what a terminal would act on, or not show, as escapes such as ``\x1b``."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text(value)
    )


def optional(value: str | None) -> str | None:
    """Text that may be absent; an empty one is absent."""
    return (text(value) or None) if value is not None else None


def label(name: str, value: str | None) -> str | None:
    """
    A word that runs are found by.

    Raises:
        InputError: It is longer than ``MOST_LABEL``.
    """
    word = optional(value)
    if word is not None and len(word) > MOST_LABEL:
        message = f"{name}: at most {MOST_LABEL} characters, not {len(word):,}"
        raise InputError(message)
    return word


def tags(values: Iterable[str]) -> list[str]:
    """Tags each once, in order, without the empty ones; InputError where one is too long."""
    return sorted({word for value in values if (word := (label("tags", value.strip()) or "").strip())})


def no_formula(text: str | None) -> str | None:
    """The text, with an apostrophe in front where a spreadsheet would take it for a formula."""
    acts = text and (text[0] in "\t\r\n" or text.lstrip().startswith(FORMULA_STARTS))
    return f"'{text}" if acts else text


def _machine(machine: Machine) -> Machine:
    _small("gpus.count", sum(gpu.count for gpu in machine.gpus))
    return Machine(
        gpus=tuple(
            GpuCount(text(gpu.name), _small("gpus.count", gpu.count) or 0, _finite(gpu.memory_bytes))
            for gpu in machine.gpus
        ),
        hosts=tuple(text(host) for host in machine.hosts),
        driver=optional(machine.driver),
        cuda=optional(machine.cuda),
        nccl=optional(machine.nccl),
        env={text(name): text(value) for name, value in machine.env.items() if allowed_variable(name)},
    )


def _sample(index: int, sample: Sample) -> Sample:
    path = f"samples[{index}]"
    _whole(f"{path}.size_bytes", sample.size_bytes)
    _whole(f"{path}.wrong", sample.wrong)
    if not math.isfinite(sample.time_s) or sample.time_s < 0:
        message = f"{path}.time_s: finite and not negative, not {sample.time_s}"
        raise InputError(message)
    return replace(
        sample,
        operation=label(f"{path}.operation", sample.operation),
        placement=label(f"{path}.placement", sample.placement),
        low_s=_finite(sample.low_s),
        high_s=_finite(sample.high_s),
        detail=label(f"{path}.detail", sample.detail),
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


def _whole(name: str, value: int | None, most: int = MOST_INTEGER) -> int | None:
    if value is not None and not 0 <= value <= most:
        message = f"{name}: a whole number from 0 to {most}, not {value}"
        raise InputError(message)
    return value


def _small(name: str, value: int | None) -> int | None:
    return _whole(name, value, MOST_SMALL_INTEGER)
