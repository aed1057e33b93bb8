"""Inputs of the page Training step that trade time for memory."""

from dataclasses import dataclass

import streamlit as st

from core.calculators.training.memory_saving import MODULES, MemorySaving
from pages.ui.shared import bound, folded

MODULES_HELP = (
    "Selective recomputation: what backward computes again. Empty: not known, 70 % of a layer is kept."
)
LAYERS_HELP = "With recomputation full: layers of each stage. Empty: all."
SHARE_HELP = "Share in host memory, over the link between GPU and host."


@dataclass(frozen=True, slots=True)
class Savings:
    """Recomputation by operation, offload, bytes of states, expert imbalance; None is as usual."""

    recompute_modules: tuple[str, ...]
    recompute_layers: int | None
    offload_activations: float
    offload_optimizer: float
    optimizer_bytes: float
    weight_copy_bytes: float
    expert_imbalance: float
    param_overlap: bool
    whole_gradients: bool
    fused_loss: bool
    fused_linear_loss: bool


def savings() -> Savings:
    """The widgets, in an expander."""
    usual = MemorySaving()
    with (
        folded.panel(
            "Recomputation by operation, offload, expert imbalance", "train_memory", ":material/memory:"
        ),
        st.grid("auto"),
    ):
        return Savings(
            recompute_modules=tuple(
                bound.several("Recomputed operations", "recompute_modules", MODULES, [], help=MODULES_HELP)
            ),
            recompute_layers=bound.number(
                "Recomputed layers of a stage", "recompute_layers", None, low=1, step=1, help=LAYERS_HELP
            ),
            offload_activations=_share("Activations offloaded (share)", "offload_activations"),
            offload_optimizer=_share("Optimizer offloaded (share)", "offload_optimizer"),
            optimizer_bytes=bound.number(
                "Optimizer bytes per parameter",
                "optimizer_bytes",
                usual.optimizer_bytes,
                low=0.5,
                high=64.0,
                step=1.0,
                help="12: FP32 master copy and two moments. 8: moments in BF16.",
            ),
            weight_copy_bytes=bound.number(
                "Weight-copy bytes per parameter",
                "weight_copy_bytes",
                usual.weight_copy_bytes,
                low=0.0,
                high=64.0,
                step=1.0,
                help="Copies that FP8 frameworks keep between micro-batches: 2 with the transposed one.",
            ),
            expert_imbalance=bound.number(
                "Expert imbalance",
                "expert_imbalance",
                usual.expert_imbalance,
                low=1.0,
                step=0.1,
                help="Tokens of the most loaded EP rank over the mean.",
            ),
            param_overlap=bound.toggle("Overlap parameter all-gather", "param_behind", value=True),
            whole_gradients=bound.toggle(
                "Whole gradients (no_sync)",
                "train_whole_gradients",
                help="FSDP: whole until the last micro-batch, reduced once a step, at the price of memory.",
            ),
            fused_loss=bound.toggle(
                "Fused or chunked loss",
                "train_fused_loss",
                help="FSDP and Transformers: no second copy of the logits waits for backward (flash-attn, torchtune). Counts with PP1.",
            ),
            fused_linear_loss=bound.toggle(
                "Fused linear cross-entropy",
                "train_fused_linear_loss",
                help="Head and loss run together in chunks of tokens and keep no logits (Liger, cut cross-entropy). Counts with PP1.",
            ),
        )


def _share(label: str, key: str) -> float:
    return bound.number(label, key, 0.0, low=0.0, high=1.0, step=0.1, help=SHARE_HELP)
