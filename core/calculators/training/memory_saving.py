"""Inputs of a training step that trade time for memory: recomputation by operation, offload, lean states."""

from dataclasses import dataclass
from typing import Any

from core.checks import InputError, choice, count, number
from core.parallel.states import ADAM_BYTES_PER_PARAM
from core.workload import Attention, Model

MODULES = ("core_attn", "layernorm", "mla_up_proj", "mlp", "moe", "moe_act", "shared_experts")
"""Operations that Megatron-Core's ``--recompute-modules`` names."""
OFFLOADS = ("activations", "optimizer")
MOST_STATE_BYTES = 64
MOST_IMBALANCE = 1024


@dataclass(frozen=True, kw_only=True)
class MemorySaving:
    """
    What a job recomputes operation by operation, keeps in host memory, or stores in fewer bytes.

    Attributes:
        recompute_modules: Operations of ``MODULES`` that selective recomputation repeats; empty where they
            are not known, which leaves 70 % of a layer.
        recompute_layers: Layers of a pipeline stage that full recomputation repeats, the others keep
            everything; None repeats all.
        offload_activations: Share of the stored activations that waits in host memory.
        offload_optimizer: Share of the optimizer's state in host memory, updated by the host.
        optimizer_bytes: Optimizer state of one parameter: 12 for an FP32 master copy and two moments.
        weight_copy_bytes: Bytes per parameter of copies that GEMMs read beside the parameters, as FP8
            frameworks keep between micro-batches.
        expert_imbalance: Tokens of the most loaded EP rank over the mean, at most EP.
        param_overlap: Parameters are gathered while forward runs, where ``dp_overlap`` holds.
        whole_gradients: Gradients that the strategy shards stay whole until the last micro-batch (FSDP's
            ``no_sync``): reduced once a step, at the price of memory.
        fused_loss: The loss is one kernel, or runs in chunks, so that no copy of the logits but one waits for
            backward: flash-attn, torchtune's chunked output. Megatron's is anyway.
        fused_linear_loss: Head and loss run together in chunks of tokens and keep no logits: Liger's fused
            linear cross-entropy, cut cross-entropy, the chunked losses of TRL.
    """

    recompute_modules: tuple[str, ...] = ()
    recompute_layers: int | None = None
    offload_activations: float = 0.0
    offload_optimizer: float = 0.0
    optimizer_bytes: float = ADAM_BYTES_PER_PARAM
    weight_copy_bytes: float = 0.0
    expert_imbalance: float = 1.0
    param_overlap: bool = True
    whole_gradients: bool = False
    fused_loss: bool = False
    fused_linear_loss: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be computed; raises InputError naming the argument."""
        for name in self.recompute_modules:
            choice("recompute_modules", name, MODULES)
        if self.recompute_layers is not None:
            count("recompute_layers", self.recompute_layers)
        number("offload_activations", self.offload_activations, least=0, most=1)
        number("offload_optimizer", self.offload_optimizer, least=0, most=1)
        number("optimizer_bytes", self.optimizer_bytes, above=0, most=MOST_STATE_BYTES)
        number("weight_copy_bytes", self.weight_copy_bytes, least=0, most=MOST_STATE_BYTES)
        number("expert_imbalance", self.expert_imbalance, least=1, most=MOST_IMBALANCE)

    @property
    def offloads(self) -> bool:
        """Whether anything waits in host memory."""
        return self.offload_activations > 0 or self.offload_optimizer > 0


def recomputation(stated: str | None, usual: str, modules: tuple[str, ...], layers: int | None) -> str:
    """
    Kind of activation recomputation: as stated, selective where operations are named alone, else ``usual``.

    Raises:
        InputError: Operations or layers that this kind does not repeat.
    """
    kind = stated or ("selective" if modules else usual)
    check_recomputation(kind, modules, layers)
    return kind


def check_recomputation(kind: str, modules: tuple[str, ...], layers: int | None) -> None:
    """
    Refuse operations beside another kind than selective, and layers beside another than full.

    Raises:
        InputError: One line that names the argument.
    """
    if modules and kind != "selective":
        message = f"recompute_modules: goes with recompute selective, not {kind}"
        raise InputError(message)
    if layers is not None and kind != "full":
        message = f"recompute_layers: goes with recompute full, not {kind}"
        raise InputError(message)


def recomputing(job: MemorySaving, kind: str) -> dict[str, Any]:
    """Fields of a job that recomputes so: operations and layers stay where the kind repeats them."""
    return {
        "recompute": kind,
        "recompute_modules": job.recompute_modules if kind == "selective" else (),
        "recompute_layers": job.recompute_layers if kind == "full" else None,
    }


def check_modules(modules: tuple[str, ...], model: Model) -> None:
    """
    Refuse operations that a model does not have.

    Raises:
        InputError: One line that names the operation.
    """
    needed = {
        "mlp": (not model.moe or model.dense_layers > 0, "dense layers"),
        "mla_up_proj": (model.attention is Attention.MLA, "latent attention (MLA)"),
        "moe": (model.moe, "routed experts"),
        "moe_act": (model.moe, "routed experts"),
        "shared_experts": (model.shared_experts > 0, "shared experts"),
    }
    for name in modules:
        there, what = needed.get(name, (True, ""))
        if not there:
            message = f"recompute_modules: {name} needs {what}, and {model.name} has none"
            raise InputError(message)


def parse_modules(text: str) -> tuple[str, ...]:
    """
    Operations separated by commas, each once, as Megatron-Core names them.

    Raises:
        InputError: A name that is none of ``MODULES``.
    """
    names = [choice("recompute_modules", word.strip(), MODULES) for word in text.split(",")]
    return tuple(sorted(set(names)))


def parse_offload(text: str) -> dict[str, float]:
    """
    Shares in host memory from ``optimizer,activations=0.5``; a kind without a share goes in full.

    Raises:
        InputError: A kind that is none of ``OFFLOADS``, or a share outside 0 to 1.
    """
    shares = {}
    for word in text.split(","):
        kind, equals, value = word.strip().partition("=")
        choice("offload", kind, OFFLOADS)
        shares[f"offload_{kind}"] = _share(value) if equals else 1.0
    return shares


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError as problem:
        message = f"offload: a share from 0 to 1 after the equals sign, not {text[:40]!r}"
        raise InputError(message) from problem
    return number("offload", share, least=0, most=1)
