"""When two runs are the same run, two machines alike, and two machines the very same one."""

import hashlib
import json
from typing import Any

from core.measurement import Machine, Run, Sample

COMPARABLE = ("gpu", "gpu_count", "host_count", "driver", "cuda", "nccl")
"""What must be equal for two runs to be pooled: the keys of a fingerprint."""

SIGNIFICANT_DIGITS = 9
"""Times pass through microseconds in run files: the last bits of a float are not part of a run."""


def run_sha256(run: Run) -> str:
    """
    The name of a run: a hash of what was measured, on what, with which settings.

    Left out: the file's name, its format, what a reader remarked, and the tool's own rates. So a log under
    another name, or saved as a run file and uploaded again, is one run. What the log does not name and its
    rates give away counts as named: it is the same run once a reader has said so.
    """
    machine = run.machine
    collective = run.collective_or_guess
    unnamed = None if run.collective else collective
    return _hash(
        {
            "collective": collective,
            "ranks": run.ranks_or_guess,
            "dtype": run.dtype,
            "origin": run.origin,
            "tool_version": run.tool_version,
            "started_at": run.started_at,
            "machine": {
                **comparable(machine),
                "gpus": _gpus(machine),
                "hosts": sorted(machine.hosts),
                "env": dict(machine.env),
            },
            "samples": [_sample(sample, unnamed) for sample in run.samples],
            "matrices": [
                [
                    *(matrix.name, matrix.kind, matrix.direction, matrix.peer_access),
                    *(matrix.rows, matrix.columns),
                    [[_rounded(value) for value in row] for row in matrix.values],
                ]
                for matrix in run.matrices
            ],
        }
    )


def run_key(sha256: str, project_id: int | None) -> str:
    """What is unique of a stored run: its content within its project; the content alone where everyone's."""
    return sha256 if project_id is None else hashlib.sha256(f"{project_id}:{sha256}".encode()).hexdigest()


def name_key(name: str, project_id: int | None) -> str:
    """What is unique of a fit or scenario: its name within its project."""
    return f"{'' if project_id is None else project_id}:{name}"


def fingerprint(machine: Machine) -> str:
    """Equal for machines of one kind with the same software: the COMPARABLE keys, hashed."""
    return _hash(comparable(machine))


def identity(machine: Machine) -> str:
    """
    Equal for the very same machine, whatever software it had: GPUs and host names.

    Without host names (an anonymous run) machines with the same GPUs cannot be told apart.
    """
    return _hash({"gpus": _gpus(machine), "hosts": sorted({name.lower() for name in machine.hosts})})


def comparable(machine: Machine) -> dict[str, Any]:
    """The COMPARABLE keys of a machine; several kinds of GPU are joined by ``+``."""
    return {
        "gpu": " + ".join(sorted({gpu.name for gpu in machine.gpus})),
        "gpu_count": sum(gpu.count for gpu in machine.gpus),
        "host_count": len(machine.hosts),
        "driver": machine.driver,
        "cuda": machine.cuda,
        "nccl": machine.nccl,
    }


def _gpus(machine: Machine) -> list[list[Any]]:
    return sorted([gpu.name, gpu.count] for gpu in machine.gpus)


def _sample(sample: Sample, unnamed: str | None) -> list[Any]:
    times = [_rounded(time) for time in (sample.time_s, sample.low_s, sample.high_s)]
    return [
        sample.operation or unnamed,
        sample.size_bytes,
        *times,
        sample.placement,
        sample.wrong,
        sample.detail,
    ]


def _rounded(value: float | str | None) -> str | None:
    return f"{value:.{SIGNIFICANT_DIGITS}g}" if isinstance(value, (int, float)) else value


def _hash(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
