"""Fewer NICs than the system has carry the traffic."""

import numpy as np

from core.checks import Floats
from core.verdict.hypotheses.case import AGAINST, CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.frequencies import between_nodes
from core.verdict.records import ASSUMED_NICS, NextTest, Reason

RING_SHARE = 0.92
"""Of a NIC's rate, what the rings of large messages reach."""
_LN_SPREAD = 0.08
_LN_MATCH = 0.2
"""Times match a number of NICs where the median of ln(measured / expected) is within this."""
_FURTHER_SHARE = 0.7
"""Of what rings reach over the NICs that a log names: below it those alone do not explain a rate."""
_TWO = 2
_TEST = NextTest(
    "NCCL_DEBUG=INFO <command> | grep 'NET/IB : Using'; ibdev2netdev; echo $NCCL_IB_HCA",
    "as many names behind `NET/IB : Using` as NICs in use; ports that are Down, or left out by NCCL_IB_HCA",
    "NCCL_DEBUG=INFO, grep 'NET/IB : Using'",
)


def fewer_nics(case: Case) -> list[Hypothesis]:
    """The model's times with each smaller number of NICs; the best number by a tree and the one by rings."""
    if not case.several_nodes or case.nics < _TWO:
        return []
    said, ln_lines, lines = _lines(case)
    if case.ranks.system.unverified == ASSUMED_NICS and not lines:
        return []
    offsets = {count: _offset(case, case.with_nics(count)) for count in range(1, case.nics)}
    by_model = min(offsets, key=lambda count: abs(offsets[count]))
    by_rings = _ring_nics(case)
    matches = {by_model: case.with_nics(by_model)} if abs(offsets[by_model]) <= _LN_MATCH else {}
    if by_rings is not None:
        matches.setdefault(by_rings, _ring_times(case, by_rings))
    if not matches and said is None:
        return []
    if said is not None and not matches and case.busbw < _FURTHER_SHARE * _ring_rate(case, said):
        return [_and_further(case, said, ln_lines, lines)]
    matches = matches or {said or by_model: case.with_nics(said or by_model)}
    low, high = min(matches), max(matches)
    if said is not None and not low <= said <= high:
        ln_lines /= 2
    span = f"{low}" if low == high else f"{low} (by a tree) to {high} (by rings)"
    text = f"large sizes run as if {span} of {case.nics} NICs per domain carried the traffic"
    count = f"{low}" if low == high else f"{low} to {high}"
    reason = Reason("fewer_nics", text, f"{count} of {case.nics} NICs")
    prior = between_nodes(reason.code)
    return [
        Hypothesis(
            reason, _share_of_number(number, case.nics) * prior, times_s, _LN_SPREAD, _TEST, ln_lines, lines
        )
        for number, times_s in matches.items()
    ]


def _and_further(case: Case, said: int, ln_lines: float, lines: tuple[str, ...]) -> Hypothesis:
    """Fewer NICs by the log, and less than those carry: a further cause, by any factor."""
    text = (
        f"the log names {said} of {case.nics} NICs per domain, and large sizes run below the rate of "
        f"{'that one' if said == 1 else 'those'}: something else slows them too"
    )
    reason = Reason("fewer_nics", text, f"{said} of {case.nics} NICs, and not at their full rate")
    prior = _share_of_number(said, case.nics) * between_nodes(reason.code)
    return Hypothesis(reason, prior, None, 0.0, _TEST, ln_lines, lines)


def _share_of_number(count: int, nics: int) -> float:
    """Of the prior: one NIC in use and half of them are common, a quarter happens, odd numbers hardly do."""
    if nics == _TWO:
        return 1.0
    if count == 1 or 2 * count == nics:
        return 0.6
    return 0.25 if 4 * count == nics else 0.05


def _lines(case: Case) -> tuple[int | None, float, tuple[str, ...]]:
    """How many NICs the log names, ln of how much that says, and the lines."""
    evidence = case.evidence
    if evidence.chosen_adapters is not None and evidence.chosen_adapters < case.nics:
        return evidence.chosen_adapters, CERTAIN, (f"NCCL_IB_HCA={evidence.setting('NCCL_IB_HCA')}",)
    if evidence.adapters is not None and evidence.adapters < case.nics:
        return evidence.adapters, CERTAIN, evidence.quote("nics") or evidence.quote("nic_count")
    ln_lines, down = _ports_down(case)
    if down:
        return None, ln_lines, down
    if evidence.adapters is not None and evidence.adapters < case.ranks.system.nics_per_domain:
        return None, SOME, evidence.quote("nics") or evidence.quote("nic_count")
    if evidence.adapters is not None or evidence.chosen_adapters is not None:
        return None, AGAINST / 2, ()
    return None, 0.0, ()


def _ports_down(case: Case) -> tuple[float, tuple[str, ...]]:
    """
    Ports that are down: one that NCCL names, or so many that too few of a whole list are up.

    One beside enough others may be for anything.
    """
    evidence = case.evidence
    states = evidence.values("nic_state")
    down = [text for text in states if text.endswith(" Down")]
    named = [text for text in down if text.split()[0] in evidence.adapter_names]
    if named:
        return STRONG, evidence.quote("nic_state", named[0])
    too_few = len(states) - len(down) < case.nics <= len(states)
    return (SOME, evidence.quote_of("nic_state", down)) if too_few else (0.0, ())


def _offset(case: Case, expected_s: Floats | None) -> float:
    if expected_s is None:
        return float("inf")
    return float(np.median(np.log(case.times_s / expected_s)))


def _ring_nics(case: Case) -> int | None:
    """
    How many NICs rings would need for these times; None where that is none, or all.

    Between exactly two domains a tree lets each NIC carry half, so that the model's own choice seems
    twice as fast as its NICs; a system short of NICs may well run rings.
    """
    if case.scenario.collective != "all_reduce" or case.ranks.domains != _TWO:
        return None
    needed = case.busbw / _ring_rate(case, 1)
    count = max(1, round(needed))
    return count if count < case.nics and abs(np.log(needed / count)) <= _LN_MATCH else None


def _ring_times(case: Case, count: int) -> Floats:
    """Times of rings over so many NICs."""
    return case.at_busbw(_ring_rate(case, count))


def _ring_rate(case: Case, count: int) -> float:
    """Bus bandwidth of rings over so many NICs."""
    return RING_SHARE * case.network_bytes_per_s * count / case.nics
