"""The sides of a comparison that a question asks for: its systems, or TP degrees of one."""

from dataclasses import replace
from urllib.parse import urlencode

from pages.ui.home.understood.own import tensor_parallel
from pages.ui.home.understood.parts import (
    SMALL_MODEL,
    Inputs,
    degrees_beyond,
    load_inputs,
    machine_inputs,
    model_inputs,
    software_inputs,
    too_small,
)
from pages.ui.home.understood.question import Read


def comparison(read: Read, said: list[str]) -> Inputs:
    """One serving step on each of the systems, or at each of the TP degrees, side by side."""
    inputs: Inputs = {}
    for letter, side in zip("abcd", _sides(read), strict=False):
        own: Inputs = {}
        for part in (machine_inputs, model_inputs, software_inputs, load_inputs):
            part("tensor_parallel", side, own, said)
        tensor_parallel(side, own, said)
        inputs[letter] = f"tensor_parallel?{urlencode(own, doseq=True)}"
    return inputs


def compared_degrees(read: Read) -> tuple[int, ...]:
    """TP degrees that the system holds."""
    return tuple(degree for degree in read.degrees.get("tp", ()) if degree not in degrees_beyond(read))


def _sides(read: Read) -> list[Read]:
    """The question as asked of each of its systems, or of each TP degree of one; nothing without two sides."""
    if not read.models and any(too_small(machine) for machine in read.machines):
        read = replace(read, models=(SMALL_MODEL,))
    if len(read.machines) > 1:
        return [
            replace(read, machines=(machine,), pcie=False, request_rate=None, lengths={})
            for machine in read.machines
        ]
    degrees = compared_degrees(read)
    if len(degrees) > 1:
        return [
            replace(read, degrees={**read.degrees, "tp": (tp,)}, pcie=False, request_rate=None, lengths={})
            for tp in degrees
        ]
    return []
