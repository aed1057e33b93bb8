"""The slot of the GPUs in a topology that NCCL dumped (``NCCL_TOPO_DUMP_FILE``), where nothing names them."""

import re

_OF_GPU = re.compile(
    r'link_speed="(?P<speed>\d{1,2}(?:\.\d)?) GT/s(?: PCIe)?" link_width="16"[^\n]{0,80}\n\s{0,40}<gpu dev='
)
_GENERATIONS = {"8.0": "3", "8": "3", "16.0": "4", "16": "4", "32.0": "5", "32": "5"}


def dumped_card(text: str) -> str:
    """The name of a card on the slot that all GPUs of a dump have; empty with NVLink, or without a dump."""
    speeds = {match["speed"] for match in _OF_GPU.finditer(text)}
    generation = _GENERATIONS.get(speeds.pop(), "") if len(speeds) == 1 and "<nvlink" not in text else ""
    return f"card on PCIe {generation}.0" if generation else ""
