"""At which dense peak the GEMMs of each weight format run."""

from core import catalog
from core.parallel.peaks import MATH, peak

WIDENED = {
    "a100-sxm-80gb": {},
    "h100-sxm": {"fp8": "fp8", "fp8-block": "fp8", "mxfp8": "fp8", "nvfp4": "fp8", "fp4": "fp8"},
    "b200-sxm": {
        "fp8": "fp8",
        "fp8-block": "fp8",
        "mxfp8": "fp8",
        "nvfp4": "fp4",
        "mxfp4": "fp4",
        "fp4": "fp4",
    },
}
"""What is not named here is computed in BF16."""


def test_every_format_runs_at_the_widest_that_the_gpu_computes_in():
    """A GPU without FP8 or FP4 widens to the next format of the chain, and says so where it is not its own."""
    for gpu_id, own in WIDENED.items():
        gpu = catalog.gpu(gpu_id)
        found = {name: peak(gpu, catalog.precision(name)) for name in MATH if name != "int8"}

        assert {name: chosen.format for name, chosen in found.items()} == {
            name: own.get(name, "bf16") for name in MATH if name != "int8"
        }
        assert {name for name, chosen in found.items() if chosen.note} == {
            name for name, chosen in found.items() if chosen.format != MATH[name][0]
        }
    assert peak(catalog.gpu("h100-sxm"), catalog.precision("int8")).format == "int8"
