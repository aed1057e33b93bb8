"""A run without the names of its hosts: what stays is what is needed to compare machines."""

import re
from dataclasses import replace
from pathlib import PurePath

from core.measurement import Machine, Matrix, Notice, Run, Sample

_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7}\b")
_PLACES = re.compile(r"/(?:home|users|mnt|data|scratch|work|root|tmp|lustre|gpfs|nfs)/\S*", re.IGNORECASE)
_PRIVATE = ("NCCL_COMM_ID", "NCCL_HOSTID", "NCCL_CONF_FILE", "NCCL_DEBUG_FILE", "NCCL_TOPO_DUMP_FILE")


def anonymous(run: Run) -> Run:
    """The run with hosts as host1, host2, ..., without addresses and without paths of people."""
    speakers = (item.host for item in run.observations if item.host)
    hosts = dict.fromkeys((*run.machine.hosts, *speakers))
    names = {host: f"host{i}" for i, host in enumerate(hosts, 1)}
    machine = run.machine
    named = tuple(names[host] for host in machine.hosts)
    env = {k: _clean(v, names) for k, v in machine.env.items() if k not in _PRIVATE}
    return replace(
        run,
        file=f"run{PurePath(run.file).suffix[:8]}",
        machine=Machine(machine.gpus, named, machine.driver, machine.cuda, machine.nccl, env),
        samples=tuple(_sample(sample, names) for sample in run.samples),
        matrices=tuple(_matrix(matrix, names) for matrix in run.matrices),
        warnings=tuple(Notice(n.code, _clean(n.message, names), n.line) for n in run.warnings),
        observations=tuple(
            replace(item, host=names.get(item.host, ""), value=_clean(item.value, names))
            for item in run.observations
        ),
    )


def _clean(text: str, names: dict[str, str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name]) if name else text
    return _PLACES.sub("PATH", _ADDRESS.sub("ADDRESS", text))


def _sample(sample: Sample, names: dict[str, str]) -> Sample:
    return replace(sample, detail=_clean(sample.detail, names)) if sample.detail else sample


def _matrix(matrix: Matrix, names: dict[str, str]) -> Matrix:
    return replace(
        matrix,
        name=_clean(matrix.name, names),
        rows=tuple(_clean(row, names) for row in matrix.rows),
        columns=tuple(_clean(column, names) for column in matrix.columns),
    )
