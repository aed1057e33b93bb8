"""The question: one dispatch or combine of a mixture-of-experts layer."""

from dataclasses import dataclass

from core.catalog.calibrations.moe_kernels import BULK, FP8_BYTES, LOW_LATENCY_KERNELS, NVFP4_BYTES
from core.checks import InputError, choice, count, number
from core.collectives.moe.routing import ROUTINGS
from core.collectives.moe.versions import numbers

COLLECTIVES = ("moe_dispatch", "moe_combine")
"""As ``predict`` and ``collective`` name them."""
TENSORRT_LLM = {"trtllm-one-sided": "one-sided", "trtllm-two-sided": "two-sided"}
"""Kernels that write over NVLink inside one domain, and their style."""
ALL_TO_ALL = "all-to-all"
"""The plain all-to-all of NCCL or RCCL, a copy for each expert."""
LIBRARIES = (*BULK, *LOW_LATENCY_KERNELS, *TENSORRT_LLM, ALL_TO_ALL)
AUTO = "auto"
FORMATS = {"fp8": FP8_BYTES, "bf16": 2.0, "nvfp4": NVFP4_BYTES}
"""Bytes of one value with its share of scales."""
MOST_TOKENS = 1e9
MOST_HIDDEN = 10**6
MOST_EXPERTS = 10**5
MOST_SMS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class MoeExchange:
    """
    Tokens on their way to experts (dispatch) or back (combine).

    Attributes:
        collective: ``moe_dispatch`` or ``moe_combine``.
        hidden: Values of a token.
        experts, topk: Of the layer, and of a token.
        token_format: Values travel as ``fp8`` (with scales), ``bf16`` or ``nvfp4``; None takes FP8 to the
            experts and BF16 back.
        library: One of ``LIBRARIES``; ``auto`` takes what engines use on such GPUs.
        routing: ``random`` or ``balanced``.
        sms: Of a GPU that the kernel may use; None takes the library's default.
        staged: Whether received tokens are copied from the library's buffers into a tensor.
        library_version: Of DeepEP V1, whose kernels between nodes are others since 1.1; None answers as
            before it, with an interval over both.
    """

    collective: str
    hidden: int = 7168
    experts: int = 256
    topk: int = 8
    token_format: str | None = None
    library: str = AUTO
    routing: str = "random"
    sms: int | None = None
    staged: bool = False
    library_version: str | None = None

    def __post_init__(self) -> None:
        """Refuse what no layer has; raises InputError naming the argument."""
        choice("collective", self.collective, COLLECTIVES)
        choice("library", self.library, (AUTO, *LIBRARIES))
        choice("routing", self.routing, ROUTINGS)
        count("hidden", self.hidden, most=MOST_HIDDEN)
        count("experts", self.experts, most=MOST_EXPERTS)
        count("topk", self.topk, most=self.experts)
        if self.token_format is not None:
            choice("token_format", self.token_format, FORMATS)
        if self.sms is not None:
            count("sms", self.sms, most=MOST_SMS)
        if self.library_version is not None:
            numbers(self.library_version)

    @property
    def operation(self) -> str:
        """``dispatch`` or ``combine``."""
        return self.collective.removeprefix("moe_")

    @property
    def travels_as(self) -> str:
        """The format of a value on its way."""
        return self.token_format or ("fp8" if self.operation == "dispatch" else "bf16")

    @property
    def token_bytes(self) -> float:
        """One token in the format it travels in, scales included."""
        return self.hidden * FORMATS[self.travels_as]


def checked_tokens(tokens: float) -> float:
    """Tokens of a GPU; raises InputError."""
    return number("tokens", tokens, least=0, most=MOST_TOKENS)


def check_experts(exchange: MoeExchange, ranks: int) -> None:
    """Refuse a layer with fewer experts than GPUs to hold them; raises InputError."""
    if exchange.experts < ranks:
        message = f"experts: at least one for each of {ranks} GPUs, not {exchange.experts}"
        raise InputError(message)
