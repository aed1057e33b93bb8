"""Which GPU of the catalog a log names, by the words of its name or by an instance type of a cloud."""

import re

from core.catalog import GPUS
from core.catalog.instances import INSTANCES, Instance
from core.measurement import Run
from core.verdict.bridges import is_above_slots, shows_bridges
from core.verdict.cards import stand_in

_CARDS = {"pcie", "nvl", "fhhl"}
"""Words of cards: no module has them in its name."""


def instance_of(run: Run) -> Instance | None:
    """
    The instance type that a line of the log names, as ``p4d.24xlarge``.

    None where none does, where its GPU is not the run's, and where several do that differ.
    """
    words = {item.value.lower() for item in run.observations if item.kind == "instance"}
    gpu = _named_gpu(run)
    own = [
        item
        for item in INSTANCES
        if any(item.name.lower() in word for word in words)
        and (item.gpu in alike(gpu) if gpu else not run.machine.gpus)
    ]
    if len({item.network for item in own}) != 1 or (gpu is None and len({item.gpu for item in own}) > 1):
        return None
    return own[0]


def gpu_id(run: Run) -> str | None:
    """Catalog id of the run's GPU by the words of its name; None if nothing fits."""
    if not run.machine.gpus:
        instance = instance_of(run)
        return instance.gpu if instance else None
    return _named_gpu(run)


def _named_gpu(run: Run) -> str | None:
    if not run.machine.gpus:
        return None
    printed = set(re.split(r"[^a-z0-9]+", run.machine.gpus[0].name.lower()))
    best, most = None, 0
    for key in GPUS:
        tokens = key.split("-")
        series = tokens[1] if tokens[0] == "rtx" and len(tokens) > 1 else tokens[0]
        if series not in printed or _another(tokens, printed):
            continue
        score = 2 + sum(token in printed for token in tokens) + ("sxm" in tokens)
        if score > most:
            best, most = key, score
    return best


def card_of(run: Run) -> str | None:
    """Catalog id of the run's GPU, or of the card that stands for one that the catalog lacks; else None."""
    own = gpu_id(run)
    if own is not None or not run.machine.gpus:
        return own
    name = run.machine.gpus[0].name
    card = stand_in(name)
    return stand_in(name, bridged=shows_bridges([run], card), above_slot=is_above_slots([run], card))


def _another(tokens: list[str], printed: set[str]) -> bool:
    """Whether a name is of another product of the series: a card for a module, another number or suffix."""
    if ("sxm" in tokens and _CARDS & printed) or ("laptop" in printed):
        return True
    return any((token.isdigit() or token in ("ada", "ti")) and token not in printed for token in tokens)


def alike(gpu: str) -> list[str]:
    """The GPU and those of its series on the same link, such as both memory sizes of A100 SXM4."""
    series = gpu.partition("-")[0]
    return [gpu] + [
        key
        for key, item in GPUS.items()
        if key != gpu
        and key.partition("-")[0] == series
        and _form(key) == _form(gpu)
        and item.scale_up is not None
        and item.scale_up == GPUS[gpu].scale_up
    ]


def _form(gpu: str) -> set[str]:
    """``pcie`` or ``nvl`` of a card's id; empty of a module's."""
    return _CARDS & set(gpu.split("-"))
