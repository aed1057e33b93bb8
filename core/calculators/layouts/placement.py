"""Which parallelism on which interconnect: each kind moved to each interconnect, and the step then."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.calculators.layouts.candidates import SHARDED
from core.calculators.layouts.interconnects import Interconnect
from core.calculators.layouts.serving_layout import ServingLayout
from core.calculators.layouts.serving_step import serving_step
from core.calculators.layouts.training_ranking import RankedLayout
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.training import Layout, step
from core.checks import InputError
from core.parallel.groups import Group
from core.parallel.grow import grow_to
from core.parallel.pipeline import bubble_over_work
from core.parallel.prices import collective_s

KINDS = ("tp", "ep", "cp", "pp", "dp", SHARDED)
"""Sharded parameters are gathered in every layer: a kind of their own beside plain data parallelism."""
STAGE_KINDS = ("tp", "ep")
SERVING_KINDS = (*STAGE_KINDS, "pp")
VERDICTS = ((0.01, "as good"), (0.05, "good enough"), (0.2, "costly"))
WORST = "avoid"
SHARES = (0.05, 0.2)
"""Exposed communication from which even the best interconnect is only good enough, and is costly."""
AS_PLACED = "as placed"
"""The interconnects that the layout itself uses, inside domains and across them."""


@dataclass(frozen=True, slots=True)
class InterconnectPlacement:
    """
    One kind of parallelism on one interconnect.

    Attributes:
        kind: One of ``KINDS``; ``tp+ep`` where both join the GPUs of a serving stage.
        degree: GPUs that communicate.
        layout: The fastest layout that uses the kind.
        interconnect: Its name, or ``AS_PLACED``.
        step_s: The step (or token) with this kind on it; None where it cannot join so many GPUs.
        share: Exposed communication of the kind as a share of that step, without its part of the bubble.
        slowdown: Against the best interconnect for this kind, as a share.
        verdict: ``as good`` below 1 % of slowdown, ``good enough`` below 5 %, ``costly`` below 20 %,
            else ``avoid``; at least ``good enough`` from 5 % and ``costly`` from 20 % of the step that
            communicates, however slow the others are.
        note: Why there is no answer, or what the answer assumes.
    """

    kind: str
    degree: int
    layout: str
    interconnect: str
    step_s: float | None
    share: float | None
    slowdown: float | None = None
    verdict: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Adjacent(Layout):
    """The same degrees with the ranks of each group adjacent, so that one interconnect joins them."""

    @property
    def context(self) -> Group:
        """Neighbouring ranks."""
        return Group(self.cp, 1)

    @property
    def data(self) -> Group:
        """Neighbouring ranks."""
        return Group(self.dp * self.cp, 1)

    @property
    def expert_data(self) -> Group:
        """Neighbouring ranks."""
        return Group(self.stage_gpus // self.ep, 1)

    @property
    def pipeline(self) -> Group:
        """Neighbouring ranks."""
        return Group(min(self.pp, 2), 1)

    def straddles(self, group: Group, domain_gpus: int, domains: int) -> bool:  # noqa: ARG002
        """No edge of a domain cuts a group: one interconnect joins all."""
        return False


def place_training(
    layouts: Sequence[RankedLayout], interconnects: Iterable[Interconnect]
) -> tuple[InterconnectPlacement, ...]:
    """
    Each kind in the fastest layout that uses it, as placed on the system and moved to each interconnect.

    So the kinds that the fastest of all layouts uses are those of that layout, and they come first. Kinds
    that no layout uses are left out. A group that spans domains uses several interconnects at once as
    placed; moved, all of it goes over the one.
    """
    options = tuple(interconnects)
    ordered = sorted(layouts, key=lambda layout: layout.order)
    fastest = {kind: next((item for item in ordered if _uses(item, kind)), None) for kind in KINDS}
    placements: list[InterconnectPlacement] = []
    for kind, layout in sorted(fastest.items(), key=lambda item: item[1] is not ordered[0]):
        if layout is not None:
            moved = (_moved(layout, kind, option) for option in options)
            placements += _with_verdicts([_as_placed(layout, kind), *moved])
    return tuple(placements)


def _uses(ranked: RankedLayout, kind: str) -> bool:
    """Whether a layout communicates in this way: data-parallel ranks average gradients or gather shards."""
    if _degree_name(kind) != "dp":
        return bool(getattr(ranked.scenario.layout, kind) > 1)
    return ranked.scenario.layout.data.size > 1 and ranked.sharded == (kind == SHARDED)


def place_serving(
    scenario: Serving, layouts: Sequence[ServingLayout], interconnects: Iterable[Interconnect]
) -> tuple[InterconnectPlacement, ...]:
    """
    The same for serving: the best layout's own kinds, then layouts that use another kind alone.

    The layouts come best first. Where the best uses TP and EP at once, they are one row.
    """
    options, best = tuple(interconnects), layouts[0]
    load = replace(scenario, system=grow_to(scenario.system, best.degrees.gpus * best.replicas))
    placements: list[InterconnectPlacement] = []
    for layout, kind in _served_kinds(layouts):
        moved = (_served(load, layout, kind, option) for option in options)
        placements += _with_verdicts([_as_served(load, layout, kind), *moved])
    return tuple(placements)


def _served_kinds(layouts: Sequence[ServingLayout]) -> Iterator[tuple[ServingLayout, str]]:
    """Each layout that is placed, with the kind that is moved."""
    best = layouts[0]
    stage = "+".join(kind for kind in STAGE_KINDS if getattr(best, kind) > 1)
    own = [kind for kind in (stage, "pp" if best.pp > 1 else "") if kind]
    yield from ((best, kind) for kind in own)
    for kind in SERVING_KINDS:
        alone = (
            layout
            for layout in layouts
            if all((getattr(layout, name) > 1) == (name == kind) for name in SERVING_KINDS)
        )
        if kind not in own and (layout := next(alone, None)):
            yield layout, kind


def verdict(slowdown: float, share: float = 0.0) -> str:
    """The verdict by how much slower than the best an interconnect makes the step, and what it exposes."""
    words = [text for _, text in VERDICTS]
    by_slowdown = sum(slowdown >= most for most, _ in VERDICTS)
    by_share = sum(share >= least for least in SHARES)
    return (*words, WORST)[max(by_slowdown, by_share)]


def _degree_name(kind: str) -> str:
    """The degree of a layout that a kind is about."""
    return "dp" if kind == SHARDED else kind


def _with_verdicts(row: list[InterconnectPlacement]) -> list[InterconnectPlacement]:
    """Each interconnect against the best for the same kind."""
    steps = [placement.step_s for placement in row if placement.step_s is not None]
    if not steps:
        return row
    return [_against(placement, min(steps)) for placement in row]


def _against(placement: InterconnectPlacement, best_s: float) -> InterconnectPlacement:
    if placement.step_s is None:
        return placement
    slowdown = placement.step_s / best_s - 1
    return replace(placement, slowdown=slowdown, verdict=verdict(slowdown, placement.share or 0.0))


def _training_degree(ranked: RankedLayout, kind: str) -> int:
    layout, name = ranked.scenario.layout, _degree_name(kind)
    return layout.data.size if name == "dp" else int(getattr(layout, name))


def _with_bubble(ranked: RankedLayout, kind: str) -> float:
    """Factor by which the pipeline bubble stretches communication of a stage; 1 for data parallelism."""
    if _degree_name(kind) == "dp":
        return 1.0
    job, layout = ranked.scenario, ranked.scenario.layout
    return 1 + bubble_over_work(layout.pp, job.micro_batches, layout.vpp)


def _as_placed(ranked: RankedLayout, kind: str) -> InterconnectPlacement:
    """The kind where the layout puts it."""
    exposed_s: float = getattr(ranked.parts.exposed, _degree_name(kind))
    share = exposed_s / ranked.step_s
    return InterconnectPlacement(
        kind, _training_degree(ranked, kind), ranked.name(), AS_PLACED, ranked.step_s, share
    )


def _moved(ranked: RankedLayout, kind: str, interconnect: Interconnect) -> InterconnectPlacement:
    """The layout with the communication of one kind on an interconnect, everything else as placed."""
    job, layout = ranked.scenario, ranked.scenario.layout
    degree = _training_degree(ranked, kind)
    gpus = 2 if kind == "pp" else degree
    empty = InterconnectPlacement(kind, degree, ranked.name(), interconnect.name, None, None)
    if refusal := interconnect.refusal(gpus):
        return replace(empty, note=refusal)
    adjacent = Adjacent(layout.tp, layout.pp, layout.vpp, layout.dp, layout.cp, layout.ep)
    try:
        moved = step(replace(job, system=interconnect.system, layout=adjacent))
    except InputError as problem:
        return replace(empty, note=str(problem))
    name, factor = _degree_name(kind), _with_bubble(ranked, kind)
    placed_s, moved_s = getattr(ranked.parts.exposed, name), getattr(moved.exposed, name)
    step_s = ranked.step_s + (moved_s - placed_s) * factor
    return replace(empty, step_s=step_s, share=moved_s / step_s, note=interconnect.note(gpus))


def _as_served(scenario: Serving, layout: ServingLayout, kind: str) -> InterconnectPlacement:
    """The kind where the layout puts it: inside a step, or in the token's way from stage to stage."""
    step = serving_step(layout.step(scenario))
    degree, name = _serving_degree(layout, kind), layout.name()
    if kind != "pp":
        return InterconnectPlacement(kind, degree, name, AS_PLACED, step.step_s, step.share)
    share = (layout.token_s - step.step_s) / layout.token_s
    return InterconnectPlacement(kind, degree, name, AS_PLACED, layout.token_s, share)


def _serving_degree(layout: ServingLayout, kind: str) -> int:
    return layout.pp if kind == "pp" else layout.degrees.stage_gpus


def _served(
    scenario: Serving, layout: ServingLayout, kind: str, interconnect: Interconnect
) -> InterconnectPlacement:
    degree = _serving_degree(layout, kind)
    gpus = 2 if kind == "pp" else degree
    empty = InterconnectPlacement(kind, degree, layout.name(), interconnect.name, None, None)
    if refusal := interconnect.refusal(gpus):
        return replace(empty, note=refusal)
    load = layout.step(scenario)
    try:
        token = _token(load, layout, kind, interconnect)
    except InputError as problem:
        return replace(empty, note=str(problem))
    return replace(empty, step_s=token.step_s, share=token.share, note=interconnect.note(gpus))


@dataclass(frozen=True, slots=True)
class _Token:
    """Seconds of a token, and the share of them that communicates."""

    step_s: float
    share: float


def _token(load: Serving, layout: ServingLayout, kind: str, interconnect: Interconnect) -> _Token:
    """A token with the communication of one kind on an interconnect."""
    if kind != "pp":
        moved = serving_step(replace(load, system=interconnect.system))
        return _Token(moved.step_s, moved.share)
    size_bytes = load.tokens * load.width * load.activations.bytes_per_value
    hop_s = collective_s(interconnect.system, Group(2, 1), "send_recv", size_bytes, load.rates)
    sent_s = (layout.pp - 1) * hop_s
    token_s = serving_step(load).step_s + sent_s
    return _Token(token_s, sent_s / token_s)
