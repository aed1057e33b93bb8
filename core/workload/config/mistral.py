"""A params.json in Mistral's own spelling brought to that of a config.json."""

from typing import Any

Values = dict[str, Any]

SPELLED = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "hidden_dim": "intermediate_size",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "tied_embeddings": "tie_word_embeddings",
}
MOE_SPELLED = {
    "num_experts": "n_routed_experts",
    "num_experts_per_tok": "num_experts_per_tok",
    "num_shared_experts": "n_shared_experts",
    "expert_hidden_dim": "moe_intermediate_size",
    "first_k_dense_replace": "first_k_dense_replace",
}
OF_NO_SIZE = frozenset({"llama_4_scaling", "yarn", "max_seq_len", "moe", "vision_encoder", "quantization"})


def is_params(values: Values) -> bool:
    """Whether an object is such a file: no ``model_type``, and its names of width and depth."""
    return "model_type" not in values and {"dim", "n_layers", "hidden_dim"} <= values.keys()


def from_params(values: Values) -> tuple[Values, list[str]]:
    """The same sizes under the names of a config.json, and notes on what is left out."""
    experts = values.get("moe")
    config = {SPELLED.get(name, name): value for name, value in values.items() if name not in OF_NO_SIZE}
    if isinstance(experts, dict):
        config |= {MOE_SPELLED[name]: value for name, value in experts.items() if name in MOE_SPELLED}
    plain = "mixtral" if isinstance(experts, dict) else "mistral"
    config["model_type"] = "deepseek_v3" if values.get("kv_lora_rank") else plain
    notes = ["read as Mistral's params.json"]
    if values.get("vision_encoder"):
        notes.append("only the text decoder is counted; vision and audio parts are left out")
    return config, notes
