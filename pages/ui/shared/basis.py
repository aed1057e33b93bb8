"""What an answer rests on, in words: the basis that the cost model names by an id."""

import re

from pages.ui.shared.names import COMMUNICATION_LIBRARIES

WORDS = {
    "nvlink": "NVLink",
    "pcie": "PCIe",
    "peer": "peer-to-peer",
    "staged": "through host memory",
    "mesh": "GPU mesh",
    "ib": "InfiniBand",
    "roce": "RoCE",
    "efa": "EFA",
    "slingshot": "Slingshot",
    "tcpx": "GPUDirect-TCPX",
    "tcpxo": "GPUDirect-TCPXO",
    "moe": "MoE",
    "alltoall": "all-to-all",
    "deepep": "DeepEP",
    "hybridep": "HybridEP",
    "uccl": "UCCL",
    "ep": "EP",
    "v2": "V2",
    "gb200": "GB200",
    "volta": "Volta",
    "ampere": "Ampere",
    "hopper": "Hopper",
    "blackwell": "Blackwell",
    "rubin": "Rubin",
    "cdna3": "CDNA 3",
    "cdna4": "CDNA 4",
}

SENTENCES = {
    "calibrated": "Calibrated on published measurements of {measured} systems.",
    "extrapolated": "Extrapolated from measurements of {measured} systems: nobody measured this one, so the "
    "prediction interval is wider.",
    "parts": "Composed from link rate and step latency: nobody measured such a system, so the prediction interval "
    "is wider.",
    "adapted": "Adapted to your measured times ({points}).",
    "fitted": "Fitted to your own measurements ({name}).",
    "spec": "Datasheet rates alone, without calibration.",
}
BEYOND = " beyond "
"""Between a set and the largest message that it was measured with."""


def measured_set(name: str) -> str:
    """The set of measurements behind a calibration, such as ``nvlink-hopper``, in words."""
    library, _, hardware = name.rpartition("/")
    words = " ".join(WORDS.get(part, part) for part in re.split(r"[-/ ]", hardware) if part)
    if library in COMMUNICATION_LIBRARIES:
        return f"{COMMUNICATION_LIBRARIES[library]}, {words}"
    return f"{measured_set(library)} {words}" if library else words


def sentence(basis: str) -> str:
    """One sentence for a basis such as ``calibrated:nvlink-hopper`` or ``spec``."""
    kind, _, name = basis.partition(":")
    name, _, largest = name.partition(BEYOND)
    if largest:
        return f"Extrapolated from published measurements of {measured_set(name)} systems, which end at {largest}."
    if kind in SENTENCES:
        return SENTENCES[kind].format(
            measured=measured_set(name), name=name, points=name.replace("1 points", "1 point")
        )
    return f"Basis: {basis}."


def short(basis: str) -> str:
    """A few words for a table cell."""
    kind, _, name = basis.partition(":")
    return f"{kind}, {measured_set(name)}" if name and kind in ("calibrated", "extrapolated") else kind
