"""Stand-ins are named: kernels of another generation or engine, and the wider interval of an engine nobody timed."""

from itertools import product

import pytest

from core.calculators.tensor_parallel import Scenario, answer
from core.catalog import GPUS, model, precision, system
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.moe import MOE
from core.catalog.calibrations.kernels.sources import MEASURED_KERNELS
from core.catalog.calibrations.kernels.unseen import UNSEEN_GEMM
from core.catalog.software import PRESETS
from core.kernels.engine_libraries import step_libraries
from core.kernels.formats import FORMATS, format_on
from core.kernels.gemm import ENGINES, gemm_s
from core.kernels.generation import constants_of, generation_of
from core.kernels.routed import of_engine, routed_mlp_s
from core.kernels.stand_ins import dense_stand_ins, elsewhere, routed_stand_ins
from tests.shell.commands import answer as shell


def told(name, shape, weights, engine):
    """Assumptions and sources of a step."""
    found = answer(Scenario(system(name), model(shape), weights=precision(weights), engine=engine))
    return " ".join(found.assumptions), found.sources


@pytest.mark.parametrize("gpu", sorted(GPUS))
def test_a_stand_in_is_named_where_and_only_where_one_answers(gpu):
    """Every GPU of the catalog: the generation that is named is the one whose constants are taken."""
    device = GPUS[gpu]
    for measured in GEMMS.values():
        constants, own = constants_of(device, measured)
        assert (elsewhere(device, measured) is None) == own
        assert measured[generation_of(device, measured)] is constants


def test_experts_name_the_kernels_that_they_take():
    """VLLM's own for DeepSeek on H200; where an engine was not timed the line says whose answer instead."""
    own, sources = told("dgx-h200", "deepseek-v3-r1", "fp8", "vllm")
    assert "routed MLPs by the kernels of vLLM" in own
    assert MEASURED_KERNELS in sources
    seen = set()
    for gpu, number_format, engine in product(
        ("h200-sxm", "l40s", "b200-sxm"), set(MOE) & set(FORMATS), ENGINES
    ):
        if format_on(GPUS[gpu], number_format)[0].routed != number_format:
            continue
        libraries = step_libraries(GPUS[gpu], number_format, engine)
        lines = routed_stand_ins(GPUS[gpu], number_format, engine)
        missing = any(f"none of {PRESETS[engine].name} were measured" in line for line in lines)
        assert missing == (not of_engine(libraries, engine))
        seen.add(missing)
    assert seen == {True, False}


def test_gemms_of_another_engine_stand_in():
    """GEMMs and attention of a step are TensorRT-LLM's; of another engine they are stand-ins, of it or of none they are not."""
    gpu = GPUS["h100-sxm"]
    assert dense_stand_ins(gpu, "fp8", "trtllm", latent=False) == []
    assert dense_stand_ins(gpu, "fp8", None, latent=False) == []
    (line,) = dense_stand_ins(gpu, "fp8", "vllm", latent=False)
    assert line.startswith("GEMMs and attention of TensorRT-LLM stand in for those of vLLM")


def test_weights_that_are_widened_stand_in():
    """Nobody timed Marlin's GEMMs in an engine: INT4 weights are told as such, BF16 ones are not."""
    assert "widen" in told("dgx-a100", "llama-3.1-70b", "w4a16", "vllm")[0]
    assert "widen" not in told("dgx-a100", "llama-3.1-70b", "bf16", "vllm")[0]


@pytest.mark.parametrize("number_format", sorted(UNSEEN_GEMM))
def test_an_engine_that_nobody_timed_is_less_sure(number_format):
    """Where a named engine's kernels were not measured the interval holds that of engines left out, and the time stays."""
    for gpu in ("h100-sxm", "l40s", "a100-sxm-80gb"):
        for engine in ("sglang", "vllm"):
            named, none = (
                gemm_s(GPUS[gpu], number_format, 64, 4096, 1024, engine=name) for name in (engine, None)
            )
            if named.engine is None:
                assert named.time_s == none.time_s
                assert named.low_s <= none.low_s
                assert named.high_s >= none.high_s


def test_experts_of_an_engine_nobody_timed_too():
    """The same of routed MLPs: block-scaled FP8 experts of an engine without a table."""
    for number_format, gpu in (("fp8-block", "rtx-pro-6000-server"), ("int4-weight-only", "h200-sxm")):
        sizes = (64, 2048, 768, 8, 128)
        for engine in ("trtllm", "sglang", "vllm"):
            named, none = (
                routed_mlp_s(GPUS[gpu], number_format, *sizes, engine=name) for name in (engine, None)
            )
            if named.engine is None:
                assert named.high_s / named.low_s >= none.high_s / none.low_s


def test_the_shell_names_the_generation(capsys):
    """``kernel gemm`` on an MI300X: the kernels of Blackwell with HBM stand in; on an H100 none do."""
    assert shell(capsys, "kernel", "gemm", "--gpu", "mi300x")["stands_in"] == "Blackwell with HBM"
    assert shell(capsys, "kernel", "gemm")["stands_in"] is None
