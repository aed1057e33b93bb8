"""Probes: one module each with key, title, can_run and run; all of them stand in ``PROBES``."""

from collections.abc import Iterator
from typing import Protocol

from core.measurement import Run
from gpu_probe.probes import collectives, host, memory, peers
from gpu_probe.probes.context import Context


class Probe(Protocol):
    """
    What a probe module offers.

    Attributes:
        key: Its name on the command line.
        title: What it measures, for people.
        everywhere: Whether all processes take part; else the first of each host measures alone.
    """

    key: str
    title: str
    everywhere: bool

    def can_run(self, context: Context) -> str:
        """Why it cannot run here; empty where it can."""

    def run(self, context: Context) -> Iterator[Run]:
        """Measure, and yield each run as soon as a part of it is there, the same run growing."""


PROBES: tuple[Probe, ...] = (memory, host, peers, collectives)
