"""The question of the capacity calculator: a model, its serving load, the GPUs that hold it."""

import math
from dataclasses import KW_ONLY, dataclass

from core import checks
from core.calculators.capacity.degrees import check_copies, check_expert_group
from core.calculators.question import FP8, FromQuestion, ServingLoad
from core.calculators.tensor_parallel.scenario import check_degree
from core.calculators.tensor_parallel.state_pools import StatePools
from core.checks import InputError
from core.collectives.question import FabricQuestion, Software
from core.parallel.layout import serving_layout
from core.workload import Attention, Model, Precision

DEFAULT_CONTEXT = 4096


@dataclass(frozen=True)
class Scenario(FabricQuestion, ServingLoad, FromQuestion):
    """
    A model laid over a system's GPUs.

    Attributes:
        model: The transformer; None when only ``params`` is known.
        params: Override of the number of values (and the only one without a model).
        active_params: Values that a token meets; from the model, else all. At most ``params``.
        context: Context length in tokens.
        dispatch: Format of tokens on their way to experts.
        gpus: GPUs used; None: tp x pp x dp where ``tp`` is given (as many copies as ``ep`` needs),
            else as much of all domains as pp, dp and ep divide.
        hbm_bytes: Override of a GPU's memory.
        hbm_bytes_per_s: Override of its memory rate.
        tp, pp, dp, ep: Tensor, pipeline, data and expert parallelism. Attention runs on tp GPUs,
            dp copies of it (``DP attention``) share the experts over ep GPUs. None for tp: the degree
            with the most sequences. None for ep: all of tp x dp when the model has experts, else 1.
            None for dp: what is left of ``gpus``.
        batch_tokens: New tokens of a step on one attention group: sizes activations.
        reserve_bytes: Runtime reserve on each GPU (context, graphs, communication buffers).
        state_ratio, state_slots, state_pages: The ``StatePools`` of the serving software.
    """

    model: Model | None = None
    _: KW_ONLY
    params: float | None = None
    active_params: float | None = None
    context: int = DEFAULT_CONTEXT
    dispatch: Precision = FP8
    gpus: int | None = None
    hbm_bytes: float | None = None
    hbm_bytes_per_s: float | None = None
    tp: int | None = None
    pp: int = 1
    dp: int | None = None
    ep: int | None = None
    batch_tokens: int = 0
    reserve_bytes: float = 0.0
    state_ratio: float = 0.0
    state_slots: int = 1
    state_pages: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be laid out, in one line that names the argument."""
        Software.__post_init__(self)
        ServingLoad.__post_init__(self)
        if self.model is None and self.params is None:
            message = "params: give a model or a number of parameters"
            raise InputError(message)
        for name in ("params", "active_params"):
            checks.optional_number(name, getattr(self, name), least=0)
        if self.active_params is not None and self.active_params > self.values:
            message = f"active_params: at most the {self.values:g} in all, not {self.active_params:g}"
            raise InputError(message)
        for name in ("hbm_bytes", "hbm_bytes_per_s"):
            checks.optional_number(name, getattr(self, name), above=0)
        checks.number("reserve_bytes", self.reserve_bytes, least=0)
        checks.count("batch_tokens", self.batch_tokens, least=0)
        _ = self.pools
        for name in ("tp", "pp", "dp", "ep", "gpus"):
            if getattr(self, name) is not None:
                checks.count(name, getattr(self, name))
        _check_layout(self)

    @property
    def used_gpus(self) -> int:
        """GPUs of the layout."""
        if self.gpus is not None:
            return self.gpus
        whole = self.system.gpus
        if self.tp is not None:
            return self.pp * math.lcm(self.tp * (self.dp or 1), 1 if self.dp else self.ep or 1)
        group = self.pp * math.lcm(self.dp or 1, self.ep or 1)
        return whole - whole % group if group <= whole else group

    @property
    def attention_tp(self) -> int:
        """GPUs that share one attention; while ``tp`` is open the widest that heads allow, 1 for MLA."""
        if self.tp is not None:
            return self.tp
        if self.dp is None and self.model is not None and self.model.attention is Attention.MLA:
            return 1
        per_stage = self.used_gpus // self.pp // (self.dp or 1)
        heads = self.model.heads if self.model else None
        if heads is None:
            return max(1, per_stage)
        return max(n for n in range(1, min(per_stage, heads) + 1) if per_stage % n == 0 and heads % n == 0)

    @property
    def replicas(self) -> int:
        """Attention groups side by side."""
        return max(1, self.used_gpus // (self.attention_tp * self.pp))

    @property
    def expert_group(self) -> int:
        """GPUs over which the experts are spread."""
        if self.ep is not None:
            return self.ep
        if self.model is None or not self.model.moe:
            return 1
        return self.attention_tp * self.replicas

    @property
    def layout(self) -> str:
        """The layout as serving layouts are spelled, as ``TP1 EP72 x 1``."""
        of_replica = max(self.attention_tp, self.expert_group) * self.pp
        replicas = max(1, self.used_gpus // of_replica)
        return serving_layout(tp=self.attention_tp, ep=self.expert_group, pp=self.pp, replicas=replicas)

    @property
    def pools(self) -> StatePools:
        """Pools of states and KV blocks."""
        return StatePools(ratio=self.state_ratio, states=self.state_slots, paged=self.state_pages)

    @property
    def memory_bytes(self) -> float:
        """Memory of one GPU, as stated."""
        return self.hbm_bytes if self.hbm_bytes is not None else self.system.gpu.memory_bytes

    @property
    def limit_bytes(self) -> float:
        """Memory of one GPU that may be used."""
        return self.memory_bytes * self.usable

    @property
    def memory_bytes_per_s(self) -> float:
        """Memory rate of one GPU."""
        return self.hbm_bytes_per_s or self.system.gpu.memory_rate.bytes_per_s

    @property
    def link_bytes_per_s(self) -> float:
        """Scale-up rate of one GPU, unidirectional."""
        return self.rates.bytes_per_s or self.system.scale_up.bytes_per_s

    @property
    def values(self) -> float:
        """Parameters in all."""
        if self.params is not None:
            return self.params
        return self.model.params if self.model else 0.0


def _check_layout(scenario: Scenario) -> None:
    system, used = scenario.system, scenario.used_gpus
    if used > system.gpus:
        message = (
            f"gpus: {used} exceeds the {system.gpus} GPUs of {system.name}"
            f" ({system.domains} x {system.domain_gpus}); add domains or use at most {system.gpus}"
        )
        raise InputError(message)
    if scenario.tp is not None and scenario.model is not None:
        check_degree(scenario.model, scenario.tp, system.gpus)
    if scenario.model is not None and scenario.pp > scenario.model.layers:
        message = (
            f"pp: at most the {scenario.model.layers} layers of {scenario.model.name}, not {scenario.pp}"
        )
        raise InputError(message)
    group = (scenario.tp or 1) * scenario.pp * (scenario.dp or 1)
    if used % group:
        message = f"gpus: a multiple of tp x pp x dp = {group}, not {used}"
        raise InputError(message)
    stage = used // scenario.pp
    if scenario.dp is not None and scenario.tp is None:
        check_copies(scenario.model, scenario.dp, stage)
    check_expert_group(scenario.model, scenario.ep, stage)
