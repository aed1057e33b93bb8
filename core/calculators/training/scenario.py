"""The question of the training calculator: a model, a system, a layout, a batch."""

from dataclasses import KW_ONLY, dataclass

from core.calculators.question import PRECISIONS, RECOMPUTE, FromQuestion, TrainingJob
from core.calculators.training.memory_saving import MemorySaving, check_modules, check_recomputation
from core.catalog.calibrations import training as constants
from core.checks import InputError, choice, optional_number
from core.collectives.question import AUTO, FabricQuestion
from core.parallel.columns import where
from core.parallel.layout import Layout, check, check_imbalance
from core.parallel.prices import AS_IS, Latency
from core.parallel.states import SHARDING
from core.workload import Model

__all__ = ["PRECISIONS", "RECOMPUTE", "Overlap", "Scenario"]

DEFAULT_LAYOUT = Layout()
DEEPEP, ALL_TO_ALL = "deepep", "all-to-all"
DISPATCHERS = (DEEPEP, ALL_TO_ALL)
"""DeepEP (HybridEP too) sends a token once to a rank, or domain, with one of its experts, all-to-all once for
each expert."""
NO_GRAPHS, PARTIAL, FULL_ITERATION = "none", "partial", "full-iteration"
CUDA_GRAPHS = (NO_GRAPHS, PARTIAL, FULL_ITERATION)
"""What CUDA graphs capture: nothing, parts of layers (Megatron's scopes attn, mlp, moe_router,
moe_preprocess), or all of forward and backward, in which recipes fuse the experts' grouped MLP too."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares of communication overlapped with compute, by kind."""

    tp: float
    pp: float
    ep: float


@dataclass(frozen=True)
class Scenario(FabricQuestion, TrainingJob, MemorySaving, FromQuestion):
    """
    One training step.

    Attributes:
        layout: Degrees of parallelism; ``check`` says whether it fits model, system and batch.
        tp_overlap, pp_overlap, ep_overlap: Shares of that communication overlapped with compute; None
            is what current frameworks reach.
        dispatcher: How tokens reach experts of other ranks, one of ``DISPATCHERS``; None is DeepEP's, as in
            tuned recipes.
        cuda_graphs: What CUDA graphs capture, one of ``CUDA_GRAPHS``; None is not known: the host launches
            dense layers, as Megatron does by default, and recipes of experts capture parts.
        dp_overlap: Gradients are reduced during backward and parameters gathered during forward.
        sequence_parallel: Norms are divided among the TP ranks too.
        flash: Attention keeps its scores on the chip; False writes them to memory, as before 2022.
        latency: What-if factors on the latency of exchanges; 1 leaves them as priced.
    """

    model: Model
    layout: Layout = DEFAULT_LAYOUT
    _: KW_ONLY
    tp_overlap: float | None = None
    pp_overlap: float | None = None
    ep_overlap: float | None = None
    dispatcher: str | None = None
    cuda_graphs: str | None = None
    dp_overlap: bool = True
    sequence_parallel: bool = True
    flash: bool = True
    latency: Latency = AS_IS

    def __post_init__(self) -> None:
        """Refuse what cannot be computed; raises InputError naming the argument."""
        FabricQuestion.__post_init__(self)
        TrainingJob.__post_init__(self)
        MemorySaving.__post_init__(self)
        check_recomputation(self.recompute, self.recompute_modules, self.recompute_layers)
        _check_attention(self.model)
        if self.dispatcher is not None:
            choice("dispatcher", self.dispatcher, DISPATCHERS)
        if self.cuda_graphs is not None:
            choice("cuda_graphs", self.cuda_graphs, CUDA_GRAPHS)
        for name in ("tp_overlap", "pp_overlap", "ep_overlap"):
            optional_number(name, getattr(self, name), least=0, most=1)

    @property
    def kernels(self) -> str:
        """
        The framework whose GEMM efficiency is taken.

        ``auto`` goes by what else is known of the job: attention without flash is of 2022, sharded
        parameters are FSDP's, the rest is Megatron's of today.
        """
        if self.framework != AUTO:
            return self.framework
        if not self.flash:
            return constants.MEGATRON_2022
        return constants.FSDP if SHARDING[self.strategy].parameters else constants.MEGATRON

    @property
    def micro_batches(self) -> int:
        """Micro-batches that each pipeline works through in a step."""
        return self.global_batch // (self.micro_batch * self.layout.dp)

    @property
    def tokens(self) -> int:
        """Tokens of a step of the whole job."""
        return self.global_batch * self.seq

    @property
    def tokens_per_gpu(self) -> float:
        """Tokens of a micro-batch that one GPU of a context-parallel group holds."""
        return self.micro_batch * self.seq / self.layout.cp

    @property
    def overlap(self) -> Overlap:
        """Shares overlapped with compute; TP only inside a domain, where fused kernels reach all memory."""
        fused = self.system.gpu.architecture.year >= constants.TP_OVERLAP_YEAR
        inside = self.layout.tp <= self.system.domain_gpus
        usual = (
            where(inside, constants.TP_OVERLAP.get(self.kernels, 0.0) if fused else 0.0, 0.0),
            where(self.layout.vpp > 1, constants.PP_OVERLAP, 0.0),
            constants.EP_OVERLAP,
        )
        overrides = (self.tp_overlap, self.pp_overlap, self.ep_overlap)
        return Overlap(*(a if b is None else b for a, b in zip(usual, overrides, strict=True)))

    def check(self) -> None:
        """
        Refuse a layout that does not fit: a search makes many that it never asks.

        Raises:
            InputError: One line that names the argument and what is allowed.
        """
        check(self.layout, self.model)
        check_imbalance("expert_imbalance", self.expert_imbalance, self.layout.ep)
        check_modules(self.recompute_modules, self.model)
        if self.layout.gpus > self.system.gpus:
            message = (
                f"gpus: TP x PP x CP x DP is {self.layout.gpus}, and {self.system.name} has "
                f"{self.system.gpus} GPUs in {self.system.domains} domains"
            )
            raise InputError(message)
        each = self.micro_batch * self.layout.dp
        if self.global_batch % each:
            message = f"global_batch: a multiple of micro_batch x DP = {each}, not {self.global_batch}"
            raise InputError(message)
        if self.seq % self.layout.cp:
            message = f"cp: must divide the sequence length {self.seq}, and {self.layout.cp} does not"
            raise InputError(message)


def _check_attention(model: Model) -> None:
    """Refuse by name the layers whose training is not computed."""
    if model.indexer is not None:
        message = f"model: {model.name} has sparse attention with an indexer, whose backward is not computed"
        raise InputError(message)
