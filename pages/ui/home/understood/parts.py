"""The parts of a question that pages share: system, size of the cluster, model, software, load."""

from math import ceil

from core.catalog import GPUS, MODELS, PRECISIONS, SYSTEMS, link_name
from pages.ui.home.understood.machines import Machine
from pages.ui.home.understood.models import RELEASED_IN
from pages.ui.home.understood.question import Read
from pages.ui.shared import names
from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.question.labels import tokens
from pages.ui.shared.question.uses import JOB, LOAD, MODEL, SOFTWARE, SYSTEM, USES

Inputs = dict[str, str | list[str]]
"""Of a page, as its address holds them."""
CHECKED = ("check", "measurements", "my_cluster")
"""Pages whose system is the log's unless the question's is chosen."""
SMALL_MODEL = "llama-3.1-8b"
USABLE = 0.9
"""Of a GPU's memory, as serving engines take it."""


def machine_inputs(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    """The system, by its id or as cards in another number."""
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


def gpus_in_all(read: Read) -> int | None:
    """GPUs in all, wherever the question says so."""
    counts = (read.gpus, *(machine.gpus for machine in read.machines))
    return next((count for count in counts if count), None)


def gpus_held(read: Read) -> int:
    """GPUs of the machine that the question names, or so many as it says; 0 where it says nothing."""
    if not read.machines:
        return read.gpus or 0
    machine = read.machines[0]
    return machine.gpus or read.gpus or machine.domain_gpus * (machine.domains or read.domains or 1)


def degrees_beyond(read: Read) -> tuple[int, ...]:
    """TP degrees of the question that the GPUs which it names do not hold."""
    most = gpus_held(read)
    return tuple(degree for degree in read.degrees.get("tp", ()) if 0 < most < degree)


def extent_inputs(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    """GPUs of a job, or the domains that so many GPUs fill."""
    uses = USES.get(page, ())
    if SYSTEM not in uses:
        return
    gpus = gpus_in_all(read)
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
    if read.sharp:
        inputs["sharp"] = "true"
        said.append("SHARP")


def model_inputs(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    """The model; where nobody names one, one that fits."""
    if MODEL in USES.get(page, ()) and read.models:
        inputs["model"] = read.models[0]
        said.append(names.of(read.models[0]))
    elif LOAD in USES.get(page, ()) and read.machines and too_small(read.machines[0]):
        inputs["model"] = SMALL_MODEL
        said.append(f"{names.of(SMALL_MODEL)}, which fits")


def too_small(machine: Machine) -> bool:
    """Whether the model that nobody chose does not fit into a machine."""
    memory = GPUS[machine.gpu].memory_bytes * (machine.gpus or machine.domain_gpus) * (machine.domains or 1)
    weights = MODELS[DEFAULTS["model"]].params * PRECISIONS[DEFAULTS["weights"]].bytes_per_value
    return weights > USABLE * memory


def software_inputs(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
    """The software preset."""
    if SOFTWARE in USES.get(page, ()) and read.software:
        inputs["software"] = read.software
        said.append(names.presets()[read.software])


def load_inputs(page: str, read: Read, inputs: Inputs, said: list[str]) -> None:
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


PARTS = (machine_inputs, extent_inputs, model_inputs, software_inputs, load_inputs)
