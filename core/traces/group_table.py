"""The communicators of a job, each once, with what any file tells of it."""

from dataclasses import replace

from core.traces.records import Group

GROUPS_MOST = 200_000


class GroupTable:
    """
    Numbers groups as they come up.

    A group is the same where its name and its ranks are: programs number their groups alike on every
    rank, yet a name may stand for different ranks on different ones.
    """

    def __init__(self) -> None:
        self._groups: list[Group] = []
        self._index: dict[tuple[str, tuple[int, ...] | int | None], int] = {}

    def number(
        self, name: str, ranks: tuple[int, ...] | None = None, size: int | None = None, description: str = ""
    ) -> int:
        """The group's number; -1 where nothing at all is known of it."""
        if not name and ranks is None and size is None:
            return -1
        size = len(ranks) if ranks is not None else size
        index = self._index.get((name, ranks if ranks is not None else size))
        if index is None:
            if len(self._groups) >= GROUPS_MOST:
                return -1
            index = len(self._groups)
            self._groups.append(Group(name, ranks, size, description))
            self._index[name, ranks if ranks is not None else size] = index
        elif description and not self._groups[index].description:
            self._groups[index] = replace(self._groups[index], description=description)
        return index

    def __len__(self) -> int:
        """How many groups."""
        return len(self._groups)

    def size(self, index: int) -> int | None:
        """Ranks in a group; None where not known."""
        return self._groups[index].size if index >= 0 else None

    def member(self, index: int, place: int) -> int:
        """The global rank at a place in a group; -1 where the group's ranks are not known."""
        ranks = self._groups[index].ranks if index >= 0 else None
        return ranks[place] if ranks is not None and 0 <= place < len(ranks) else -1

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups by their numbers."""
        return tuple(self._groups)
