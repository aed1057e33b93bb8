"""Published pairs read in the night of 2026-11-28, by table, GPUs and precision of ``held_out_night``."""

from tests.bench.ablation_pairs import Pair


def _h800(kind: str, name: str, first: str, second: str) -> Pair:
    """Two of XTuner's runs of Qwen3 235B on 256 H800."""
    runs = ((f"235B, {table}", 256, "bf16") for table in (first, second))
    return kind, f"XTuner, Qwen3 235B on 256 H800: {name}", *runs


_8_STAGES, _32_STAGES, _AGAIN = "TP2 PP8", "TP2 PP32", "TP2 PP32, recomputed"
_TOKENS = "GPT-OSS 120B, all-to-all", "GPT-OSS 120B, HybridEP"
NIGHT: tuple[Pair, ...] = (
    ("weak scaling", "torchtitan 8B, FP8, 32 to 64 H200", *(("8B", gpus, "fp8") for gpus in (32, 64))),
    (
        "weak scaling",
        "torchtitan, Qwen3 32B with TP8, 32 to 64 H100",
        *(("Qwen3 32B, TP8, micro-batch 32", gpus, "bf16") for gpus in (32, 64)),
    ),
    ("TP", "nanotron 1B on 8 H100: TP2, then TP4", ("1B, TP2", 8, "bf16"), ("1B, TP4", 8, "bf16")),
    ("PP", "nanotron 1B on 8 H100: TP2, then TP2 PP4", ("1B, TP2", 8, "bf16"), ("1B, TP2 PP4", 8, "bf16")),
    _h800("TP", "TP1, then TP2, recomputed", "PP32, recomputed", _AGAIN),
    _h800("TP", "TP overlapped, then not", f"{_8_STAGES}, TP overlapped", _8_STAGES),
    _h800("DP", "DP exposed, then overlapped", f"{_8_STAGES}, DP exposed", _8_STAGES),
    _h800("PP", "interleaved, then not", _AGAIN, f"{_AGAIN}, not interleaved"),
    _h800("PP", "PP32 interleaved, then PP8", _32_STAGES, _8_STAGES),
    _h800("EP", "EP8 with PP32, then EP32 with PP8", _32_STAGES, "EP32"),
    _h800("EP", "EP32 with DeepEP, then all-to-all", "EP32, DeepEP", "EP32"),
    (
        "EP",
        "PithTrain, Qwen3 30B on 8 B200: EP4, then EP8",
        *((f"Qwen3 30B, EP{n}", 8, "bf16") for n in (4, 8)),
    ),
    (
        "EP",
        "Pai, Qwen3 30B on 16 H800: PP2 EP8, then PP4 EP4",
        *((f"30B, PP{stages} EP{16 // stages}", 16, "bf16") for stages in (2, 4)),
    ),
    *(
        (
            "EP",
            f"GPT-OSS 120B on 64 GB200, {name.upper()}: all-to-all, then HybridEP",
            *((table, 64, name) for table in _TOKENS),
        )
        for name in ("bf16", "mxfp8")
    ),
    *(
        (
            "precision",
            f"{table} on {gpus} {gpu}: {name.upper()}, then BF16",
            (table, gpus, name),
            (table, gpus, "bf16"),
        )
        for table, gpus, gpu, name in (
            *((table, 64, "GB200", "mxfp8") for table in _TOKENS),
            ("DeepSeek-V3", 256, "B300", "nvfp4"),
            ("Qwen3 30B, PP2 EP4", 8, "B200", "fp8"),
            ("Llama 4 Scout", 256, "GB200", "mxfp8"),
        )
    ),
)
"""Of ``held_out_night``, beside nanotron's TP4 of ``held_out_evening``."""
