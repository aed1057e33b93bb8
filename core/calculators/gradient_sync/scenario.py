"""The question of gradient synchronization: a model's bytes, a strategy, a system, what may overlap."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

from core.calculators.gradient_sync.micro_batch import MicroBatch, micro_batch
from core.calculators.question import DataParallel, FromQuestion, Question
from core.checks import InputError, count, number, optional_number
from core.collectives.question import CollectiveQuestion
from core.parallel.traffic import Volume

BUCKET_PARAMS = 40e6
"""Parameters in one bucket at least: Megatron-LM's default, which grows with the ranks."""
BUCKET_PARAMS_PER_RANK = 1e6
DEFAULT_BUCKETS = 10_000
"""At most so many where no size is given."""
MEDIAN = 0.5
USUAL_MFU = 0.4
"""Share of the dense BF16 peak where a model has no layers: published runs on H100 reach 38 to 43 %."""


@dataclass(frozen=True)
class Scenario(CollectiveQuestion, DataParallel, FromQuestion):
    """
    One data-parallel job.

    Attributes:
        params: Parameters whose gradients are averaged.
        ranks: Data-parallel ranks; None takes every GPU of the system.
        accumulation: Gradient accumulation steps.
        whole_gradients: Gradients stay unsharded until the last accumulation step.
        shard_ranks: Ranks that shard one replica (``hsdp``); None takes one scale-up domain.
        bucket_bytes: Bucket size; None is Megatron's default where a timeline is drawn.
        forward_s, backward_s: Compute of one micro-batch; forward None is half of backward.
        overlap: Share of the communication overlapped with compute; None draws the timeline of buckets.
        spread: Standard deviation of one rank's backward, as a share of it; None waits as the training step
            does, where it prices the compute.
        percentile: Of the wait for the slowest rank, where ``spread`` is given.
        tokens_per_rank: Tokens per micro-batch per GPU; gives tokens/s and, with ``compute_of`` or
            ``mfu``, backward.
        compute_of: The micro-batch as the training calculator prices it, where neither backward nor
            ``mfu`` is given.
        mfu: Share of the dense BF16 peak that compute reaches where backward is not given.
        mfu_stated: Whether ``mfu`` is the job's own; else it is ``USUAL_MFU``, with a wider interval.
        unpriced: Why the training calculator does not price the compute, where it was asked and does not.
        other_s: The rest of a step: input, optimizer, checkpoints.
        lost_share: Share of a step that cost counts; None counts the exposed communication.
    """

    params: float
    ranks: int | None = None
    _: KW_ONLY
    strategy: str = "ddp"
    accumulation: int = 1
    whole_gradients: bool = False
    shard_ranks: int | None = None
    bucket_bytes: float | None = None
    backward_s: float | None = None
    forward_s: float | None = None
    overlap: float | None = None
    spread: float | None = None
    percentile: float = MEDIAN
    tokens_per_rank: float | None = None
    compute_of: MicroBatch | None = None
    mfu: float | None = None
    mfu_stated: bool = True
    unpriced: str = ""
    other_s: float = 0.0
    lost_share: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be computed; raises InputError naming the argument."""
        CollectiveQuestion.__post_init__(self)
        DataParallel.__post_init__(self)
        number("params", self.params, least=0, most=1e16)
        count("accumulation", self.accumulation)
        if self.world > self.system.gpus:
            message = f"ranks: from 1 to the {self.system.gpus} GPUs of the system, not {self.world}"
            raise InputError(message)
        for name in ("backward_s", "forward_s"):
            optional_number(name, getattr(self, name), least=0)
        for name in ("bucket_bytes", "tokens_per_rank"):
            optional_number(name, getattr(self, name), above=0)
        for name in ("overlap", "lost_share", "spread"):
            optional_number(name, getattr(self, name), least=0, most=1)
        optional_number("mfu", self.mfu, above=0, most=1)
        number("other_s", self.other_s, least=0)
        number("percentile", self.percentile, above=0, most=0.9999)
        if self.spread is None and self.percentile != MEDIAN:
            message = "percentile: goes with a spread; without one ranks wait as in a training step's median"
            raise InputError(message)

    @classmethod
    def of(cls, question: Question, **own: Any) -> Self:
        """
        Data parallelism of the question's model on its GPUs; ``own`` are inputs of this calculator by name.

        Strategy and bytes of gradients and parameters are those of the question's training job. Compute is
        what the training calculator prices for the tokens of a rank, unless backward or ``mfu`` is given; of
        a model whose layers are not known it runs at the job's GEMM efficiency, else at ``USUAL_MFU``.

        Raises:
            InputError: No model and no ``params``.
        """
        if question.model is not None:
            own = {"params": question.model.params} | own
        if "params" not in own:
            message = "params: give a number of parameters or a model"
            raise InputError(message)
        own = {name: value for name, value in own.items() if value is not None}
        return question.scenario(cls, **({"ranks": question.gpus} | _compute(question, own) | own))

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
        """Ranks that shard one replica under ``hsdp``; elsewhere all of them."""
        if self.strategy != "hsdp":
            return self.world
        if self.shard_ranks is not None:
            return count("shard_ranks", self.shard_ranks)
        return min(self.world, self.system.domain_gpus)

    @property
    def bucket(self) -> float | None:
        """Bytes of one bucket: as given, or Megatron's default where compute can hide it."""
        if self.bucket_bytes is not None or self.compute is None or self.overlap is not None:
            return self.bucket_bytes
        params = max(BUCKET_PARAMS, BUCKET_PARAMS_PER_RANK * self.world, self.params / DEFAULT_BUCKETS)
        return params * self.grad_bytes

    @property
    def compute(self) -> tuple[float, float] | None:
        """Forward and backward seconds of one micro-batch: given, of Training, or by mfu; else None."""
        if self.backward_s is not None:
            forward = self.backward_s / 2 if self.forward_s is None else self.forward_s
            return forward, self.backward_s
        if self.mfu is None and self.compute_of is not None:
            return self.compute_of.forward_s, self.compute_of.backward_s
        peak = self.system.gpu.bf16_flop_per_s
        if self.tokens_per_rank is None or self.mfu is None or peak is None:
            return None
        forward = 2 * self.params * self.tokens_per_rank / (peak * self.mfu)
        return forward, 2 * forward


def _compute(question: Question, own: dict[str, Any]) -> dict[str, Any]:
    """Inputs of the compute where ``own`` states none and says how many tokens a rank holds."""
    tokens = own.get("tokens_per_rank")
    if tokens is None or not own.keys().isdisjoint(("mfu", "compute_of")):
        return {}
    work = _work(question, own, tokens)
    if "backward_s" in own:
        return {} if isinstance(work, str) else {"compute_of": work}
    if not isinstance(work, str):
        return {"compute_of": work, "other_s": work.optimizer_s}
    stated = question.job.efficiency
    if stated is None:
        return {"mfu": USUAL_MFU, "mfu_stated": False, "unpriced": work}
    return {"mfu": min(stated, 1.0), "mfu_stated": True}


def _work(question: Question, own: dict[str, Any], tokens: float) -> MicroBatch | str:
    """The compute of the job's own model, or why it is not priced."""
    optional_number("tokens_per_rank", tokens, above=0)
    ranks = question.gpus or question.system.gpus
    accumulation = count("accumulation", own.get("accumulation", 1))
    if question.model is None or own["params"] != question.model.params:
        return "the layers of so many parameters are not known"
    return micro_batch(question, tokens, ranks, accumulation)
