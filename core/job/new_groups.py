"""Other group sizes: the ranks and the placement of every group there, and how many GPUs the job then has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from core.checks import InputError
from core.job.change import CHANGEABLE
from core.job.explain import Explanation
from core.job.kinds import Kind, stride_of
from core.job.message_sizes import PAIRWISE, size_of
from core.job.parallelism import Parallelism
from core.traces.records import Group

Shown = Mapping[str, tuple[Group, ...]]


@dataclass(frozen=True, slots=True)
class NewGroups:
    """
    Groups of other sizes.

    Attributes:
        kinds: The kinds of call there.
        gpus: Ranks of the job there; None where the trace does not tell.
        remarks: Placements that do not follow from the new sizes.
    """

    kinds: tuple[Kind, ...]
    gpus: int | None
    remarks: tuple[str, ...]


def groups_shown(told: Explanation) -> Shown:
    """Groups of known size that have calls, by parallelism, the largest of each first."""
    job = told.job
    every = (*job.groups, Group("", size=job.world_size))
    called = {int(group) for trace in job.ranks for group in trace.collectives.group}
    called |= {row.group for row in job.summary}
    shown: dict[str, list[Group]] = {}
    for index in sorted(number % len(every) for number in called):
        if size_of(every[index]) is not None:
            shown.setdefault(str(told.table.uses[index].parallelism), []).append(every[index])
    return {name: tuple(sorted(groups, key=_size, reverse=True)) for name, groups in shown.items()}


def new_groups(told: Explanation, ranks: Mapping[str, int], gpus: int | None) -> NewGroups:
    """
    The job with these group sizes.

    Raises:
        InputError: A parallelism that the trace does not show, or several whose overlap it does not tell.
    """
    shown, kinds = groups_shown(told), told.table.kinds
    for name in ranks:
        if name not in shown:
            known = ", ".join(sorted({kind.parallelism for kind in kinds})) or "none"
            message = f"ranks: the trace shows no {name} group (it shows {known})"
            raise InputError(message)
    changed = {name: shown[name][0] for name in ranks}
    remarks: dict[str, None] = {}
    there = tuple(_there(kind, ranks, changed, remarks) for kind in kinds)
    return NewGroups(there, _grown(gpus, shown, ranks), tuple(remarks))


def _there(
    kind: Kind, ranks: Mapping[str, int], changed: Mapping[str, Group], remarks: dict[str, None]
) -> Kind:
    """The kind with its new ranks, further apart where a group inside its stride grows; a send stays."""
    if kind.operation in PAIRWISE:
        return kind
    stride = Fraction(kind.stride)
    for name, group in changed.items():
        reach, apart = _size(group) * stride_of(group), stride_of(group)
        if name == kind.parallelism or kind.stride <= apart:
            continue
        if kind.stride % reach:
            remarks[f"{kind.parallelism} keeps its stride of {kind.stride}: it is no multiple of {name}"] = (
                None
            )
        else:
            stride *= Fraction(ranks[name], _size(group))
    return replace(kind, ranks=ranks.get(kind.parallelism, kind.ranks), stride=max(1, round(stride)))


def _grown(gpus: int | None, shown: Shown, ranks: Mapping[str, int]) -> int | None:
    """The ranks of the job: parallelisms over the same ranks count once, by the largest of them."""
    if gpus is None:
        return None
    factor = Fraction(1)
    for names in _together(gpus, shown, ranks):
        sizes = {name: _size(shown[name][0]) for name in names}
        factor *= Fraction(max(ranks.get(name, sizes[name]) for name in names), max(sizes.values()))
    return max(1, round(gpus * factor))


def _together(gpus: int, shown: Shown, ranks: Mapping[str, int]) -> list[set[str]]:
    """Changed parallelisms in sets over the same ranks, with the data parallelism that they are part of."""
    names = {name for name in ranks if name in CHANGEABLE}
    data = str(Parallelism.DATA)
    if data in shown and any(_part_of(shown[name], shown[data]) for name in names - {data}):
        names.add(data)
    sets = [{name} for name in sorted(names)]
    for first, second in combinations(sorted(names), 2):
        if _overlap(gpus, (first, shown[first]), (second, shown[second])):
            joined = set().union(*(each for each in sets if each & {first, second}))
            sets = [*(each for each in sets if not each & joined), joined]
    return sets


def _part_of(these: Iterable[Group], those: Iterable[Group]) -> bool:
    """Whether a group's ranks are all in one of the others."""
    wholes = [set(group.ranks or ()) for group in those]
    return any(
        len(group.ranks or ()) > 1 and whole >= set(group.ranks or ()) for group in these for whole in wholes
    )


def _overlap(gpus: int, first: tuple[str, Sequence[Group]], second: tuple[str, Sequence[Group]]) -> bool:
    """Whether two ranks are together in a group of both; InputError where the trace does not tell."""
    (name, these), (other, those) = first, second
    if all(group.ranks for group in (*these, *those)):
        at = [
            {rank: index for index, group in enumerate(side) for rank in group.ranks or ()}
            for side in (these, those)
        ]
        both = Counter((at[0][rank], at[1][rank]) for rank in at[0].keys() & at[1].keys())
        return any(count > 1 for count in both.values())
    if _size(these[0]) * _size(those[0]) > gpus:
        message = f"ranks: {name} and {other} share ranks that the trace does not list; change one of them"
        raise InputError(message)
    return False


def _size(group: Group) -> int:
    return size_of(group) or 1
