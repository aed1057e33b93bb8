"""Our own run file: what the probe writes and the store exports."""

from typing import Any

from core.errors import InputError
from core.measurement import Run
from core.measurement.run_json import runs_from_json
from gpu_probe.parsers.problem import refuse


def is_run_file(value: Any) -> bool:
    """Whether a JSON value is a run file of any version."""
    return isinstance(value, dict) and "format_version" in value


def read_run_file(value: dict[str, Any]) -> list[Run]:
    """
    The runs of a run file, as they were written.

    Raises:
        ParseError: A version or a value that a run file cannot have, or no runs.
    """
    try:
        runs = runs_from_json(value)
    except InputError as error:
        return refuse(f"run file: {error}")
    return runs or refuse("run file without runs")
