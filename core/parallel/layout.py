"""A layout: how the GPUs of a training job divide layers, stages, sequences, experts and data."""

from dataclasses import dataclass

from core.checks import InputError, count
from core.parallel.lane import straddles
from core.workload import Model


@dataclass(frozen=True, slots=True)
class Group:
    """Ranks that talk to one another: ``size`` of them, ``stride`` ranks apart."""

    size: int
    stride: int


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Degrees of parallelism; ranks are numbered TP first, then CP, DP and PP, as Megatron-LM does.

    Attributes:
        tp: GPUs that share a layer's matrices.
        pp: Pipeline stages; ``vpp`` pieces of each are interleaved.
        dp: Copies of the model that average gradients.
        cp: GPUs that share one sequence.
        ep: GPUs that share the experts, taken from TP, CP and DP together.
    """

    tp: int = 1
    pp: int = 1
    vpp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1

    @property
    def gpus(self) -> int:
        """All of them."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def stage_gpus(self) -> int:
        """GPUs that hold one pipeline stage."""
        return self.tp * self.dp * self.cp

    @property
    def tensor(self) -> Group:
        """Neighbours."""
        return Group(self.tp, 1)

    @property
    def context(self) -> Group:
        """Ranks that pass keys and values on."""
        return Group(self.cp, self.tp)

    @property
    def data(self) -> Group:
        """Ranks that hold the same parameters: data and context parallel together."""
        return Group(self.dp * self.cp, self.tp)

    @property
    def expert(self) -> Group:
        """Ranks that tokens travel between."""
        return Group(self.ep, 1)

    @property
    def expert_data(self) -> Group:
        """Ranks that hold the same experts."""
        return Group(self.stage_gpus // self.ep, self.ep)

    @property
    def pipeline(self) -> Group:
        """A stage and the next."""
        return Group(min(self.pp, 2), self.stage_gpus)

    def straddles(self, group: Group, domain_gpus: int, domains: int) -> bool:
        """Whether the edge of a domain cuts some group of this kind (see ``core.lane``)."""
        return straddles(group.size * group.stride, self.gpus, domain_gpus, domains)

    def text(self) -> str:
        """Degrees above one, as ``TP8 PP4 x5 DP16``."""
        parts = [
            f"{name}{value}"
            for name, value in (
                ("TP", self.tp),
                ("PP", self.pp),
                ("DP", self.dp),
                ("CP", self.cp),
                ("EP", self.ep),
            )
            if value > 1
        ]
        if self.vpp > 1:
            parts.append(f"({self.vpp} pieces a stage)")
        return " ".join(parts) or "one GPU"


def check(layout: Layout, model: Model) -> None:
    """
    Refuse a layout that the model does not allow.

    Raises:
        InputError: One line that names the degree and what is allowed.
    """
    for name in ("tp", "pp", "vpp", "dp", "cp", "ep"):
        count(name, getattr(layout, name))
    _divides("tp", layout.tp, model.heads, "attention heads")
    pieces = model.layers + 2  # the embedding and the head may be pieces of their own, as in Llama 3
    if layout.pp > model.layers or layout.pp * layout.vpp > pieces:
        message = (
            f"pp: {layout.pp} stages of {layout.vpp} pieces, but {model.name} has {model.layers} layers "
            "with an embedding and a head"
        )
        raise InputError(message)
    if layout.vpp > 1 and layout.pp == 1:
        message = f"vpp: pieces interleave only between stages, so 1 with pp 1, not {layout.vpp}"
        raise InputError(message)
    if layout.ep == 1:
        return
    if not model.moe:
        message = f"ep: {model.name} has no experts, so only 1, not {layout.ep}"
        raise InputError(message)
    _divides("ep", layout.ep, model.experts, "experts")
    _divides("ep", layout.ep, layout.stage_gpus, "GPUs of a stage")


def _divides(name: str, degree: int, of: int | None, what: str) -> None:
    if of is None or of % degree == 0:
        return
    fitting = ", ".join(str(n) for n in range(1, min(of, 128) + 1) if of % n == 0)
    message = f"{name}: {degree} does not divide the {of} {what}; one of {fitting}"
    raise InputError(message)
