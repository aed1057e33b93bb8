"""A measured rate of a question as a sentence that the page Check judges."""

import re
from dataclasses import dataclass
from math import ceil

from core.catalog.links.network import NETWORK_LINKS
from core.units import GB, GIGABIT_BYTES
from pages.ui.home.understood.parts import Inputs, gpus_in_all
from pages.ui.home.understood.question import Read
from pages.ui.shared import names, told

_RATE = re.compile(
    r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?:(?P<bits>Gb|Gbit|gb(?=ps))|gb|GB)(?:\s*/\s*[sS]|ps|PS)"
)
"""In bytes, or with a small b behind a capital G in bits; *gbps* are bits, as of a port."""
_PORTS = {link.rate.bytes_per_s for link in NETWORK_LINKS if link.rate}
"""Rates of ports: a figure of one of them in bits is what a machine has, not what was measured."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A rate as it was written, and in bytes/s; None in a unit that is not converted."""

    text: str
    bytes_per_s: float | None
    in_bits: bool = False


def measured(read: Read) -> tuple[Judged, ...]:
    """The rates of a question that were measured; those in other units count too, though nobody converts them."""
    rates = [converted(text) for text in read.rates]
    return tuple(rate for rate in rates if not (rate.in_bits and rate.bytes_per_s in _PORTS))


def converted(text: str) -> Judged:
    """A rate as it was written, in bytes/s where its unit is one of GB/s or Gb/s."""
    rate = _RATE.fullmatch(text)
    if rate is None:
        return Judged(text, None)
    in_bits = rate["bits"] is not None
    return Judged(text, float(rate[1].replace(",", "")) * (GIGABIT_BYTES if in_bits else GB), in_bits)


def check(read: Read, inputs: Inputs, said: list[str]) -> None:
    """The one rate of the question as a sentence that the page judges, on the machine of the question."""
    machine = read.machines[0] if read.machines else None
    rates = measured(read)
    if machine is None or len(rates) != 1 or (bytes_per_s := rates[0].bytes_per_s) is None:
        return
    gpus = gpus_in_all(read)
    domains = ceil(gpus / machine.domain_gpus) if gpus else machine.domains or read.domains or 1
    each = min(gpus or machine.domain_gpus, machine.domain_gpus)
    where = f"{domains} nodes of {each}x" if domains > 1 else f"{each}x"
    size = f" at {read.size}" if read.size else ""
    operation = read.operation or "all_reduce"
    busbw = f"{bytes_per_s / GB:g} GB/s"
    inputs[told.TOLD] = f"{operation} on {where} {names.gpu(machine.gpu)}: {busbw} busbw{size}"
    text = rates[0].text
    written = f"{text} = {busbw}" if rates[0].in_bits else text
    said.append(f"{names.operations().get(operation, operation)}, busbw {written}")
