"""What the links between GPUs are worth: a step as the system stands, and with its GPUs joined otherwise."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.calculators.layouts.joined import joined
from core.calculators.layouts.serving_step import serving_step
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.training import Scenario as Training
from core.calculators.training import step as training_step
from core.checks import InputError
from core.collectives.question import AUTO
from core.hardware import System
from core.units import format_share, format_time

NEEDED, USEFUL = 1.25, 1.05
"""Speed-up from which a link is needed, and from which it is useful."""
SAME = 1.005
"""Below it three digits show no difference."""
PAIR = 2
"""GPUs that a bridge joins."""


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds of a step and of its exposed communication; ``note`` says what is not as asked."""

    step_s: float
    exposed_s: float
    note: str = ""

    @property
    def share(self) -> float:
        """Exposed communication as a share of the step."""
        return self.exposed_s / self.step_s if self.step_s > 0 else 0.0


@dataclass(frozen=True, slots=True)
class LinkOption:
    """The step with the GPUs joined in one way; ``linked``: by a link beside PCIe, ``pairs``: two by two."""

    name: str
    current: bool
    linked: bool
    pairs: bool
    step_s: float
    exposed_s: float
    share: float


@dataclass(frozen=True, slots=True)
class LinkValue:
    """
    What a link beside PCIe is worth to one system and job.

    Attributes:
        options: The system as it stands first, then the same GPUs joined otherwise.
        gain: Speed-up by the link over PCIe alone; where the GPU has no link, the most that any could give:
            the step without exposed communication.
        available: Whether the GPU has a link beside PCIe.
        verdict: ``needed``, ``useful`` or ``not needed``, by ``gain``.
        text: The result in a sentence or two.
    """

    system: str
    gpu: str
    options: tuple[LinkOption, ...]
    gain: float
    available: bool
    verdict: str
    text: str


def link_verdict(gain: float) -> str:
    """Whether a link that makes a step so many times as fast is needed."""
    return "needed" if gain >= NEEDED else "useful" if gain >= USEFUL else "not needed"


def serving_link_value(scenario: Serving) -> LinkValue:
    """
    The links of the scenario's system for its prefill or decode step, in the same layout on every link.

    Raises:
        InputError: The step cannot be priced.
    """

    def step(system: System) -> StepTime:
        there, note = replace(scenario, system=system), ""
        try:
            at = serving_step(there)
        except InputError:
            note = f" ({scenario.algorithm} does not run there: algorithm {AUTO})"
            at = serving_step(replace(there, algorithm=AUTO))
        return StepTime(at.step_s, at.share * at.step_s, note)

    layout = f"TP{scenario.tp}" + (f" EP{scenario.ep}" if scenario.ep > 1 else "")
    tokens = f"{scenario.tokens:,} batched tokens"
    what = f"a {scenario.phase} step of {scenario.model.name} at {layout} ({tokens})"
    return link_value(scenario.system, step, what, group=max(scenario.tp, scenario.ep))


def training_link_value(scenario: Training) -> LinkValue:
    """
    The links of the scenario's system for its training step, in the same layout on every link.

    Raises:
        InputError: The step cannot be priced.
    """

    def step(system: System) -> StepTime:
        at = training_step(replace(scenario, system=system))
        return StepTime(at.total_s, at.exposed.total_s)

    what = f"a training step of {scenario.model.name} at {scenario.layout.text()}"
    return link_value(scenario.system, step, what, group=scenario.layout.gpus)


def link_value(system: System, step: Callable[[System], StepTime], what: str, *, group: int) -> LinkValue:
    """
    The value of the links of a system.

    Args:
        system: Its GPUs and how they are joined.
        step: The step on a system.
        what: The step in words, with its article.
        group: GPUs that communicate.
    """
    options = []
    for option in joined(system):
        at = step(option.system)
        options.append(
            LinkOption(
                option.name + at.note,
                option.current,
                option.linked,
                option.pairs,
                at.step_s,
                at.exposed_s,
                at.share,
            )
        )
    linked = next((option for option in options if option.linked), None)
    over_pcie = next((option for option in options if not option.linked), options[0])
    gain = _gain(linked, over_pcie)
    if over_pcie.exposed_s == 0:
        text = f"{what} sends nothing between GPUs, or hides all of it: no link is needed."
    elif linked is None:
        text = _without_link(over_pcie, gain, what)
    elif linked.pairs and min(group, system.domain_gpus) > PAIR and gain < USEFUL:
        text = _in_pairs(linked, min(group, system.domain_gpus), what)
    else:
        text = _with_link(linked, over_pcie, gain, what)
    text = f"{system.gpus} x {system.gpu.name}: {text}"
    return LinkValue(
        system.id, system.gpu.name, tuple(options), gain, linked is not None, link_verdict(gain), text
    )


def _gain(linked: LinkOption | None, over_pcie: LinkOption) -> float:
    """Speed-up by the link, or by no communication at all where there is no link."""
    shortest_s = linked.step_s if linked else over_pcie.step_s - over_pcie.exposed_s
    return over_pcie.step_s / shortest_s if shortest_s > 0 else 1.0


def _with_link(linked: LinkOption, over_pcie: LinkOption, gain: float, what: str) -> str:
    times = (
        f"{format_time(linked.step_s)} over {linked.name} and {format_time(over_pcie.step_s)} over PCIe alone"
    )
    return f"{what} takes {times}: {_faster(gain)}, so the link is {link_verdict(gain)}."


def _faster(gain: float) -> str:
    if 1 / SAME < gain < SAME:
        return "the same time within 0.5 %"
    return f"{gain:.2f}× as fast with the link" if gain > 1 else f"{1 / gain:.2f}× as fast over PCIe"


def _without_link(over_pcie: LinkOption, gain: float, what: str) -> str:
    share = format_share(over_pcie.share)
    worth = {
        "needed": "A link would be worth having, but this GPU has none: use fewer GPUs, or others",
        "useful": "A link would help a little, but this GPU has none",
        "not needed": "No link is needed",
    }[link_verdict(gain)]
    most = f"without any communication it would be {gain:.2f}× as fast, the most that a link could give"
    return (
        f"communication over PCIe takes {share} of {what} ({format_time(over_pcie.exposed_s)} of "
        f"{format_time(over_pcie.step_s)}); {most}. {worth}."
    )


def _in_pairs(linked: LinkOption, group: int, what: str) -> str:
    """What bridged pairs cannot do for a wider group."""
    return (
        f"{what} takes {format_time(linked.step_s)} over {linked.name}, as over PCIe alone: a bridge joins "
        f"two GPUs, and a group of {group} goes over PCIe between the pairs. Communication takes "
        f"{format_share(linked.share)} of it; a group of 2 would stay on the bridge."
    )
