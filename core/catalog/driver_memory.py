"""What a driver reports as a GPU's memory: more than a datasheet's GB where those are GiB."""

from core.units import MIB, converted

DRIVER_MIB = {
    "v100-sxm": 32_510,
    "a100-sxm-40gb": 40_960,
    "a100-pcie-40gb": 40_960,
    "a100-sxm-80gb": 81_920,
    "a100-pcie-80gb": 81_920,
    "a800-sxm": 81_920,
    "h100-sxm": 81_559,
    "h100-pcie": 81_559,
    "h800-sxm": 81_559,
    "h100-nvl": 95_830,
    "h20": 97_871,
    "gh200": 97_871,
    "h200-sxm": 143_771,
    "b200-sxm": 183_359,
    "gb200": 189_471,
    "b300-sxm": 275_040,
    "gb300": 284_208,
    "mi300x": 196_588,
    "mi325x": 262_124,
    "mi350x": 294_892,
    "mi355x": 294_892,
    "t4": 15_360,
    "l4": 23_034,
    "l40s": 46_068,
    "rtx-3090": 24_576,
    "rtx-4090": 24_564,
    "rtx-5090": 32_607,
    "rtx-pro-6000-server": 97_887,
}
"""Total in MiB as nvidia-smi prints it (T4 to H100: github.com/modal-labs/modal-client/pull/2797; newer
ones in many public logs of that command, looked up in November 2026); of AMD's as PyTorch prints it
(191.98, 255.98 and 287.98 GiB). GPUs that are missing here have no such log."""


def driver_memory_bytes(gpu_id: str) -> float | None:
    """Bytes that the driver reports for a GPU of the catalog; None where no log was seen."""
    mib = DRIVER_MIB.get(gpu_id)
    return converted(mib, MIB)
