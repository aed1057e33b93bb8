"""Files that the shell reads: a system, a model's config.json, measured points, a fit, traces of a job."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

from core.checks import InputError
from core.collectives.cost_model import Point
from core.collectives.cost_model.table import read_points
from core.collectives.fitted import Fit, read_fit
from core.traces.detect import read_job
from core.traces.records import Job

_TEXTS: ContextVar[Mapping[str, str] | None] = ContextVar("texts", default=None)
"""Texts that stand in for files by name; None: the files of the disk."""


@contextmanager
def only(texts: Mapping[str, str]) -> Iterator[None]:
    """Within it these texts are all the files there are; the disk is not looked at."""
    token = _TEXTS.set(texts)
    try:
        yield
    finally:
        _TEXTS.reset(token)


def is_file(text: str) -> bool:
    """Whether a text names a file here; one that no file can be called names none."""
    texts = _TEXTS.get()
    if texts is not None:
        return text in texts
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def text_of(path: str, what: str) -> str:
    """
    The text of a file, line ends untouched.

    Raises:
        InputError: It cannot be read as UTF-8 text; one line says why.
    """
    texts = _TEXTS.get()
    if texts is not None:
        return _among(texts, path, what)
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        message = f"{what}: {path} is no UTF-8 text"
        raise InputError(message) from None
    except OSError as error:
        message = f"{what}: {path}: {(error.strerror or 'cannot be read').lower()}"
        raise InputError(message) from None


@contextmanager
def opened(path: str, what: str) -> Iterator[TextIO]:
    """
    A file as a stream of text, line ends untouched.

    Raises:
        InputError: It cannot be opened, or proves to be no UTF-8 text while it is read.
    """
    texts = _TEXTS.get()
    if texts is not None:
        yield io.StringIO(_among(texts, path, what), newline="")
        return
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            yield stream
    except InputError:
        raise
    except UnicodeDecodeError:
        message = f"{what}: {path} is no UTF-8 text"
        raise InputError(message) from None
    except (OSError, ValueError) as error:
        message = f"{what}: {path}: {(getattr(error, 'strerror', '') or 'cannot be read').lower()}"
        raise InputError(message) from None


def _among(texts: Mapping[str, str], path: str, what: str) -> str:
    if path not in texts:
        message = f"{what}: {path[:80]!r} names a file, and files are not read here: give its JSON object"
        raise InputError(message)
    return texts[path]


def measured_points(path: str, option: str = "--rates") -> tuple[Point, ...]:
    """
    Measured points of one's own machine: a CSV as ``predict --measured`` takes it.

    Raises:
        InputError: No such file, or a row that cannot be read.
    """
    text = text_of(path, option)
    try:
        return tuple(read_points(io.StringIO(text, newline="")))
    except InputError as problem:
        message = f"{option}: {path}: {problem}"
        raise InputError(message) from None


def fit_of(path: str) -> Fit:
    """
    A fit to one's own machine, as the page *My cluster* writes it.

    Raises:
        InputError: No such file, or no fit; one line says what is wrong.
    """
    text = text_of(path, "--rates")
    try:
        return read_fit(text)
    except InputError as problem:
        message = f"--rates: {path}: {problem}"
        raise InputError(message) from None


def job_of(paths: Sequence[str]) -> Job:
    """
    The traced job that these files tell together.

    Raises:
        InputError: A file cannot be opened or is no trace; one line says which and why.
    """
    texts = _TEXTS.get()
    if texts is not None:
        return read_job([(path, io.BytesIO(_among(texts, path, "job").encode())) for path in paths])
    with ExitStack() as stack:
        files = []
        for path in paths:
            try:
                files.append((path, stack.enter_context(Path(path).open("rb"))))
            except (OSError, ValueError) as error:
                message = (
                    f"TRACE: {path[:200]}: {(getattr(error, 'strerror', '') or 'cannot be read').lower()}"
                )
                raise InputError(message) from None
        return read_job(files)
