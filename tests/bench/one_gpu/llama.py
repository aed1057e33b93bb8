"""A Llama-like model in plain torch, as sharded data parallelism trains it."""

import torch
from torch import nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from tests.bench.one_gpu.models import Widths

ROPE_BASE = 500_000.0


class Layer(nn.Module):
    """Attention with rotary positions and grouped KV heads, then a gated MLP."""

    def __init__(self, widths: Widths) -> None:
        super().__init__()
        hidden, self.head_dim = widths.hidden, widths.hidden // widths.heads
        kv = widths.kv_heads * self.head_dim
        self.grouped = widths.kv_heads != widths.heads
        self.attention_norm, self.mlp_norm = nn.RMSNorm(hidden), nn.RMSNorm(hidden)
        self.query, self.out = (nn.Linear(hidden, hidden, bias=False) for _ in range(2))
        self.key, self.value = (nn.Linear(hidden, kv, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(hidden, widths.ffn, bias=False) for _ in range(2))
        self.down = nn.Linear(widths.ffn, hidden, bias=False)

    def forward(self, tokens: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
        """``tokens`` (batch, length, hidden) through the layer; ``turns`` are complex rotations by position."""
        batch, length, hidden = tokens.shape
        normed = self.attention_norm(tokens)
        query, key, value = (
            part(normed).view(batch, length, -1, self.head_dim) for part in (self.query, self.key, self.value)
        )
        mixed = functional.scaled_dot_product_attention(
            _turned(query, turns),
            _turned(key, turns),
            value.transpose(1, 2),
            is_causal=True,
            enable_gqa=self.grouped,
        )
        tokens = tokens + self.out(mixed.transpose(1, 2).reshape(batch, length, hidden))
        normed = self.mlp_norm(tokens)
        mlp: torch.Tensor = self.down(functional.silu(self.gate(normed)) * self.up(normed))
        return tokens + mlp


class Llama(nn.Module):
    """Embedding, layers and an untied output."""

    def __init__(self, widths: Widths, *, recompute: bool) -> None:
        super().__init__()
        self.embedding = nn.Embedding(widths.vocab, widths.hidden)
        self.layers = nn.ModuleList(Layer(widths) for _ in range(widths.layers))
        self.norm = nn.RMSNorm(widths.hidden)
        self.output = nn.Linear(widths.hidden, widths.vocab, bias=False)
        self.head_dim, self.recompute = widths.hidden // widths.heads, recompute

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Logits of ``ids`` (batch, length)."""
        tokens, turns = self.embedding(ids), self._turns(ids.shape[1], ids.device)
        for layer in self.layers:
            tokens = (
                checkpoint(layer, tokens, turns, use_reentrant=False)
                if self.recompute
                else layer(tokens, turns)
            )
        logits: torch.Tensor = self.output(self.norm(tokens))
        return logits

    def _turns(self, length: int, device: torch.device) -> torch.Tensor:
        pairs = torch.arange(0, self.head_dim, 2, device=device).float() / self.head_dim
        angles = torch.outer(torch.arange(length, device=device).float(), ROPE_BASE**-pairs)
        return torch.polar(torch.ones_like(angles), angles)[None, :, None]


def sharded(widths: Widths, *, recompute: bool, compiled: bool) -> Llama:
    """The model on this GPU under FSDP2: FP32 shards, BF16 products, FP32 reduction."""
    with torch.device("cuda"):
        model = Llama(widths, recompute=recompute)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for layer in model.layers:
        if compiled:
            layer.compile()
        fully_shard(layer, mp_policy=policy)
    fully_shard(model, mp_policy=policy)
    return model


def _turned(part: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    pairs = torch.view_as_complex(part.float().reshape(*part.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns).flatten(3).to(part.dtype).transpose(1, 2)
