"""What was measured: machines, runs, samples, and how two runs compare."""

from core.measurement.run import (
    COLLECTIVES_MEASURED,
    FORMATS,
    RUN_FORMAT_VERSION,
    GpuCount,
    Machine,
    Matrix,
    Notice,
    Observation,
    Run,
    Sample,
)

__all__ = [
    "COLLECTIVES_MEASURED",
    "FORMATS",
    "RUN_FORMAT_VERSION",
    "GpuCount",
    "Machine",
    "Matrix",
    "Notice",
    "Observation",
    "Run",
    "Sample",
]
