"""The run file while it grows: valid from the first second, whatever ends the probing."""

import json
import time
from dataclasses import replace
from pathlib import Path

from core.measurement import Matrix, Notice, Run
from core.measurement.run_json import file_json

_EVERY_S = 1.0


class Recorder:
    """Keeps the runs by probe and writes them to one file, whole, at most once a second."""

    def __init__(self, path: Path, machine_run: Run) -> None:
        """Write the machine's description at once, so that a bad path is known before measuring."""
        self.path = path
        self._machine = machine_run
        self._runs: dict[tuple[str, ...], Run] = {}
        self._notices: list[Notice] = []
        self._written_s = 0.0
        self.save()

    def keep(self, key: tuple[str, ...], run: Run) -> None:
        """Take a run, or the grown form of one that was kept under this key."""
        self._runs[key] = run
        if time.monotonic() - self._written_s > _EVERY_S:
            self.save()

    def note(self, code: str, message: str) -> None:
        """Say something about the whole probing: what was skipped and why, how it ended."""
        self._notices.append(Notice(code, message))

    def describe(self, matrices: tuple[Matrix, ...]) -> None:
        """Add what belongs to the machine alone, its topology."""
        self._machine = replace(self._machine, matrices=matrices)

    def runs(self) -> list[Run]:
        """The runs that hold something; what is said of all stands at the first."""
        filled = [run for run in self._runs.values() if run.samples or run.matrices or run.warnings]
        if self._machine.matrices or not filled:
            filled.insert(0, self._machine)
        return [replace(filled[0], warnings=(*self._notices, *filled[0].warnings)), *filled[1:]]

    def save(self) -> None:
        """Write the file whole, or leave the old one."""
        text = json.dumps(file_json(self.runs()), indent=1, allow_nan=False)
        partial = self.path.with_name(f".{self.path.name}.part")
        partial.write_text(text + "\n", encoding="utf-8")
        partial.replace(self.path)
        self._written_s = time.monotonic()
