"""Inputs of the page Training step that trade time for memory."""

from dataclasses import dataclass

import streamlit as st

from core.calculators.training.memory_saving import MODULES, MemorySaving
from pages.ui.shared import bound, fields, folded

MODULES_HELP = (
    "Selective recomputation: what backward computes again. Empty: not known, 70 % of a layer is kept."
)
LAYERS_HELP = "With recomputation full: layers of each stage. Empty: all."
SHARE_HELP = "Share in host memory, over the link between GPU and host."
OPTIMIZER_HELP = "12: FP32 master copy and two moments. 8: moments in BF16."
COPY_HELP = "Copies that FP8 frameworks keep between micro-batches: 2 with the transposed one."
FUSED_HELP = "FSDP and Transformers: no second copy of the logits waits for backward (flash-attn, torchtune). Counts with PP1."
LINEAR_HELP = "Head and loss run together in chunks of tokens and keep no logits (Liger, cut cross-entropy). Counts with PP1."


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
            recompute_layers=fields.count(
                "Recomputed layers of a stage", "recompute_layers", help=LAYERS_HELP
            ),
            offload_activations=_share("Activations offloaded (share)", "offload_activations"),
            offload_optimizer=_share("Optimizer offloaded (share)", "offload_optimizer"),
            optimizer_bytes=_bytes("Optimizer", "optimizer_bytes", low=0.5, text=OPTIMIZER_HELP),
            weight_copy_bytes=_bytes("Weight-copy", "weight_copy_bytes", low=0.0, text=COPY_HELP),
            expert_imbalance=bound.number(
                "Expert imbalance",
                "expert_imbalance",
                MemorySaving.expert_imbalance,
                low=1.0,
                step=0.1,
                help="Tokens of the most loaded EP rank over the mean.",
            ),
            param_overlap=bound.toggle("Overlap parameter all-gather", "param_behind", value=True),
            whole_gradients=fields.whole_gradients("train_whole_gradients"),
            fused_loss=bound.toggle("Fused or chunked loss", "train_fused_loss", help=FUSED_HELP),
            fused_linear_loss=bound.toggle(
                "Fused linear cross-entropy", "train_fused_linear_loss", help=LINEAR_HELP
            ),
        )


def _share(label: str, key: str) -> float:
    return fields.share(label, key, 0.0, help=SHARE_HELP)


def _bytes(name: str, key: str, *, low: float, text: str) -> float:
    usual: float = getattr(MemorySaving(), key)
    label = f"{name} bytes per parameter"
    return bound.number(label, key, usual, low=low, high=64.0, step=1.0, help=text)
