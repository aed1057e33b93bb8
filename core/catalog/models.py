"""Models: shapes of released transformers, and one rumour, with their sources."""

from dataclasses import dataclass

from core.catalog.config_models import CONFIG_MODELS
from core.catalog.sources import cite
from core.provenance import Confidence
from core.units import BILLION
from core.workload import Attention, Model

_LLAMA = "llama-sku-list"


@dataclass(frozen=True, slots=True)
class Experts:
    """Routed experts of a MoE layer, shared ones, those of a token, and the hidden size of one."""

    count: int
    shared: int
    active: int
    ffn: int


@dataclass(frozen=True, slots=True)
class Latent:
    """Widths of multi-head latent attention (MLA)."""

    kv_lora: int
    rope: int
    q_lora: int
    value_head: int


@dataclass(frozen=True, slots=True)
class Window:
    """Sliding-window attention: tokens of the window, layers that have it."""

    tokens: int
    layers: int


@dataclass(frozen=True, slots=True)
class Extra:
    """Values of a layer beyond matrices and two norms, and biases of one MLP or expert."""

    layer: int
    mlp: int = 0


def _model(
    model_id: str,
    name: str,
    layers: int,
    hidden: int,
    heads: int,
    kv_heads: int,
    head_dim: int,
    vocab: int,
    *,
    params_billion: float,
    published: str,
    sources: tuple[str, ...],
    ffn: int | None = None,
    active_billion: float | None = None,
    experts: Experts | None = None,
    dense_layers: int | None = None,
    latent: Latent | None = None,
    window: Window | None = None,
    extra: Extra | None = None,
    tied: bool = False,
    note: str = "",
) -> Model:
    """A released model; widths in values, parameters in billions."""
    return Model(
        id=model_id,
        name=name,
        layers=layers,
        dense_layers=layers if dense_layers is None else dense_layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        attention=Attention.GQA if latent is None else Attention.MLA,
        ffn=ffn,
        vocab=vocab,
        params=params_billion * BILLION,
        active_params=(params_billion if active_billion is None else active_billion) * BILLION,
        published_params=published,
        value_head_dim=latent.value_head if latent else None,
        kv_lora_rank=latent.kv_lora if latent else None,
        rope_dim=latent.rope if latent else None,
        q_lora_rank=latent.q_lora if latent else None,
        expert_ffn=experts.ffn if experts else None,
        experts=experts.count if experts else 0,
        shared_experts=experts.shared if experts else 0,
        active_experts=experts.active if experts else 0,
        window=window.tokens if window else None,
        window_layers=window.layers if window else 0,
        layer_extra_params=extra.layer if extra else 0,
        mlp_extra_params=extra.mlp if extra else 0,
        tied_embeddings=tied,
        sources=cite(*sources),
        confidence=Confidence.HIGH,
        note=note,
    )


_RELEASED = (
    _model(
        "llama-3.1-8b",
        "Llama 3 / 3.1 8B",
        32,
        4096,
        32,
        8,
        128,
        128256,
        ffn=14336,
        params_billion=8.03,
        published="8.03",
        sources=(_LLAMA,),
    ),
    _model(
        "llama-3.1-70b",
        "Llama 3 / 3.1 70B",
        80,
        8192,
        64,
        8,
        128,
        128256,
        ffn=28672,
        params_billion=70.554,
        published="70.6",
        sources=(_LLAMA,),
    ),
    _model(
        "llama-3.1-405b",
        "Llama 3.1 405B",
        126,
        16384,
        128,
        8,
        128,
        128256,
        ffn=53248,
        params_billion=405.853,
        published="405",
        sources=(_LLAMA,),
        note="126 layers; 80 is the 70B",
    ),
    _model(
        "llama-2-70b",
        "Llama 2 70B",
        80,
        8192,
        64,
        8,
        128,
        32000,
        ffn=28672,
        params_billion=68.977,
        published="69",
        sources=(_LLAMA, "recall"),
        note="the list prints a vocabulary of 128,256 for Llama 2, which is wrong; 32,000 is from memory",
    ),
    _model(
        "mixtral-8x7b",
        "Mixtral 8x7B",
        32,
        4096,
        32,
        8,
        128,
        32000,
        experts=Experts(8, shared=0, active=2, ffn=14336),
        dense_layers=0,
        params_billion=46.703,
        active_billion=12.88,
        published="46.7 (12.9 active)",
        sources=("nemo-mixtral",),
    ),
    _model(
        "mixtral-8x22b",
        "Mixtral 8x22B",
        56,
        6144,
        48,
        8,
        128,
        32768,
        experts=Experts(8, shared=0, active=2, ffn=16384),
        dense_layers=0,
        params_billion=140.63,
        active_billion=39.161,
        published="141 (39 active)",
        sources=("nemo-mixtral", "recall"),
        note="vocabulary of 32,768 or 32,000 by version, from memory",
    ),
    _model(
        "grok-1",
        "Grok-1",
        64,
        6144,
        48,
        8,
        128,
        131072,
        experts=Experts(8, shared=0, active=2, ffn=32768),
        dense_layers=0,
        extra=Extra(2 * 6144),
        params_billion=315.685,
        active_billion=83.757,
        published="314",
        tied=True,
        sources=("grok-1",),
        note="314B leaves out the embedding, which is the output head too; four norms a layer",
    ),
    _model(
        "dbrx",
        "DBRX",
        40,
        6144,
        48,
        8,
        128,
        100352,
        experts=Experts(16, shared=0, active=4, ffn=10752),
        dense_layers=0,
        params_billion=131.597,
        active_billion=36.47,
        published="132 (36 active)",
        sources=("dbrx",),
    ),
    _model(
        "phi-3.5-moe",
        "Phi-3.5-MoE",
        32,
        4096,
        32,
        8,
        128,
        32064,
        experts=Experts(16, shared=0, active=2, ffn=6400),
        dense_layers=0,
        params_billion=41.873,
        active_billion=6.64,
        published="41.9 (6.6 active)",
        sources=("phi-3.5-moe",),
    ),
    _model(
        "deepseek-v3-r1",
        "DeepSeek-V3 / R1",
        61,
        7168,
        128,
        128,
        128,
        129280,
        ffn=18432,
        experts=Experts(256, shared=1, active=8, ffn=2048),
        dense_layers=3,
        latent=Latent(kv_lora=512, rope=64, q_lora=1536, value_head=128),
        params_billion=671.026,
        active_billion=37.552,
        published="671 (37 active)",
        sources=("deepseek-v3-config",),
        note="keys and values are one shared latent, kept whole on every TP rank; 14B of the MTP module not counted",
    ),
    _model(
        "qwen3-235b-a22b",
        "Qwen3-235B-A22B",
        94,
        4096,
        64,
        4,
        128,
        151936,
        ffn=12288,
        experts=Experts(128, shared=0, active=8, ffn=1536),
        dense_layers=0,
        extra=Extra(256),
        params_billion=235.094,
        active_billion=22.191,
        published="235 (22 active)",
        sources=("nemo-qwen3",),
        note="4 KV heads: TP above 4 copies them",
    ),
    _model(
        "gpt-oss-120b",
        "GPT-OSS-120B",
        36,
        2880,
        64,
        8,
        64,
        201088,
        experts=Experts(128, shared=0, active=4, ffn=2880),
        dense_layers=0,
        window=Window(128, layers=18),
        extra=Extra(8192, mlp=8640),
        params_billion=116.829,
        active_billion=5.712,
        published="116.8 (5.1 active)",
        sources=("gpt-oss",),
        note="18 of 36 layers keep 128 tokens of keys and values; experts are stored as MXFP4",
    ),
    _model(
        "kimi-k2",
        "Kimi K2",
        61,
        7168,
        64,
        64,
        128,
        163840,
        ffn=18432,
        experts=Experts(384, shared=1, active=8, ffn=2048),
        dense_layers=1,
        latent=Latent(kv_lora=512, rope=64, q_lora=1536, value_head=128),
        params_billion=1026.408,
        active_billion=32.862,
        published="1000 (32 active)",
        sources=("kimi-k2-readme", "deepseek-v3-config"),
    ),
)

_RUMOURED = Model(
    id="gpt-4-class-1.8t-moe",
    name="GPT-4-class 1.8T MoE",
    layers=120,
    dense_layers=0,
    hidden=None,
    heads=None,
    kv_heads=None,
    head_dim=None,
    attention=None,
    ffn=None,
    vocab=None,
    params=1800 * BILLION,
    active_params=280 * BILLION,
    published_params="~1800 (~280 active)",
    experts=16,
    active_experts=2,
    sources=cite("gpt4-leak"),
    confidence=Confidence.RUMOUR,
    note="never confirmed; 16 x 111 + 55 = 1,831B, 2 x 111 + 55 = 277B; another rumour says 8 x 220B",
)

MODELS = {entry.id: entry for entry in (*_RELEASED, *CONFIG_MODELS, _RUMOURED)}
