"""The link to a page that carries what a question names, and the words for it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from urllib.parse import urlencode

from core.catalog import GPUS, MODELS, PRECISIONS, SYSTEMS, link_name
from core.collectives.moe.question import COLLECTIVES as EXCHANGES
from pages.ui.home.understood.machines import Machine
from pages.ui.home.understood.models import RELEASED_IN
from pages.ui.home.understood.question import Read
from pages.ui.home.understood.target import words
from pages.ui.shared import names, told
from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.question.labels import tokens
from pages.ui.shared.question.uses import JOB, LOAD, MODEL, SOFTWARE, SYSTEM, USES

Inputs = dict[str, str | list[str]]
CHECKED = ("check", "measurements", "my_cluster")
"""Pages whose system is the log's unless the question's is chosen."""
_GIGABYTES = re.compile(r"(\d+(?:\.\d+)?) ?(?:GB|gb)/s")
"""A rate in bytes: Gb/s, with a small b, are bits."""
USUAL_TP = 8
SMALL_MODEL = "llama-3.1-8b"
USABLE = 0.9
"""Of a GPU's memory, as serving engines take it."""


@dataclass(frozen=True, slots=True)
class Link:
    """
    A page with inputs.

    Attributes:
        inputs: As the page's address holds them.
        said: What was understood, in words.
    """

    inputs: Mapping[str, str | list[str]]
    said: tuple[str, ...]


def link(page: str, read: Read) -> Link:
    """What of a question the inputs of a page hold."""
    if page == "scenarios":
        return _comparison(read)
    inputs: Inputs = {}
    said: list[str] = []
    for part in _PARTS:
        part(page, read, inputs, said)
    _OWN.get(page, _nothing)(read, inputs, said)
    return Link(inputs, tuple(dict.fromkeys(said)))


def _machine(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    if SYSTEM not in USES.get(page, ()) or not read.machines:
        return
    machine = read.machines[0]
    inputs |= _system(machine)
    if page in CHECKED:
        inputs["system_from"] = "of the question"
    said.append(machine.name)


def _system(machine: Machine) -> Inputs:
    """The inputs of a system: one of the catalog, or cards in another number."""
    if not machine.key:
        return {"system": "yours", "own_gpu": machine.gpu, "own_gpus": str(machine.domain_gpus)}
    domains = {"domains": str(machine.domains)} if (machine.domains or 1) > 1 else {}
    return {"system": machine.key, **domains}


def _gpus(read: Read) -> int | None:
    """GPUs in all, wherever the question says so."""
    counts = (read.gpus, *(machine.gpus for machine in read.machines))
    return next((count for count in counts if count), None)


def _extent(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    """GPUs of a job, or the domains that so many GPUs fill."""
    uses = USES.get(page, ())
    if SYSTEM not in uses:
        return
    gpus = _gpus(read)
    if gpus:
        each = read.machines[0].domain_gpus if read.machines else SYSTEMS["dgx-h100"].domain_gpus
        if JOB in uses:
            inputs["gpus"] = str(gpus)
        elif gpus > each:
            inputs["domains"] = str(ceil(gpus / each))
        said.append(f"{gpus:,} GPUs")
    elif read.domains and read.domains > 1:
        inputs["domains"] = str(read.domains)
        said.append(f"{read.domains:,} domains")
    if read.networks and page not in ("gradient_sync", "cost"):
        inputs["network"] = read.networks[0]
        said.append(link_name(read.networks[0]))


def _model(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    if MODEL in USES.get(page, ()) and read.models:
        inputs["model"] = read.models[0]
        said.append(names.of(read.models[0]))
    elif LOAD in USES.get(page, ()) and read.machines and _too_small(read.machines[0]):
        inputs["model"] = SMALL_MODEL
        said.append(f"{names.of(SMALL_MODEL)}, which fits")


def _too_small(machine: Machine) -> bool:
    """Whether the model that nobody chose does not fit into a machine."""
    memory = GPUS[machine.gpu].memory_bytes * (machine.gpus or machine.domain_gpus) * (machine.domains or 1)
    weights = MODELS[DEFAULTS["model"]].params * PRECISIONS[DEFAULTS["weights"]].bytes_per_value
    return weights > USABLE * memory


def _software(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    if SOFTWARE in USES.get(page, ()) and read.software:
        inputs["software"] = read.software
        said.append(names.presets()[read.software])


def _load(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    """Requests, context length and formats of serving; the job's where the page trains."""
    uses = USES.get(page, ())
    if LOAD in uses:
        count, name, length = read.requests or read.batch, "requests", "context"
    elif JOB in uses:
        count, name, length = read.batch or read.requests, "batch", "seq"
    else:
        return
    if count:
        inputs[name] = str(count)
        said.append(f"batch size {count:,}" if name == "batch" else f"{count:,} requests")
    if read.context:
        inputs[length] = str(read.context)
        said.append(f"{tokens(read.context)} tokens")
    if read.precision:
        inputs["weights" if LOAD in uses else "precision"] = read.precision
        said.append(PRECISIONS[read.precision].name)
    elif LOAD in uses and (released := _released_in(read)):
        inputs["weights"] = released
        said.append(f"{PRECISIONS[released].name} weights, as released")


def _released_in(read: Read) -> str:
    """The format of the model's published weights; empty for BF16 and where a GPU has no FP8 tensor cores."""
    gpus = [machine.gpu for machine in read.machines] or [SYSTEMS[DEFAULTS["system"]].gpu.id]
    if not read.models or any(GPUS[gpu].fp8_flop_per_s is None for gpu in gpus):
        return ""
    return RELEASED_IN.get(read.models[0], "")


_PARTS = (_machine, _extent, _model, _software, _load)


def _nothing(read: Read, inputs: Inputs, said: list[str]) -> None:
    """A page without inputs of its own."""


def _tensor_parallel(read: Read, inputs: Inputs, said: list[str]) -> None:
    degrees = read.degrees.get("tp", ())
    machine = read.machines[0] if read.machines else None
    most = machine.domain_gpus * (machine.domains or 1) if machine else USUAL_TP
    if degrees:
        inputs["tp"] = str(degrees[-1])
        said.append(" or ".join(f"TP{degree}" for degree in degrees))
    elif most < USUAL_TP and not _gpus(read):
        inputs["tp"] = str(2 ** (most.bit_length() - 1))
        said.append(f"TP{inputs['tp']}")
    if "ep" in read.degrees:
        inputs["ep"] = str(read.degrees["ep"][-1])
        said.append(f"EP{inputs['ep']}")
    if read.prefill:
        inputs["phase"] = "prefill"
        said.append("prefill")
    _target(read, inputs, said)
    if read.pcie:
        inputs["tab"] = "What if PCIe?"
        said.append("PCIe in place of NVLink")


def _target(read: Read, inputs: Inputs, said: list[str]) -> None:
    if read.target_ms:
        inputs["tpot_ms"] = f"{read.target_ms:g}"
        said.append(words(read.target_ms))


def _training(read: Read, inputs: Inputs, said: list[str]) -> None:
    for name in ("tp", "pp", "cp", "ep"):
        if degrees := read.degrees.get(name):
            inputs[f"train_{name}"] = str(degrees[-1])
            said.append(f"{name.upper()}{degrees[-1]}")
    if read.degrees.get("pp") == (1,):
        inputs["train_vpp"] = "1"
    if read.strategy:
        inputs["train_strategy"] = read.strategy
        said.append(read.strategy.upper())


def _collectives(read: Read, inputs: Inputs, said: list[str]) -> None:
    if read.operation:
        inputs["collective"] = read.operation
        spoken = names.operations().get(read.operation)
        said.insert(0, spoken or names.exchange(read.operation))
    if read.size:
        inputs["size"] = read.size
        said.append(read.size)
    if read.operation in EXCHANGES and read.context:
        inputs["tokens"] = str(read.context)
        said.append(f"{tokens(read.context)} tokens per GPU")
    if gpus := _gpus(read):
        inputs["ranks"] = str(gpus)


def _gradient_sync(read: Read, inputs: Inputs, said: list[str]) -> None:
    if read.strategy:
        inputs["strategy"] = read.strategy
        said.append(read.strategy.upper())
    if len(read.networks) > 1:
        inputs["sync_networks"] = list(read.networks)
        inputs["tab"] = "InfiniBand vs RoCE"
    elif read.networks:
        inputs["network"] = read.networks[0]
    said += [link_name(key) for key in read.networks]


def _nvl72(read: Read, inputs: Inputs, said: list[str]) -> None:
    others = [machine for machine in read.machines[1:] if machine.key]
    if others:
        inputs["against"] = [machine.key for machine in others]
        said += [f"against {machine.name}" for machine in others]
    if degrees := read.degrees.get("tp"):
        inputs["rack_tp"] = str(degrees[-1])
        said.append(f"TP{degrees[-1]}")
    _target(read, inputs, said)


def _kv_transfer(read: Read, inputs: Inputs, said: list[str]) -> None:
    if degrees := read.degrees.get("tp"):
        inputs["kv_gpus"] = str(degrees[-1])
        said.append(f"TP{degrees[-1]}")


def _cost(read: Read, inputs: Inputs, said: list[str]) -> None:
    if read.networks:
        inputs["fabrics"] = list(read.networks)
        said += [link_name(key) for key in read.networks]


def _layouts(read: Read, inputs: Inputs, said: list[str]) -> None:
    machine = read.machines[0] if read.machines else None
    if machine and "gpus" not in inputs and (not machine.key or SYSTEMS[machine.key].scale_out is None):
        inputs |= {"goal": "latency", "gpus": str(machine.domain_gpus)}
    if read.pcie:
        inputs["tab"] = "Do I need NVLink?"
        said.append("PCIe in place of NVLink")


def _catalog(read: Read, inputs: Inputs, said: list[str]) -> None:
    if read.has_nvlink and read.machines:
        inputs["card"] = read.machines[0].gpu
        said.append(names.gpu(read.machines[0].gpu))


def _check(read: Read, inputs: Inputs, said: list[str]) -> None:
    """The one rate of the question as a sentence that the page judges, on the machine of the question."""
    machine = read.machines[0] if read.machines else None
    rate = _GIGABYTES.fullmatch(read.rates[0]) if len(read.rates) == 1 else None
    if machine is None or rate is None:
        return
    domains = ceil(gpus / machine.domain_gpus) if (gpus := _gpus(read)) else machine.domains or 1
    each = min(gpus or machine.domain_gpus, machine.domain_gpus)
    where = f"{domains} nodes of {each}x" if domains > 1 else f"{each}x"
    size = f" at {read.size}" if read.size else ""
    operation = read.operation or "all_reduce"
    inputs[told.TOLD] = f"{operation} on {where} {names.gpu(machine.gpu)}: {rate[1]} GB/s busbw{size}"
    said.append(f"{names.operations().get(operation, operation)}, busbw {read.rates[0]}")


_OWN: dict[str, Callable[[Read, Inputs, list[str]], None]] = {
    "tensor_parallel": _tensor_parallel,
    "training": _training,
    "collectives": _collectives,
    "gradient_sync": _gradient_sync,
    "nvl72": _nvl72,
    "kv_transfer": _kv_transfer,
    "cost": _cost,
    "layouts": _layouts,
    "catalog": _catalog,
    "check": _check,
}


def _comparison(read: Read) -> Link:
    """One serving step on each of the systems, or at each of the TP degrees, side by side."""
    inputs: Inputs = {}
    said: list[str] = []
    for letter, side in zip("abcd", _sides(read), strict=False):
        own: Inputs = {}
        for part in (_machine, _model, _software, _load):
            part("tensor_parallel", side, own, said)
        _tensor_parallel(side, own, said)
        inputs[letter] = f"tensor_parallel?{urlencode(own, doseq=True)}"
    return Link(inputs, tuple(dict.fromkeys(said)))


def _sides(read: Read) -> list[Read]:
    """The question as asked of each of its systems, or of each TP degree of one; nothing without two sides."""
    degrees = read.degrees.get("tp", ())
    if not read.models and any(_too_small(machine) for machine in read.machines):
        read = replace(read, models=(SMALL_MODEL,))
    if len(read.machines) > 1:
        return [replace(read, machines=(machine,), pcie=False) for machine in read.machines]
    if len(degrees) > 1:
        return [replace(read, degrees={**read.degrees, "tp": (tp,)}, pcie=False) for tp in degrees]
    return []
