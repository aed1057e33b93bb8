"""Which parallelism on which wire: each kind of exchange moved to each wire, and what it then costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.calculators.layouts.candidates import SHARDED
from core.calculators.layouts.cell import cell
from core.calculators.layouts.need import without_link
from core.calculators.layouts.serve import Served
from core.calculators.layouts.train import Ranked
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training.step import step
from core.checks import InputError
from core.hardware import System, Topology
from core.parallel.lane import lane
from core.parallel.layout import Group, Layout
from core.parallel.pipeline import bubble_over_work
from core.parallel.prices import seconds
from core.systems import configure

KINDS = ("tp", "ep", "cp", "pp", "dp", SHARDED)
"""Parameters that are sharded among the copies are gathered in every layer: a kind of their own."""
VERDICTS = ((0.01, "as good"), (0.05, "good enough"), (0.2, "costly"))
WORST = "avoid"
AS_IT_IS = "as it lies"
"""The wires that the layout itself uses, inside domains and across them."""
NETWORKS = ("ib-ndr", "roce-400", "roce-100")


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire as one GPU sees it: its name and a machine on which all exchanges use it."""

    name: str
    system: System
    most_gpus: int | None = None
    hypothetical_above: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """
    One kind of parallelism on one wire.

    Attributes:
        degree: GPUs that talk; ``layout`` is the fastest layout that uses the kind.
        step_s: The step (or a token's) with this kind on this wire; None where the wire cannot join so many.
        share: Part of that step that the exchange adds.
        slowdown: Against the best wire for this kind, as a share.
        verdict: ``as good`` below 1 % of slowdown, ``good enough`` below 5 %, ``costly`` below 20 %,
            else ``avoid``.
        note: Why there is no answer, or what the answer takes for granted.
    """

    kind: str
    degree: int
    layout: str
    wire: str
    step_s: float | None
    share: float | None
    slowdown: float | None = None
    verdict: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Adjacent(Layout):
    """The same degrees with each group's ranks next to one another, so that one wire joins them."""

    @property
    def tensor(self) -> Group:
        """Neighbours."""
        return Group(self.tp, 1)

    @property
    def context(self) -> Group:
        """Neighbours too."""
        return Group(self.cp, 1)

    @property
    def data(self) -> Group:
        """Neighbours too."""
        return Group(self.dp * self.cp, 1)

    @property
    def expert_data(self) -> Group:
        """Neighbours too."""
        return Group(self.stage_gpus // self.ep, 1)

    @property
    def pipeline(self) -> Group:
        """Neighbours too."""
        return Group(min(self.pp, 2), 1)

    def straddles(self, group: Group, domain_gpus: int, domains: int) -> bool:  # noqa: ARG002
        """One wire joins all: no edge cuts a group."""
        return False


def wires(system: System, gpus: int, networks: Iterable[str] = NETWORKS) -> tuple[Wire, ...]:
    """The machine's own scale-up, PCIe in its place, its network, and other networks."""
    found = [_scale_up(system, gpus)]
    if not system.scale_up.topology.pcie:
        found.append(Wire("PCIe 5 x16", _joining(without_link(system), gpus), system.domain_gpus))
    own = [system.network] if system.network else []
    nics = system.nics_per_domain or system.domain_gpus
    for name in dict.fromkeys([*own, *networks]):
        kept = system.nics_per_domain if name == system.network else nics
        whole = configure(system, domains=max(2, gpus), network=name, nics_per_domain=kept or None)
        found.append(Wire(name, lane(whole, whole.domain_gpus)))
    return tuple(found)


def place_training(found: Sequence[Ranked], over: Iterable[Wire]) -> tuple[Placed, ...]:
    """
    Each kind in the fastest layout that uses it, as it lies on the machine and moved to each wire.

    Kinds that no layout uses are left out. A group that spans domains uses several wires at once as it
    lies; moved, all of it goes over the one.
    """
    listed = tuple(over)
    placed = []
    for kind in KINDS:
        users = [
            item
            for item in found
            if getattr(item.scenario.layout, _degree(kind)) > 1 and item.sharded == (kind == SHARDED)
        ]
        if users:
            best = min(users, key=lambda item: item.order)
            placed += _judged([_as_it_is(best, kind), *(_trained(best, kind, wire) for wire in listed)])
    return tuple(placed)


def _degree(kind: str) -> str:
    """The degree of a layout that a kind's exchange is about."""
    return "dp" if kind == SHARDED else kind


def place_serving(scenario: Serve, found: Sequence[Served], over: Iterable[Wire]) -> tuple[Placed, ...]:
    """The same for serving: layouts that use one kind only, so that its cost stands alone."""
    listed = tuple(over)
    placed = []
    for kind in ("tp", "ep", "pp"):
        others = [name for name in ("tp", "ep", "pp") if name != kind]
        users = [
            item
            for item in found
            if getattr(item, kind) > 1 and all(getattr(item, name) == 1 for name in others)
        ]
        if users:
            best = min(users, key=lambda item: item.token_s)
            placed += _judged([_served(scenario, best, kind, wire) for wire in listed])
    return tuple(placed)


def _scale_up(system: System, gpus: int) -> Wire:
    """The domain's own wire, believed beyond the domain's GPUs only where a switch does the joining."""
    domain, inside = system.scale_up, system.domain_gpus
    grows = domain.topology is Topology.SWITCH
    return Wire(domain.link, _joining(system, gpus), None if grows else inside, inside)


def _joining(system: System, gpus: int) -> System:
    """One domain that joins so many GPUs, and no network."""
    size = max(system.domain_gpus, gpus)
    fabrics = (replace(system.scale_up, ranks=size),)
    return replace(system, domain_gpus=size, domains=1, network=None, nics_per_domain=0, fabrics=fabrics)


def _judged(row: list[Placed]) -> list[Placed]:
    """Each wire against the best for the same kind."""
    known = [item.step_s for item in row if item.step_s is not None]
    if not known:
        return row
    best = min(known)
    return [
        item
        if item.step_s is None
        else replace(item, slowdown=item.step_s / best - 1, verdict=verdict(item.step_s / best - 1))
        for item in row
    ]


def _as_it_is(item: Ranked, kind: str) -> Placed:
    """The kind where the layout puts it."""
    job, layout, part = item.scenario, item.scenario.layout, _degree(kind)
    degree = layout.data.size if part == "dp" else getattr(layout, kind)
    idle = 1.0 if part == "dp" else 1 + bubble_over_work(layout.pp, job.micro_batches, layout.vpp)
    share = getattr(item.parts.exposed, part) * idle / item.step_s
    return Placed(kind, degree, item.name(), AS_IT_IS, item.step_s, share)


def _trained(item: Ranked, kind: str, wire: Wire) -> Placed:
    job, layout = item.scenario, item.scenario.layout
    part = _degree(kind)
    degree = layout.data.size if part == "dp" else getattr(layout, kind)
    about = kind, degree, item.name(), wire.name
    pair = 2 if kind == "pp" else degree
    if refused := _refused(pair, wire):
        return Placed(*about, None, None, note=refused)
    beside = Adjacent(layout.tp, layout.pp, layout.vpp, layout.dp, layout.cp, layout.ep)
    try:
        moved = step(replace(job, system=wire.system, layout=beside))
    except InputError as problem:
        return Placed(*about, None, None, note=str(problem))
    idle = 1.0 if part == "dp" else 1 + bubble_over_work(layout.pp, job.micro_batches, layout.vpp)
    now, then = getattr(item.parts.exposed, part), getattr(moved.exposed, part)
    step_s = item.step_s + (then - now) * idle
    return Placed(*about, step_s, then * idle / step_s, note=_note(pair, wire))


def _served(scenario: Serve, item: Served, kind: str, wire: Wire) -> Placed:
    degree = getattr(item, kind)
    about = kind, degree, item.name(), wire.name
    pair = 2 if kind == "pp" else degree
    if refused := _refused(pair, wire):
        return Placed(*about, None, None, note=refused)
    tokens = max(1, item.sequences // max(1, item.ep // item.tp) // item.pp)
    asked = replace(scenario, tp=item.tp, ep=item.ep, tokens=tokens)
    try:
        if kind == "pp":
            own = cell(asked).step_s
            size = tokens * scenario.width * scenario.activations.bytes_per_value
            sent = (item.pp - 1) * seconds(wire.system, Group(2, 1), "send_recv", size, scenario.rates)
            step_s, share = own + sent, sent / (own + sent)
        else:
            found = cell(replace(asked, system=wire.system))
            step_s, share = found.step_s, found.share
    except InputError as problem:
        return Placed(*about, None, None, note=str(problem))
    return Placed(*about, step_s, share, note=_note(pair, wire))


def _refused(talking: int, wire: Wire) -> str:
    if wire.most_gpus is None or talking <= wire.most_gpus:
        return ""
    return f"{wire.name} joins {wire.most_gpus} GPUs, not {talking}"


def _note(talking: int, wire: Wire) -> str:
    if wire.hypothetical_above is None or talking <= wire.hypothetical_above:
        return ""
    return f"as if one domain joined {talking} GPUs, not {wire.hypothetical_above}"


def verdict(slowdown: float) -> str:
    """A word for how much slower a wire makes the step than the best one would."""
    return next((word for most, word in VERDICTS if slowdown < most), WORST)
