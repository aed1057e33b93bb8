"""Output tokens/s of TensorRT-LLM 1.0 on one GPU, which no constant was fitted on."""

from core.calculators.serving import engine_of, offline
from core.calculators.tensor_parallel import Scenario
from core.catalog import model, precision, system
from core.catalog.software import PRESETS
from tests.figures.serving import TENSORRT_LLM_1_0

SOURCE = TENSORRT_LLM_1_0
LENGTHS = (
    (128, 128), (128, 2048), (128, 4096), (500, 2000), (1000, 1000),
    (1000, 2000), (2048, 128), (2048, 2048), (5000, 500), (20000, 2000),
)  # fmt: skip
TOKENS_PER_S = {
    ("llama-3.1-70b", "dgx-b200", "nvfp4"): (11147, 9922, 6831, 7762, 7007, 6271, 1339, 4783, 1459, 665),
    ("llama-3.1-70b", "dgx-h200", "fp8"): (3803, 4336, 2872, 3666, 2909, 2994, 442, 2003, 566, 283),
    ("llama-3.1-8b", "dgx-h200", "fp8"): (27911, 26221, 18027, 20770, 17744, 16828, 3538, 12194, 3902, 1804),
    ("llama-3.1-8b", "dgx-h100", "fp8"): (28312, 22714, 14325, 17660, 15220, 13899, 3450, 9305, 3459, 1351),
}


def errors():
    """Relative errors of all of them, with the engine ``trtllm``."""
    engine, off = engine_of(PRESETS["trtllm"]), []
    for (name, machine, weights), rates in TOKENS_PER_S.items():
        kinds = {"weights": precision(weights), "kv": precision("fp8")}
        job = Scenario(system(machine), model(name), tp=1, launch="graph", **kinds)
        for lengths, rate in zip(LENGTHS, rates, strict=True):
            off.append(offline(job, *lengths, engine=engine).output_tokens_per_s / rate - 1)
    return off
