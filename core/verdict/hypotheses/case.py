"""A slow run as hypotheses see it: its large sizes, its system, and what its log says."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.checks import Floats, InputError
from core.collectives.pricing import Scenario, sweep
from core.hardware import Family
from core.measurement.bus_factor import bus_factor
from core.verdict.evidence import Evidence
from core.verdict.links import LinkRates, nics_in_use, pcie_rate, scale_up_family
from core.verdict.ranks import RankMapping, with_domains
from core.verdict.records import NextTest, Reason

CERTAIN, STRONG, SOME, AGAINST = 6.0, 4.0, 2.0, -4.0
"""Ln of how many times likelier a line is under a hypothesis than without it."""


@dataclass(frozen=True)
class Case:
    """
    The sizes whose cause is looked for.

    Attributes:
        scenario: What was asked of the model, on ``ranks``' system.
        ranks: How the ranks sit.
        links: Rates of the links that they have.
        evidence: What the log says.
        size_bytes, times_s, expected_s: Of the sizes whose cause is looked for.
        ln_spread: Of the model's interval at these sizes: a standard deviation of ln time.
        kept_share: Rate of the largest size over the best of any size of the run, these or others.
        late_s: Seconds that small messages take longer than expected; 0 where they do not.
        rings_s: Times of rings between two nodes, as healthy as the model's own choice; 0 elsewhere.
    """

    scenario: Scenario
    ranks: RankMapping
    links: LinkRates
    evidence: Evidence
    size_bytes: Floats
    times_s: Floats
    expected_s: Floats
    ln_spread: float
    kept_share: float = 1.0
    late_s: float = 0.0
    rings_s: Floats | None = None

    @cached_property
    def factor(self) -> float:
        """From algorithm to bus bandwidth; 1 where there is none."""
        return bus_factor(self.scenario.collective, self.scenario.ranks) or 1.0

    @cached_property
    def busbw(self) -> float:
        """Median bus bandwidth of these sizes, bytes/s."""
        return float(np.median(self.factor * self.size_bytes / self.times_s))

    @cached_property
    def several_nodes(self) -> bool:
        """Whether ranks talk over a network."""
        return self.ranks.domains > 1

    @cached_property
    def nics(self) -> int:
        """NICs that the ranks of a domain can use, of those in the catalog or as asked."""
        return nics_in_use(self.ranks.system, self.ranks.local_ranks)

    @cached_property
    def network_bytes_per_s(self) -> float:
        """Unidirectional rate of all NICs of a domain; 0 inside one."""
        return self.links.domain_bytes_per_s or 0.0

    @cached_property
    def network_words(self) -> str:
        """Name of the network's family where the catalog knows it."""
        return self.ranks.system.network or ""

    @cached_property
    def pcie_bytes_per_s(self) -> float:
        """Unidirectional rate of a GPU's slot; 0 where unknown."""
        return pcie_rate(self.ranks.system) or 0.0

    @cached_property
    def over_pcie(self) -> bool:
        """Whether the system joins its GPUs by PCIe alone."""
        return scale_up_family(self.ranks.system) is Family.PCIE

    def at_busbw(self, bytes_per_s: float) -> Floats:
        """Times in which a bus bandwidth moves these sizes, never less than expected."""
        times: Floats = np.maximum(self.expected_s, self.factor * self.size_bytes / max(bytes_per_s, 1.0))
        return times

    def with_nics(self, count: int) -> Floats | None:
        """Times with so many of these NICs; None where that cannot be priced."""
        system, local = self.ranks.system, self.ranks.local_ranks
        whole = count if count <= local else count * system.domain_gpus // local
        return self.priced(replace(self.scenario, system=with_domains(system, self.ranks.domains, whole)))

    def with_algorithm(self, algorithm: str) -> Floats | None:
        """Times with an algorithm forced; None where it does not apply."""
        try:
            return self.priced(replace(self.scenario, algorithm=algorithm))
        except InputError:
            return None

    def priced(self, scenario: Scenario) -> Floats | None:
        """Times of another scenario; None where it cannot be priced."""
        try:
            return sweep(scenario, self.size_bytes).time_s
        except InputError:
            return None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """
    A possible cause with what it predicts.

    Attributes:
        reason: Code and words.
        prior: How often this is the cause of slow runs of this kind, before looking; any scale.
        expected_s: Times it predicts; None where it may slow a run down by any factor.
        ln_spread: Standard deviation of ln time around them; without them ln of the largest factor, or 0.
        ln_lines: Ln of how many times likelier the log's lines are under it.
        lines: What in the log speaks for it.
        test: The command that would tell, and what it would show.
    """

    reason: Reason
    prior: float
    expected_s: Floats | None
    ln_spread: float
    test: NextTest
    ln_lines: float = 0.0
    lines: tuple[str, ...] = ()


Propose = Callable[[Case], list[Hypothesis]]
