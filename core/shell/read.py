"""Files that the shell reads for the calculators: a system, a model's config.json, measured points, a fit."""

import io
from pathlib import Path

from core.checks import InputError
from core.collectives.cost_model import Point
from core.collectives.cost_model.table import read_points
from core.collectives.fitted import Fit, read_fit


def is_file(text: str) -> bool:
    """Whether a text names a file here; one that no file can be called names none."""
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
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        message = f"{what}: {path} is no UTF-8 text"
        raise InputError(message) from None
    except OSError as error:
        message = f"{what}: {path}: {(error.strerror or 'cannot be read').lower()}"
        raise InputError(message) from None


def measured_points(path: str) -> tuple[Point, ...]:
    """
    Measured points of one's own machine: a CSV as ``predict --measured`` takes it.

    Raises:
        InputError: No such file, or a row that cannot be read.
    """
    text = text_of(path, "--rates")
    try:
        return tuple(read_points(io.StringIO(text, newline="")))
    except InputError as problem:
        message = f"--rates: {path}: {problem}"
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
