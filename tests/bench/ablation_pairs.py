"""Published pairs of training runs that differ in one thing, by table, GPUs and precision of the held-out tables."""

Run = tuple[str, int, str]
"""Of a run: its table, GPUs and precision."""
Pair = tuple[str, str, Run, Run]
"""What the loss is of, what differs, the first run and the second."""

FRESH: tuple[Pair, ...] = (
    (
        "weak scaling",
        "Nemotron-H 56B, 32 to 2,048 H100",
        ("Nemotron-H 56B", 32, "fp8"),
        ("Nemotron-H 56B", 2048, "fp8"),
    ),
    (
        "weak scaling",
        "Llama 3.1 405B, 128 to 256 GB200",
        ("Llama 3.1 405B", 128, "bf16"),
        ("Llama 3.1 405B", 256, "bf16"),
    ),
    *(
        (
            "strong scaling",
            f"FlagPerf, 8B, {name.upper()}, 8 to 16 H100",
            *(("8B, TP2, strong scaling", n, name) for n in (8, 16)),
        )
        for name in ("bf16", "fp8")
    ),
    (
        "strong scaling",
        "Alps, 8B, 64 to 128 GH200",
        *(("8B, TP2, strong scaling", n, "bf16") for n in (64, 128)),
    ),
    ("TP", "Alps, 8B on 256 GH200: TP1, then TP2", ("8B, 4K", 256, "bf16"), ("8B, TP2", 256, "bf16")),
    (
        "DP",
        "Primus, GPT-OSS 20B on 8 MI355X: BF16 gradients, then FP32",
        *((f"GPT-OSS 20B{name}", 8, "fp8") for name in (", BF16 gradients", "")),
    ),
    (
        "EP",
        "Qwen3 235B on 256 H100, EP32: overlapped, then not",
        *((f"Qwen3 235B, EP32{name}", 256, "bf16") for name in (", overlapped", "")),
    ),
    (
        "EP",
        "Qwen3 235B on 256 H100: EP32, then EP8 with four times the stages",
        *((f"Qwen3 235B, {name}", 256, "bf16") for name in ("EP32", "PP32")),
    ),
    *(
        (
            "EP",
            f"Mixtral 8x7B on 8 B300, {precision.upper()}: EP2, then FSDP alone",
            *((f"Mixtral 8x7B, EP{ep}", 8, precision) for ep in (2, 1)),
        )
        for precision in ("mxfp8", "bf16")
    ),
    (
        "recomputation",
        "LLaMA 7B on 8 A800, ZeRO-2: none, then full",
        ("ZeRO-2", 8, "bf16"),
        ("ZeRO-2, recomputed", 8, "bf16"),
    ),
    (
        "CP",
        "Llama 2 7B of 64K on 64 H100 with CP2, then of 128K on 128 with CP4",
        *((f"7B, {k}K, TP4 CP{cp}", n, "fp8") for k, cp, n in ((64, 2, 64), (128, 4, 128))),
    ),
    (
        "CP",
        "Llama 2 7B of 512K on 512 H100 with CP16, then of 1024K on 1,024 with CP32",
        *((f"7B, {k}K, TP8 CP{cp}", n, "fp8") for k, cp, n in ((512, 16, 512), (1024, 32, 1024))),
    ),
    (
        "CP",
        "Llama 3 8B of 256K on 64 B200 with CP4, then of 1024K on 256 with CP16",
        *((f"8B, {k}K, TP4 CP{cp}", n, "fp8") for k, cp, n in ((256, 4, 64), (1024, 16, 256))),
    ),
)
"""Of ``held_out_fresh``."""


def _async_tp(gpus: int, precision: str) -> Pair:
    name = f"torchtitan 70B, {precision.upper()}, {gpus} H100 in 2025: TP overlapped, then not"
    return (
        "TP",
        name,
        (f"70B, {gpus} GPUs", gpus, precision),
        (f"70B, {gpus} GPUs, TP exposed", gpus, precision),
    )


NEWEST: tuple[Pair, ...] = (
    _async_tp(256, "bf16"),
    _async_tp(256, "fp8"),
    _async_tp(128, "bf16"),
    ("TP", "Megatron-Bridge 70B, FP8, 32 H100: TP4, then TP8", ("70B", 32, "fp8"), ("70B, TP8", 32, "fp8")),
    ("PP", "Megatron-Bridge 70B, FP8, 32 H100: PP4, then PP8", ("70B", 32, "fp8"), ("70B, PP8", 32, "fp8")),
    (
        "recomputation",
        "Megatron-Bridge 70B, FP8, 32 H100: attention, then MLP recomputed",
        ("70B", 32, "fp8"),
        ("70B, MLP recomputed", 32, "fp8"),
    ),
    (
        "recomputation",
        "DeepSeek-V3 of 14 layers on 64 H100: none, then full",
        ("DeepSeek-V3, 14 layers", 64, "bf16"),
        ("DeepSeek-V3, 14 layers, recomputed", 64, "bf16"),
    ),
    (
        "EP",
        "DeepSeek-V3 of 14 layers on 64 H100, EP16, recomputed: overlapped, then not",
        ("DeepSeek-V3, 14 layers, recomputed, overlapped", 64, "bf16"),
        ("DeepSeek-V3, 14 layers, recomputed", 64, "bf16"),
    ),
    *(
        (
            "EP",
            f"Qwen3 30B on 16 H100, EP16, {kind}: overlapped, then not",
            (f"Qwen3 30B, {kind}, overlapped", 16, "bf16"),
            (f"Qwen3 30B, {kind}", 16, "bf16"),
        )
        for kind in ("HybridEP", "all-to-all")
    ),
    (
        "DP",
        "Megatron-LLaMA 13B on 128 A800: 2,048 sequences, then 1,024",
        *((f"13B, {count} sequences", 128, "bf16") for count in ("2,048", "1,024")),
    ),
    (
        "weak scaling",
        "Nous, Qwen3 30B in FSDP, 8 to 128 B200",
        ("Qwen3 30B, DeepEP", 8, "bf16"),
        ("Qwen3 30B, DeepEP", 128, "bf16"),
    ),
)
"""Of ``held_out_newest``."""


_GEMMS = "Qwen3 235B, exchange in GEMMs"
LAST: tuple[Pair, ...] = (
    ("weak scaling", "ATorch, 7B in FSDP, 8 to 64 A100", ("7B", 8, "bf16"), ("7B", 64, "bf16")),
    (
        "weak scaling",
        "ATorch, 7B with TP2 PP2, 8 to 64 A100",
        ("7B, TP2 PP2", 8, "fp16"),
        ("7B, TP2 PP2", 64, "fp16"),
    ),
    ("TP", "ATorch, 7B on 8 A100: PP2, then TP2", ("7B, PP2", 8, "fp16"), ("7B, TP2", 8, "fp16")),
    *(
        (
            "recomputation",
            f"torchtitan 13B on 64 A100: none, then {name}",
            ("13B", 64, "bf16"),
            (f"13B, {name}", 64, "bf16"),
        )
        for name in ("every other layer recomputed", "operations recomputed")
    ),
    (
        "EP",
        "prime-rl, Qwen3 235B on 32 B300: exchange in GEMMs, then exposed",
        (_GEMMS, 32, "bf16"),
        ("Qwen3 235B", 32, "bf16"),
    ),
    (
        "recomputation",
        "prime-rl, Qwen3 235B on 32 B300: by operation, then full",
        (f"{_GEMMS}, operations recomputed", 32, "bf16"),
        (_GEMMS, 32, "bf16"),
    ),
)
"""Of ``held_out_last``."""


def _from_tp2(kind: str, what: str, table: str, precision: str = "bf16") -> Pair:
    first = ("Qwen3 8B, TP2", 16, "bf16")
    return kind, f"Qwen3 8B on 16 H100: TP2, then {what}", first, (table, 16, precision)


BLIND: tuple[Pair, ...] = (
    (
        "weak scaling",
        "Qwen3 8B with TP2, 8 to 16 H100",
        ("Qwen3 8B, TP2, one node", 8, "bf16"),
        ("Qwen3 8B, TP2", 16, "bf16"),
    ),
    _from_tp2("TP", "TP4", "Qwen3 8B, TP4"),
    _from_tp2("TP", "TP8", "Qwen3 8B, TP8"),
    _from_tp2("PP", "PP2 as well", "Qwen3 8B, TP2 PP2"),
    _from_tp2("recomputation", "DP16, recomputed", "Qwen3 8B, recomputed"),
    (
        "TP",
        "Qwen3 1.7B on 16 H100: TP1, then TP2",
        *((f"Qwen3 1.7B{name}", 16, "bf16") for name in ("", ", TP2")),
    ),
    (
        "PP",
        "Qwen3 1.7B on 16 H100: PP1, then PP2",
        *((f"Qwen3 1.7B{name}", 16, "bf16") for name in ("", ", PP2")),
    ),
    (
        "TP",
        "Qwen3 32B on 16 H100: TP4 PP2 DP2, then TP8 PP2",
        *((f"Qwen3 32B, TP{tp} PP2", 16, "bf16") for tp in (4, 8)),
    ),
    (
        "CP",
        "Qwen3 8B of 16K on 16 H100: TP2 CP2, then TP4",
        ("Qwen3 8B, TP2 CP2", 16, "bf16"),
        ("Qwen3 8B, TP4, 16K", 16, "bf16"),
    ),
    ("EP", "Qwen3 30B on 16 H100: EP8, then EP16", *((f"Qwen3 30B, EP{ep}", 16, "bf16") for ep in (8, 16))),
)
"""Of ``held_out_blind``."""


def _wider(tp: int, name: str) -> Pair:
    first, second = (f"3B, TP{degree}{name}" for degree in (tp, 2 * tp))
    return (
        "TP",
        f"nanotron 3B on H100{name}: TP{tp}, then TP{2 * tp}",
        (first, tp, "bf16"),
        (second, 2 * tp, "bf16"),
    )


_LONG = (("Qwen3 8B", 8, "bf16"), ("Qwen3 8B, two nodes", 16, "bf16"), ("Qwen3 8B, four nodes", 32, "bf16"))
EVENING: tuple[Pair, ...] = (
    *(_wider(tp, name) for name in ("", ", SP") for tp in (2, 4, 8, 16)),
    ("CP", "TRL, Qwen3 8B: 1M on 8 H100 with CP8, then 2M on 16 with CP16", _LONG[0], _LONG[1]),
    ("CP", "TRL, Qwen3 8B: 2M on 16 H100 with CP16, then 4M on 32 with CP32", _LONG[1], _LONG[2]),
    ("DP", "ms-swift 14B on 8 A800: ZeRO-2, then ZeRO-3", *((f"14B, ZeRO-{n}", 8, "bf16") for n in (2, 3))),
    (
        "precision",
        "MAD, Qwen3 8B on 8 MI350X: FP8, then BF16",
        *(("Qwen3 8B", 8, name) for name in ("fp8", "bf16")),
    ),
    (
        "CUDA graphs",
        "Qwen3 30B on 16 H100, all-to-all: of parts, then none",
        ("Qwen3 30B, all-to-all, part of a graph", 16, "bf16"),
        ("Qwen3 30B, all-to-all, no graph", 16, "bf16"),
    ),
    (
        "CUDA graphs",
        "Qwen3 235B on 256 GB200, PP16: of parts, then none",
        ("Qwen3 235B, learned routing", 256, "mxfp8"),
        ("Qwen3 235B, learned routing, no graph", 256, "mxfp8"),
    ),
    *(
        (
            "CUDA graphs",
            f"{name} on {gpus} GB200: of the iteration, then of parts",
            (f"{name}, whole graph", gpus, "mxfp8"),
            (f"{name}, part of a graph", gpus, "mxfp8"),
        )
        for name, gpus in (("Qwen3 235B", 128), ("Qwen3 30B", 16))
    ),
)
"""Of ``held_out_evening``, beside rows of ``held_out_last`` and ``held_out_newest``."""
