"""The shared question of all calculators: system, rates, software, model, training job, serving load."""

from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Self, TypeVar, cast

from core.catalog.calibrations.training import (
    ANY,
    FSDP,
    FSDP_2024,
    MEGATRON,
    MEGATRON_2022,
    MEGATRON_2024,
    TRANSFORMERS,
)
from core.checks import InputError, choice, count, number, optional_number
from core.collectives.question import AUTO, Software
from core.collectives.rates import Rates
from core.hardware import System
from core.kernels.gemm import ENGINES
from core.parallel.states import GRADIENT_BYTES
from core.parallel.traffic import STRATEGIES
from core.workload import Model, Precision

RECOMPUTE = ("none", "selective", "full")
FRAMEWORKS = (AUTO, ANY, MEGATRON, MEGATRON_2024, MEGATRON_2022, FSDP, FSDP_2024, TRANSFORMERS)
PRECISIONS = ("bf16", "fp16", "fp8", "mxfp8", "nvfp4")
Kind = TypeVar("Kind")

BF16 = Precision("bf16", "BF16", 16)
FP8 = Precision("fp8", "FP8", 8)
MOST_VALUE_BYTES = 16
USUAL_BYTES = cast("float", None)
MOST_REQUESTS = 10**9


@dataclass(frozen=True, kw_only=True)
class DataParallel:
    """
    How data-parallel ranks keep and exchange the model's states.

    Attributes:
        strategy: One of ``STRATEGIES``; ``zero1`` is Megatron's distributed optimizer.
        grad_bytes, param_bytes: Bytes of one gradient and of one parameter as sent; None takes the strategy's
            ``GRADIENT_BYTES``.
        grad_bytes_stated: Whether the gradient's bytes are the job's own, so that another strategy keeps
            them; None goes by whether they were given.
        usd_per_gpu_hour: Price of a GPU-hour; None asks for no cost.
    """

    strategy: str = "zero1"
    grad_bytes: float = USUAL_BYTES
    param_bytes: float = 2.0
    usd_per_gpu_hour: float | None = None
    grad_bytes_stated: bool | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be computed; raises InputError naming the argument."""
        choice("strategy", self.strategy, STRATEGIES)
        if self.grad_bytes_stated is None:
            object.__setattr__(self, "grad_bytes_stated", self.grad_bytes is not USUAL_BYTES)
        if self.grad_bytes is USUAL_BYTES:
            object.__setattr__(self, "grad_bytes", GRADIENT_BYTES[self.strategy])
        number("grad_bytes", self.grad_bytes, above=0, most=MOST_VALUE_BYTES)
        number("param_bytes", self.param_bytes, above=0, most=MOST_VALUE_BYTES)
        optional_number("usd_per_gpu_hour", self.usd_per_gpu_hour, least=0)

    def by_strategy(self, strategy: str) -> dict[str, Any]:
        """Fields of the same job by another strategy, with its gradients unless they were stated."""
        choice("strategy", strategy, STRATEGIES)
        stated = bool(self.grad_bytes_stated) or self.grad_bytes != GRADIENT_BYTES[self.strategy]
        grad_bytes = self.grad_bytes if stated else GRADIENT_BYTES[strategy]
        return {"strategy": strategy, "grad_bytes": grad_bytes, "grad_bytes_stated": stated}


@dataclass(frozen=True, kw_only=True)
class TrainingJob(DataParallel):
    """
    A training job, whatever GPUs and layout it runs on.

    Attributes:
        micro_batch: Sequences of one micro-batch of one pipeline.
        global_batch: Sequences of one optimizer step of the whole job.
        seq: Sequence length in tokens.
        precision: Of the GEMMs; the rest stays BF16.
        recompute: Activation recomputation: none, selective (attention's only), or full.
        efficiency: GEMM efficiency, the share of peak FLOP/s that large GEMMs reach: the
            one calibration constant; None takes the one fitted for GPU, precision and framework.
        framework: Whose kernels and when, for that constant: ``megatron`` (since 2025), ``megatron-2024``,
            ``megatron-2022``, ``fsdp`` (PyTorch since 2026), ``fsdp-2024``, ``transformers`` (Hugging Face's
            modules under DeepSpeed or Accelerate), ``any``, or ``auto`` by the rest of the job.
    """

    micro_batch: int = 1
    global_batch: int = 512
    seq: int = 4096
    precision: str = "bf16"
    recompute: str = "none"
    efficiency: float | None = None
    framework: str = AUTO

    def __post_init__(self) -> None:
        """Refuse what cannot be computed; raises InputError naming the argument."""
        DataParallel.__post_init__(self)
        count("micro_batch", self.micro_batch)
        count("global_batch", self.global_batch)
        count("seq", self.seq)
        choice("precision", self.precision, PRECISIONS)
        choice("recompute", self.recompute, RECOMPUTE)
        optional_number("efficiency", self.efficiency, above=0, most=1.1)
        choice("framework", self.framework, FRAMEWORKS)


@dataclass(frozen=True, kw_only=True)
class Serving:
    """
    How a model is served.

    Attributes:
        context: Context length in tokens; None leaves it to the calculator.
        weights, activations, kv: Formats; ``activations`` is what GPUs exchange and what norms read.
        dispatch: Format of tokens on their way to experts; None leaves it to the calculator.
        usable: Share of the GPU memory that may be used.
        engine: Whose kernels of routed MLPs run and whose way of sharing experts, of ``ENGINES``; None:
            nobody's in particular.
    """

    context: int | None = None
    weights: Precision = BF16
    activations: Precision = BF16
    kv: Precision = BF16
    dispatch: Precision | None = None
    usable: float = 0.9
    engine: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be served; raises InputError naming the argument."""
        if self.context is not None:
            count("context", self.context, least=0)
        number("usable", self.usable, above=0, most=1)
        if self.engine is not None:
            choice("engine", self.engine, ENGINES)
        for name in ("activations", "kv", "dispatch"):
            value = getattr(self, name)
            if value is not None and value.weight_only:
                message = f"{name}: {value.id} is a format of weights alone; one such as bf16 or fp8"
                raise InputError(message)


@dataclass(frozen=True, kw_only=True)
class ServingLoad(Serving):
    """
    A model served to so many users.

    Attributes:
        sequences: Concurrent requests (batch size) of all replicas together, at most ``MOST_REQUESTS``.
    """

    sequences: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be served; raises InputError naming the argument."""
        Serving.__post_init__(self)
        count("sequences", self.sequences, least=0, most=MOST_REQUESTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """
    What a user asks of every calculator.

    ``Scenario.of(question, ...)`` of each calculator makes its scenario from it and from inputs of its own.

    Attributes:
        system: GPUs, domains and network.
        rates: Where rates and latencies come from.
        software: The library that communicates.
        algorithm: Of one collective; a whole step of many kinds leaves it to the library.
        model: The transformer; None where a number of parameters is enough.
        gpus: GPUs of the job (world size); None leaves it to the calculator.
        job: The training job.
        load: The serving load.
        memory_of, reserve_bytes: What the serving software leaves of a GPU's memory (``UsableMemory``); None
            leaves them to the calculator.
        state_ratio, state_slots, state_pages: Its ``StatePools``, where layers keep a state.
    """

    system: System
    rates: Rates = field(default_factory=Rates)
    software: Software = field(default_factory=Software)
    algorithm: str = AUTO
    model: Model | None = None
    gpus: int | None = None
    job: TrainingJob = field(default_factory=TrainingJob)
    load: ServingLoad = field(default_factory=ServingLoad)
    memory_of: str | None = None
    reserve_bytes: float | None = None
    state_ratio: float | None = None
    state_slots: int | None = None
    state_pages: bool | None = None

    def scenario(self, kind: type[Kind], **own: Any) -> Kind:
        """
        A scenario of this question: what they share by name, then inputs of its own.

        What the question leaves open (None) keeps the scenario's default.

        Raises:
            InputError: The scenario needs a model and the question has none, or a value is refused.
        """
        parts = (self, self.software, self.job, self.load)
        values = {item.name: getattr(part, item.name) for part in parts for item in fields(part)}
        if "strategy" in own:
            values |= self.job.by_strategy(own["strategy"])
        accepted = fields(kind)  # type: ignore[arg-type]
        inputs = {
            item.name: values[item.name] for item in accepted if values.get(item.name) is not None
        } | own
        needs_model = any(item.name == "model" and item.default is MISSING for item in accepted)
        if needs_model and inputs.get("model") is None:
            message = "model: give a model of the catalog, a config.json or a shape"
            raise InputError(message)
        return kind(**inputs)


class FromQuestion:
    """A scenario that can be made from the shared question."""

    @classmethod
    def of(cls, question: Question, **own: Any) -> Self:
        """The scenario of a question; ``own`` are this calculator's inputs by name, and go first."""
        return question.scenario(cls, **own)
