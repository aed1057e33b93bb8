"""The question of the gradient-sync calculator: a model's bytes, a strategy, a machine, what may hide."""

from dataclasses import dataclass

from core.checks import InputError, choice, count, number
from core.collectives.rates import Rates
from core.hardware import System
from core.parallel.traffic import STRATEGIES, Volume

DEFAULT_RATES = Rates()
BUCKET_PARAMS = 40e6
"""Parameters in one bucket at least: Megatron-LM's default, which grows with the ranks."""
BUCKET_PARAMS_PER_RANK = 1e6
DEFAULT_BUCKETS = 10_000
"""At most so many where nobody asked for a size."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """
    One data-parallel job.

    Attributes:
        params: Parameters whose gradients are averaged.
        ranks: Data-parallel ranks; None takes every GPU of the system.
        grad_bytes, param_bytes: Bytes of one gradient and of one parameter as sent.
        accumulation: Micro-steps before the optimizer's.
        whole_gradients: Gradients stay unsharded until the last micro-step.
        shard_ranks: Ranks that share one copy (``hsdp``); None takes one scale-up domain.
        bucket_bytes: One message on the wire; None is Megatron's default where a timeline is drawn.
        forward_s, backward_s: Compute of one micro-step; forward None is half of backward.
        overlap: Share of the communication that may hide (fraction mode); None draws the timeline.
        spread: Standard deviation of one rank's backward, as a share of it.
        percentile: How sure the waiting for the slowest rank is stated.
        tokens_per_rank: Tokens of one micro-step of one rank; gives tokens/s, and backward with mfu.
        mfu: Share of the dense BF16 peak that compute reaches where backward is not given.
        other_s: The rest of a step: input, optimizer, checkpoints.
        lost_share: Money counts this share of a step; None counts the exposed communication.
    """

    params: float
    system: System
    ranks: int | None = None
    strategy: str = "ddp"
    grad_bytes: float = 2.0
    param_bytes: float = 2.0
    accumulation: int = 1
    whole_gradients: bool = False
    shard_ranks: int | None = None
    bucket_bytes: float | None = None
    backward_s: float | None = None
    forward_s: float | None = None
    overlap: float | None = None
    spread: float = 0.0
    percentile: float = 0.5
    tokens_per_rank: float | None = None
    mfu: float | None = None
    other_s: float = 0.0
    lost_share: float | None = None
    usd_per_gpu_hour: float | None = None
    rates: Rates = DEFAULT_RATES
    algorithm: str = "auto"
    implementation: str = "nccl"
    launch: str = "stream"

    @property
    def world(self) -> int:
        """Data-parallel ranks, counted."""
        return self.system.gpus if self.ranks is None else count("ranks", self.ranks)

    @property
    def volume(self) -> Volume:
        """Bytes of the gradients and parameters."""
        return Volume(
            self.params * self.grad_bytes,
            self.params * self.param_bytes,
            self.accumulation,
            self.whole_gradients,
        )

    @property
    def shard(self) -> int:
        """Ranks that share one copy under ``hsdp``; elsewhere all of them."""
        if self.strategy != "hsdp":
            return self.world
        if self.shard_ranks is not None:
            return count("shard_ranks", self.shard_ranks)
        return min(self.world, self.system.domain_gpus)

    @property
    def bucket(self) -> float | None:
        """Bytes of one message: as asked, or Megatron's default where something can hide it."""
        if self.bucket_bytes is not None or self.compute is None or self.overlap is not None:
            return self.bucket_bytes
        params = max(BUCKET_PARAMS, BUCKET_PARAMS_PER_RANK * self.world, self.params / DEFAULT_BUCKETS)
        return params * self.grad_bytes

    @property
    def compute(self) -> tuple[float, float] | None:
        """Forward and backward seconds of one micro-step: given, or from tokens and mfu; else None."""
        if self.backward_s is not None:
            forward = self.backward_s / 2 if self.forward_s is None else self.forward_s
            return forward, self.backward_s
        peak = self.system.gpu.bf16_flop_per_s
        if self.tokens_per_rank is None or self.mfu is None or peak is None:
            return None
        forward = 2 * self.params * self.tokens_per_rank / (peak * self.mfu)
        return forward, 2 * forward

    def check(self) -> None:
        """
        Refuse what cannot be computed.

        Raises:
            InputError: One line that names the argument and what is allowed.
        """
        choice("strategy", self.strategy, STRATEGIES)
        number("params", self.params, least=0, most=1e16)
        number("grad_bytes", self.grad_bytes, above=0, most=16)
        number("param_bytes", self.param_bytes, above=0, most=16)
        count("accumulation", self.accumulation)
        if self.world > self.system.gpus:
            message = f"ranks: from 1 to the {self.system.gpus} GPUs of the system, not {self.world}"
            raise InputError(message)
        for name in ("backward_s", "forward_s", "usd_per_gpu_hour"):
            self._optional(name, least=0)
        self._optional("bucket_bytes", above=0)
        self._optional("overlap", least=0, most=1)
        self._optional("tokens_per_rank", above=0)
        self._optional("mfu", above=0, most=1)
        number("other_s", self.other_s, least=0)
        self._optional("lost_share", least=0, most=1)
        number("spread", self.spread, least=0, most=1)
        number("percentile", self.percentile, above=0, most=0.9999)

    def _optional(
        self, name: str, *, above: float | None = None, least: float | None = None, most: float | None = None
    ) -> None:
        value = getattr(self, name)
        if value is not None:
            number(name, value, above=above, least=least, most=most)
