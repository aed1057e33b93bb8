"""The question of the training calculator: a model, a machine, a layout, a batch."""

from dataclasses import dataclass

from core.calculators.training import constants
from core.checks import InputError, choice, count, number
from core.collectives.rates import Rates
from core.hardware import System
from core.parallel.layout import Layout, check
from core.parallel.prices import AS_IS, Latency
from core.parallel.traffic import STRATEGIES
from core.workload import Model

RECOMPUTE = ("none", "selective", "full")
PRECISIONS = ("bf16", "fp16", "fp8", "mxfp8", "nvfp4")
DEFAULT_RATES = Rates()
DEFAULT_LAYOUT = Layout()


@dataclass(frozen=True, slots=True)
class Hidden:
    """Shares of communication hidden behind compute, by kind."""

    tp: float
    pp: float
    ep: float


@dataclass(frozen=True, slots=True)
class Scenario:
    """
    One training step.

    Attributes:
        micro_batch: Sequences of one micro-batch of one pipeline.
        global_batch: Sequences of one optimizer step of the whole job.
        seq: Tokens of a sequence.
        precision: Format of the matrix products; the rest stays BF16.
        recompute: Activations computed again in backward: none, attention's only, or all.
        strategy: How data-parallel ranks keep states; ``zero1`` is Megatron's distributed optimizer.
        grad_bytes, param_bytes: Bytes of a gradient and a parameter as sent.
        efficiency: Share of the peak that large matrix products reach: the one calibration
            constant; None takes the one fitted for the GPU and precision.
        tp_overlap, pp_overlap, ep_overlap: Shares of that communication hidden behind compute; None
            is what current frameworks reach.
        dp_overlap: Gradients leave behind backward and parameters arrive behind forward.
        sequence_parallel: Norms are divided among the TP ranks too.
        flash: Attention keeps its scores on the chip; False writes them to memory, as before 2022.
        latency: What-if factors on the latency of exchanges; 1 leaves them as priced.
    """

    model: Model
    system: System
    layout: Layout = DEFAULT_LAYOUT
    micro_batch: int = 1
    global_batch: int = 512
    seq: int = 4096
    precision: str = "bf16"
    recompute: str = "none"
    strategy: str = "zero1"
    grad_bytes: float = 4.0
    param_bytes: float = 2.0
    efficiency: float | None = None
    tp_overlap: float | None = None
    pp_overlap: float | None = None
    ep_overlap: float | None = None
    dp_overlap: bool = True
    sequence_parallel: bool = True
    flash: bool = True
    usd_per_gpu_hour: float | None = None
    rates: Rates = DEFAULT_RATES
    implementation: str = "nccl"
    latency: Latency = AS_IS

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
    def hidden(self) -> Hidden:
        """Shares hidden behind compute; TP only inside a domain, whose memory the fused kernels write to."""
        inside = self.layout.tp <= self.system.domain_gpus
        usual = (
            constants.TP_OVERLAP if inside else 0.0,
            constants.PP_OVERLAP if self.layout.vpp > 1 else 0.0,
            constants.EP_OVERLAP,
        )
        asked = (self.tp_overlap, self.pp_overlap, self.ep_overlap)
        return Hidden(*(a if b is None else b for a, b in zip(usual, asked, strict=True)))

    def check(self) -> None:
        """
        Refuse what cannot be computed.

        Raises:
            InputError: One line that names the argument and what is allowed.
        """
        check(self.layout, self.model)
        count("micro_batch", self.micro_batch)
        count("global_batch", self.global_batch)
        count("seq", self.seq)
        choice("precision", self.precision, PRECISIONS)
        choice("recompute", self.recompute, RECOMPUTE)
        choice("strategy", self.strategy, STRATEGIES)
        if self.efficiency is not None:
            number("efficiency", self.efficiency, above=0, most=1.1)
        for name in ("tp_overlap", "pp_overlap", "ep_overlap"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), least=0, most=1)
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
            message = f"cp: must divide the {self.seq} tokens of a sequence, and {self.layout.cp} does not"
            raise InputError(message)
