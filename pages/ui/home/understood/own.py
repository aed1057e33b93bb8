"""What of a question the inputs of one page alone hold."""

from collections.abc import Callable

from core.catalog import SYSTEMS, link_name
from core.collectives.moe.question import COLLECTIVES as EXCHANGES
from pages.ui.home.understood import arrivals
from pages.ui.home.understood.judged import check
from pages.ui.home.understood.parts import Inputs, degrees_beyond, gpus_held, gpus_in_all
from pages.ui.home.understood.question import Read
from pages.ui.home.understood.target import words
from pages.ui.shared import names
from pages.ui.shared.question.labels import tokens

USUAL_TP = 8
_LENGTHS = {"ISL": "full_prompt", "OSL": "full_output"}


def nothing(read: Read, inputs: Inputs, said: list[str]) -> None:
    """A page without inputs of its own."""


def tensor_parallel(read: Read, inputs: Inputs, said: list[str]) -> None:
    """The degree that the system holds, what the group does, and the latency target."""
    _degree(read, inputs, said)
    if "ep" in read.degrees:
        inputs["ep"] = str(read.degrees["ep"][-1])
        said.append(f"EP{inputs['ep']}")
    if read.prefill and not read.request_rate:
        inputs["phase"] = "prefill"
        said.append("prefill")
    _target(read, inputs, said)
    _tab(read, inputs, said)


def _tab(read: Read, inputs: Inputs, said: list[str]) -> None:
    if read.pcie:
        inputs["tab"] = "What if PCIe?"
        said.append("PCIe in place of NVLink")
    if read.request_rate:
        inputs |= {"tab": "Throughput at saturation", "request_rate": f"{read.request_rate:.10g}"}
        said.append(arrivals.words(read.request_rate))
    if read.lengths:
        inputs["tab"] = "Throughput at saturation"
        inputs |= {_LENGTHS[name]: str(tokens) for name, tokens in read.lengths.items()}
        said += arrivals.length_words(read.lengths)


def _degree(read: Read, inputs: Inputs, said: list[str]) -> None:
    degrees, beyond, most = read.degrees.get("tp", ()), degrees_beyond(read), gpus_held(read)
    if held := [degree for degree in degrees if degree not in beyond]:
        inputs["tp"] = str(held[-1])
        said.append(" or ".join(f"TP{degree}" for degree in held))
    elif degrees or (most and most < USUAL_TP and not gpus_in_all(read)):
        inputs["tp"] = str(2 ** (most.bit_length() - 1))
        said.append(f"TP{inputs['tp']}")
    said += [f"TP{degree} needs {degree} GPUs, not {most}" for degree in beyond]


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
    if gpus := gpus_in_all(read):
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


OWN: dict[str, Callable[[Read, Inputs, list[str]], None]] = {
    "tensor_parallel": tensor_parallel,
    "training": _training,
    "collectives": _collectives,
    "gradient_sync": _gradient_sync,
    "nvl72": _nvl72,
    "kv_transfer": _kv_transfer,
    "cost": _cost,
    "layouts": _layouts,
    "catalog": _catalog,
    "check": check,
}
