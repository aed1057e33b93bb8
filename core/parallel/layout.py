"""A parallel layout of a training job: TP, PP, DP, CP and EP degrees and the process groups they make."""

from dataclasses import dataclass

from core.checks import InputError, count
from core.parallel.columns import smaller
from core.parallel.groups import Group, straddles
from core.workload import Model


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Degrees of parallelism; ranks are numbered TP first, then CP, DP and PP, as Megatron-LM does.

    Attributes:
        tp: Tensor-parallel GPUs, which share a layer's matrices.
        pp: Pipeline stages.
        vpp: Virtual pipeline stages of each, interleaved.
        dp: Data-parallel replicas, which average gradients.
        cp: Context-parallel GPUs, which share one sequence.
        ep: Expert-parallel GPUs, taken from TP, CP and DP together.
    """

    tp: int = 1
    pp: int = 1
    vpp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1

    @property
    def gpus(self) -> int:
        """GPUs of the job (world size)."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def stage_gpus(self) -> int:
        """GPUs that hold one pipeline stage."""
        return self.tp * self.dp * self.cp

    @property
    def tensor(self) -> Group:
        """Tensor-parallel group: neighbouring ranks."""
        return Group(self.tp, 1)

    @property
    def context(self) -> Group:
        """Context-parallel group: ranks that pass keys and values round a ring."""
        return Group(self.cp, self.tp)

    @property
    def data(self) -> Group:
        """Data-parallel group: ranks with the same parameters, context-parallel ones among them."""
        return Group(self.dp * self.cp, self.tp)

    @property
    def expert(self) -> Group:
        """Expert-parallel group: ranks between which tokens are dispatched."""
        return Group(self.ep, 1)

    @property
    def expert_data(self) -> Group:
        """Data-parallel group of the routed experts: ranks that hold the same ones."""
        return Group(self.stage_gpus // self.ep, self.ep)

    @property
    def pipeline(self) -> Group:
        """A pipeline stage and the next."""
        return Group(smaller(self.pp, 2), self.stage_gpus)

    def straddles(self, group: Group, domain_gpus: int, domains: int) -> bool:
        """Whether the edge of a domain cuts some group of this kind (see ``core.parallel.groups``)."""
        return straddles(group.size * group.stride, self.gpus, domain_gpus, domains)

    def text(self) -> str:
        """Degrees above one, as ``TP8 PP4 VPP5 DP16``."""
        degrees = {"TP": self.tp, "PP": self.pp, "VPP": self.vpp, "DP": self.dp, "CP": self.cp, "EP": self.ep}
        return " ".join(f"{name}{degree}" for name, degree in degrees.items() if degree > 1) or "1 GPU"


def serving_layout(*, tp: int, ep: int, pp: int, replicas: int) -> str:
    """Degrees of one replica of a served model and the number of them, as ``TP1 EP72 x 1``."""
    wide = [f"{name}{degree}" for name, degree in (("EP", ep), ("PP", pp)) if degree > 1]
    return f"{' '.join([f'TP{tp}', *wide])} x {replicas:,}"


def check(layout: Layout, model: Model) -> None:
    """
    Refuse a layout that the model does not allow.

    Raises:
        InputError: One line that names the degree and what is allowed.
    """
    for name in ("tp", "pp", "vpp", "dp", "cp", "ep"):
        count(name, getattr(layout, name))
    _divides("tp", layout.tp, model.heads, "attention heads")
    slots = model.layers + 2  # the embedding and the head may be stages of their own, as in Llama 3
    if layout.pp > model.layers or layout.pp * layout.vpp > slots:
        message = (
            f"pp: {layout.pp} stages of {layout.vpp} virtual stages, but {model.name} has "
            f"{model.layers} layers with an embedding and a head"
        )
        raise InputError(message)
    if layout.vpp > 1 and layout.pp == 1:
        message = f"vpp: virtual stages interleave only in a pipeline, so 1 with pp 1, not {layout.vpp}"
        raise InputError(message)
    if layout.ep == 1:
        return
    if not model.moe:
        message = f"ep: {model.name} has no experts, so only 1, not {layout.ep}"
        raise InputError(message)
    _divides("ep", layout.ep, model.experts, "experts")
    _divides("ep", layout.ep, layout.stage_gpus, "GPUs of a pipeline stage")


def check_imbalance(name: str, imbalance: float, ep: int) -> None:
    """
    Refuse more tokens on the busiest EP rank, over the mean, than all of them: there are only ``ep`` ranks.

    Raises:
        InputError: One line that names the argument.
    """
    if imbalance > ep:
        message = f"{name}: at most EP = {ep}, not {imbalance:g}"
        raise InputError(message)


def _divides(name: str, degree: int, total: int | None, unit: str) -> None:
    if total is None or total % degree == 0:
        return
    divisors = ", ".join(str(n) for n in range(1, min(total, 128) + 1) if total % n == 0)
    message = f"{name}: {degree} does not divide the {total} {unit}; one of {divisors}"
    raise InputError(message)
