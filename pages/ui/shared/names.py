"""Names of catalog entries beside their ids; what the catalog does not know keeps its id."""

import re
from collections.abc import Iterable
from functools import cache

from core.catalog import GPUS, LINKS, MODELS, PRECISIONS, SYSTEMS, link_name
from core.catalog.software import PRESETS
from core.collectives.formulas import COLLECTIVES
from core.hardware import Architecture, System, Topology
from core.parallel.traffic import STRATEGY_NAMES

JOINED = {
    "switch": "through switches",
    "full mesh": "in a full mesh",
    "cube mesh": "in a cube mesh",
    "bridge": "in bridged pairs",
    "PCIe switch": "behind PCIe switches",
    "PCIe host": "over PCIe through the host",
}

BOARD_GPUS = 8
GOES_ON = "... or "
"""How a label begins that goes on from the one above it."""
FIRST = "NVIDIA"
"""The vendor whose systems are listed first."""


@cache
def catalog() -> dict[str, str]:
    """Names of all systems, models, GPUs and links by id."""
    kinds = (LINKS, GPUS, MODELS, SYSTEMS)
    return {key: entry.name for kind in kinds for key, entry in kind.items()}


def of(key: str) -> str:
    """Name of a catalog entry, such as *DGX H100*."""
    return catalog().get(key, key)


def nicknames() -> dict[str, str]:
    """Names of the eight-GPU boards by what else they are called: *HGX H200*, *H200 x8*, *8 x H200*."""
    boards = {
        key.removeprefix("dgx-"): system.name
        for key, system in SYSTEMS.items()
        if key == f"dgx-{system.name.removeprefix('DGX ').lower()}" and system.domain_gpus == BOARD_GPUS
    }
    forms = ("hgx-{}", "{}-x8", "8-x-{}")
    return {form.format(board): name for board, name in boards.items() for form in forms}


def path(name: str) -> str:
    """A way of a transfer, such as *InfiniBand NDR 4x, GPUDirect RDMA* for ``ib-ndr direct``."""
    key, _, way = name.partition(" ")
    ways = {"direct": "GPUDirect RDMA", "bounce, pipelined": "pipelined bounce"}
    return f"{link_name(key)}, {ways.get(way, way)}" if way else link_name(key)


def gpu(key: str) -> str:
    """Name of a GPU, such as *H100 SXM5 80GB*."""
    return GPUS[key].name if key in GPUS else key


def presets() -> dict[str, str]:
    """Names of the software presets by id, such as *vLLM*."""
    return {key: preset.name for key, preset in PRESETS.items()}


def precisions() -> dict[str, str]:
    """Names of number formats by id, such as *FP8*."""
    return {key: precision.name for key, precision in PRECISIONS.items()}


def operations() -> dict[str, str]:
    """Collectives in words by the name that nccl-tests has for them, such as *all-reduce*."""
    return {key: operation(key) for key in COLLECTIVES}


def operation(collective: str | None) -> str:
    """A collective in words, such as *all-reduce*; *collective* where a log does not say which."""
    return (collective or "collective").replace("_", "-")


def exchange(collective: str) -> str:
    """A dispatch or combine of tokens in words, such as *MoE dispatch*."""
    return collective.replace("moe_", "MoE ")


COMMUNICATION_LIBRARIES = {
    "nccl": "NCCL",
    "rccl": "RCCL",
    "vllm-custom": "vLLM custom all-reduce",
    "sglang-custom": "SGLang custom all-reduce",
    "trtllm-auto": f"{PRESETS['trtllm'].name} all-reduce",
    "nvls-multimem": "NVLS multimem",
    "mscclpp": "MSCCL++",
}
"""Names of the communication libraries by id."""
_IDS = re.compile(rf"(?<![\w-])(?:{'|'.join((*COMMUNICATION_LIBRARIES, *COLLECTIVES))})(?![\w-])")
_LIBRARIES = {
    "all-to-all": "all-to-all",
    "deepep": "DeepEP",
    "deepep-low-latency": "DeepEP low latency",
    "deepep-v2": "DeepEP V2",
    "hybridep": "HybridEP",
    "trtllm-one-sided": "TensorRT-LLM one-sided",
    "trtllm-two-sided": "TensorRT-LLM two-sided",
    "uccl-ep": "UCCL-EP",
    "uccl-ep-low-latency": "UCCL-EP low latency",
}


def libraries() -> dict[str, str]:
    """Libraries that exchange tokens, by id."""
    return dict(_LIBRARIES)


def library(key: str) -> str:
    """One of them; an id without a name stands for itself."""
    return _LIBRARIES.get(key, key)


_ALGORITHMS = {
    "nvls": "NVLS",
    "nvls-sharp": "NVLS with SHARP",
    "nvlstree": "NVLS tree",
    "sharp": "SHARP",
    "sharp-pipelined": "SHARP, pipelined",
    "two-level-pipelined": "two-level, pipelined",
    "two-level-tree": "two-level tree",
}


@cache
def algorithm(label: str) -> str:
    """An algorithm in words, with its protocol where ``label`` has one: *NVLS Simple* for ``nvls/Simple``."""
    word, _, protocol = label.partition("/")
    return f"{_ALGORITHMS.get(word, word)} {protocol}".rstrip()


def algorithms(words: Iterable[str]) -> dict[str, str]:
    """Their names by what the address calls them."""
    return {word: algorithm(word) for word in words}


def strategies() -> dict[str, str]:
    """Names of the data-parallel strategies by id, such as *ZeRO-1*."""
    return dict(STRATEGY_NAMES)


def by_generation(ids: Iterable[str]) -> list[str]:
    """Systems as a reader looks for them: by vendor, whole machines before cards, generation, GPU and count."""
    return sorted(ids, key=lambda key: _rank(SYSTEMS[key]))


def _rank(system: System) -> tuple[bool, bool, int, int, str, int]:
    gpu = system.gpu
    generation = list(Architecture).index(gpu.architecture)
    cards = system.name[:1].isdigit()
    return (gpu.vendor != FIRST, cards, generation, gpu.year, gpu.name, system.domain_gpus)


def with_id(name: str, key: str) -> str:
    """A name with the id that the shell takes, once where they are the same."""
    return name if name == key else f"{name} ({key})"


def joined(topology: Topology) -> str:
    """How the GPUs of a scale-up domain are connected, to follow a number of GPUs."""
    return JOINED.get(str(topology), f"in a {topology}")


def alone(label: str) -> str:
    """A label as it stands alone: one that goes on from the widget above, *... or the id of a stored log*, begins anew."""
    rest = label.removeprefix(GOES_ON)
    if rest == label:
        return label
    return sentence(rest.removeprefix("the id of ").removeprefix("a ").partition(",")[0])


def sentence(text: str) -> str:
    """A text as a sentence begins: its first letter large, the others as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def in_words(line: str) -> str:
    """A line of core with libraries and collectives by their names, such as *MSCCL++* for ``mscclpp``."""
    return _IDS.sub(lambda found: COMMUNICATION_LIBRARIES.get(found[0]) or operation(found[0]), line)
