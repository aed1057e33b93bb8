"""Steps that the profiler marks on the CPU, and the work on the device that each of them issued."""

import numpy as np

from core.traces.json_text import Json, number, text
from core.traces.records import Floats, Step
from core.units import US

STEPS_MOST = 100_000


class StepTable:
    """
    The steps of one trace.

    Args:
        ranges: CPU ranges of the trace; those named ``ProfilerStep#...`` are steps.
        origin_us: Microsecond of the trace that second 0 stands for.
    """

    def __init__(self, ranges: list[Json], origin_us: float) -> None:
        marked = [entry for entry in ranges if text(entry.get("name")).startswith("ProfilerStep")]
        marked = sorted(marked, key=lambda entry: number(entry.get("ts"), 0.0))[:STEPS_MOST]
        self._names = [text(entry.get("name")) for entry in marked]
        start = np.array([number(entry.get("ts"), 0.0) for entry in marked])
        length = np.array([number(entry.get("dur"), 0.0) for entry in marked])
        self._start: Floats = (start - origin_us) * US
        self._end: Floats = self._start + np.maximum(length, 0.0) * US

    def index(self, launch_s: float) -> int:
        """The step in which the CPU issued something; -1 where in none."""
        place = int(np.searchsorted(self._start, launch_s, side="right")) - 1
        return place if place >= 0 and launch_s <= self._end[place] else -1

    def steps(self, launch_s: Floats, start_s: Floats, end_s: Floats) -> tuple[Step, ...]:
        """
        All steps with the time of their work on the device.

        Args:
            launch_s: When each kernel was issued; NaN unknown.
            start_s: When it began on the device.
            end_s: When it ended.
        """
        if not self._names:
            return ()
        place = np.searchsorted(self._start, launch_s, side="right") - 1
        inside = (place >= 0) & (launch_s <= self._end[np.maximum(place, 0)])
        steps = []
        for number_, name in enumerate(self._names):
            rows = inside & (place == number_)
            first = float(start_s[rows].min()) if rows.any() else float("nan")
            last = float(end_s[rows].max()) if rows.any() else float("nan")
            steps.append(Step(name, float(self._start[number_]), float(self._end[number_]), first, last))
        return tuple(steps)
