"""Published shapes of models whose layers differ, typed from each publisher's config.json."""

PATTERN_8B = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"
PATTERN_47B = (
    "M-M-M-M-M-M-M-M-M*-M-M-M-M-M-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-M-M---MM---M-M*-M-M-M-M-M-"
)
PATTERN_56B = "M-M-M-M*-" + "M-M-M-M-M*-" * 9 + "M-M-M-M-M-"
PATTERN_NANO_9B = "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-"
PATTERN_NANO_12B = "M-M-M-M*" + "-M-M-M-M*" * 5 + "-M-M-M-M-"
PATTERN_NANO_3 = "MEMEM*E" * 5 + "MEMEMEM*EMEMEMEME"
PATTERN_SUPER = "MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME"
GRANITE_LAYERS = ["mamba"] * 5 + (["attention"] + ["mamba"] * 9) * 3 + ["attention"] + ["mamba"] * 4


def sizes(kind, hidden, layers, heads, kv_heads, ffn, vocab, **more):
    """Keys that every publisher's file has."""
    return {
        "model_type": kind,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "intermediate_size": ffn,
        "vocab_size": vocab,
    } | more


def nemotron(hidden, heads, ffn, pattern, mamba, **more):
    """Nemotron-H: heads of Mamba-2, their width, their state."""
    state = dict(zip(("mamba_num_heads", "mamba_head_dim", "ssm_state_size"), mamba, strict=True))
    shared = {"head_dim": 128, "n_groups": 8, "conv_kernel": 4, "hybrid_override_pattern": pattern}
    kv_heads = more.pop("kv_heads", 8)
    base = sizes("nemotron_h", hidden, len(pattern), heads, kv_heads, ffn, 131072)
    return base | state | shared | more


def granite(hidden, heads, kv_heads, ffn, shared, mamba_heads, **more):
    """Granite 4.0 H: four layers of attention in forty."""
    state = {"mamba_d_state": 128, "mamba_d_head": 64, "mamba_n_heads": mamba_heads, "mamba_n_groups": 1}
    base = sizes("granitemoehybrid", hidden, 40, heads, kv_heads, ffn, 100352, layer_types=GRANITE_LAYERS)
    experts = {"num_local_experts": 0, "num_experts_per_tok": 0, "shared_intermediate_size": shared}
    return base | state | experts | more


def jamba(hidden, layers, heads, ffn, rank):
    """Jamba 1.5: attention in every eighth layer, experts in every second."""
    state = {"mamba_d_state": 16, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_dt_rank": rank}
    period = {"attn_layer_period": 8, "attn_layer_offset": 4, "expert_layer_period": 2}
    experts = {"num_experts": 16, "num_experts_per_tok": 2, "expert_layer_offset": 1}
    return sizes("jamba", hidden, layers, heads, 8, ffn, 65536) | state | period | experts


def falcon(hidden, layers, heads, head_dim, ffn, vocab, mamba):
    """Falcon-H1: width of Mamba-2, its heads, their width, their state."""
    names = ("mamba_d_ssm", "mamba_n_heads", "mamba_d_head", "mamba_d_state")
    base = sizes("falcon_h1", hidden, layers, heads, 2, ffn, vocab, head_dim=head_dim)
    return base | dict(zip(names, mamba, strict=True)) | {"mamba_n_groups": 1, "mamba_rms_norm": False}


def routed(experts, active, width, **more):
    """Keys of DeepSeek-like routing."""
    names = {"n_routed_experts": experts, "num_experts_per_tok": active, "moe_intermediate_size": width}
    return names | {"n_shared_experts": 1} | more


LATENT = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
INDEX = {"index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048}
DELTA = {
    "linear_num_key_heads": 16,
    "linear_key_head_dim": 128,
    "linear_num_value_heads": 32,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
    "full_attention_interval": 4,
}
QWEN3_NEXT = sizes("qwen3_next", 2048, 48, 16, 2, 5120, 151936, head_dim=256) | DELTA
QWEN3_NEXT |= {"num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512}
QWEN3_NEXT |= {"shared_expert_intermediate_size": 512}
QWEN35_MOE = sizes("qwen3_5_moe_text", 2048, 40, 16, 2, 512, 248320, head_dim=256) | DELTA
QWEN35_MOE |= {"num_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 512}
QWEN35_MOE |= {"shared_expert_intermediate_size": 512, "mamba_ssm_dtype": "float32"}
DEEPSEEK_V32 = sizes("deepseek_v32", 7168, 61, 128, 128, 18432, 129280, q_lora_rank=1536)
DEEPSEEK_V32 |= LATENT | INDEX | routed(256, 8, 2048, first_k_dense_replace=3)
LING = {"head_dim": 128, "num_experts": 256, "num_experts_per_tok": 8, "num_shared_experts": 1}
LING |= {"first_k_dense_replace": 1, "use_qk_norm": True}
NEMOTRON_56B = nemotron(8192, 64, 32768, PATTERN_56B, (256, 64, 256))
KIMI_LINEAR = sizes("kimi_linear", 2304, 27, 32, 32, 9216, 163840, head_dim=72, q_lora_rank=None)
KIMI_LINEAR |= LATENT | {
    "num_experts": 256,
    "num_experts_per_token": 8,
    "num_shared_experts": 1,
    "moe_intermediate_size": 1024,
    "first_k_dense_replace": 1,
    "moe_layer_freq": 1,
    "linear_attn_config": {
        "full_attn_layers": [4, 8, 12, 16, 20, 24, 27],
        "head_dim": 128,
        "num_heads": 32,
        "short_conv_kernel_size": 4,
    },
}
MINIMAX_01 = sizes("minimax_text_01", 6144, 80, 64, 8, 9216, 200064, head_dim=128)
MINIMAX_01 |= {"num_local_experts": 32, "num_experts_per_tok": 2, "shared_intermediate_size": 0}
MINIMAX_01 |= {"attn_type_list": [int(layer % 8 == 7) for layer in range(80)]}
MINIMAX_M2 = sizes("minimax_m2", 3072, 62, 48, 8, 1536, 200064, head_dim=128, attn_type_list=[1] * 62)
MINIMAX_M2 |= {"num_local_experts": 256, "num_experts_per_tok": 8, "use_qk_norm": True, "use_mtp": True}

# Billions of values in all, as the card, the paper or the safetensors headers give them; the config.
PUBLISHED = {
    "Nemotron-H 8B": (8.100852736, nemotron(4096, 32, 21504, PATTERN_8B, (128, 64, 128))),
    "Nemotron-H 47B": (47, nemotron(8192, 64, 30720, PATTERN_47B, (256, 64, 256))),
    "Nemotron Nano 2 9B": (8.89, nemotron(4480, 40, 15680, PATTERN_NANO_9B, (128, 80, 128))),
    "Nemotron Nano 2 12B": (12.31, nemotron(5120, 40, 20480, PATTERN_NANO_12B, (128, 80, 128))),
    "Nemotron 3 Nano 30B": (
        31.6,
        nemotron(
            2688,
            32,
            1856,
            PATTERN_NANO_3,
            (64, 64, 128),
            kv_heads=2,
            moe_shared_expert_intermediate_size=3712,
            **routed(128, 6, 1856),
        ),
    ),
    "Nemotron 3 Super 120B": (
        123.611012096 - 2.942324736,  # its headers without the prediction layers
        nemotron(
            4096,
            32,
            2688,
            PATTERN_SUPER,
            (128, 64, 128),
            kv_heads=2,
            moe_latent_size=1024,
            moe_shared_expert_intermediate_size=5376,
            **routed(512, 22, 2688),
        ),
    ),
    "Granite 4.0 H Small": (
        32.2,
        granite(4096, 32, 8, 768, 1536, 128, num_local_experts=72, num_experts_per_tok=10),
    ),
    "Granite 4.0 H Tiny": (
        6.94,
        granite(1536, 12, 4, 512, 1024, 48, num_local_experts=64, num_experts_per_tok=6),
    ),
    "Granite 4.0 H Micro": (3.19, granite(2048, 32, 8, 8192, 8192, 64)),
    "Granite 4.0 H 1B": (1.46, granite(1536, 12, 4, 4096, 4096, 48)),
    "Jamba 1.5 Mini": (51.6, jamba(4096, 32, 32, 14336, 256)),
    "Jamba 1.5 Large": (398.6, jamba(8192, 72, 64, 24576, 512)),
    "Falcon-H1 0.5B": (0.521, falcon(1024, 36, 8, 64, 2048, 32784, (1536, 24, 64, 128))),
    "Falcon-H1 1.5B": (1.55, falcon(2048, 24, 8, 128, 4608, 65537, (3072, 48, 64, 256))),
    "Falcon-H1 7B": (7.59, falcon(3072, 44, 12, 128, 12288, 130048, (3072, 24, 128, 256))),
    "Qwen3-Next 80B": (79.674391296, QWEN3_NEXT),
    "Qwen3.5 35B": (34.660610688, QWEN35_MOE),
    "MiniMax-Text-01": (456, MINIMAX_01),
    "Kimi Linear 48B": (49.1, KIMI_LINEAR),
    "Ring-mini-linear-2.0": (
        16.4,
        sizes("bailing_moe_linear", 2048, 20, 16, 4, 5120, 157184, **LING)
        | {"layer_group_size": 5, "moe_intermediate_size": 512},
    ),
    "DeepSeek-V3.2": (671.88, DEEPSEEK_V32),
    "GLM-5": (
        744,
        sizes("glm_moe_dsa", 6144, 78, 64, 64, 12288, 154880, q_lora_rank=2048)
        | LATENT
        | {"qk_nope_head_dim": 192, "v_head_dim": 256}
        | INDEX
        | {"index_n_heads": 32}
        | routed(256, 8, 2048, first_k_dense_replace=3),
    ),
    "LongCat-Flash": (
        560,
        {
            "model_type": "longcat_flash",
            "hidden_size": 6144,
            "num_layers": 28,
            "num_attention_heads": 64,
            "ffn_hidden_size": 12288,
            "expert_ffn_hidden_size": 2048,
            "n_routed_experts": 512,
            "zero_expert_num": 256,
            "moe_topk": 12,
            "q_lora_rank": 1536,
            "vocab_size": 131072,
            **LATENT,
        },
    ),
    "Step-3": (
        316,
        {
            "model_type": "step3_text",
            "hidden_size": 7168,
            "num_hidden_layers": 61,
            "num_attention_heads": 64,
            "num_attention_groups": 1,
            "head_dim": 256,
            "share_q_dim": 2048,
            "intermediate_size": 18432,
            "vocab_size": 128815,
            "moe_num_experts": 48,
            "moe_top_k": 3,
            "moe_intermediate_size": 5120,
            "share_expert_dim": 5120,
            "moe_layers_enum": ",".join(map(str, range(4, 60))),
        },
    ),
    "MiniMax-M2": (228.689764864, MINIMAX_M2),
}
