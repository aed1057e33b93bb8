"""The saved scenarios of a store as somebody sees them."""

from db.actor import Actor
from db.people import Role
from db.saved import Scenarios
from db.scenarios import SavedScenario
from db.store import Store


class ActingScenarios:
    """
    ``Scenarios`` in the hands of one person.

    Args:
        store: The store itself.
        actor: Whoever acts.
    """

    def __init__(self, store: Store, actor: Actor) -> None:
        self._store = store
        self._actor = actor

    def keep(
        self, scenario: SavedScenario, *, replace: bool = False, project: str | None = None
    ) -> SavedScenario:
        """Keep a scenario under its name; see ``Scenarios.keep``."""
        return self._changing(scenario.name).keep(scenario, replace=replace, project=project)

    def rename(self, name: str, new: str) -> SavedScenario:
        """Give a scenario another name; see ``Scenarios.rename``."""
        return self._changing(name).rename(name, new)

    def delete(self, name: str) -> None:
        """Delete a scenario; it can be brought back for thirty days."""
        self._changing(name).delete(name)

    def listed(self) -> list[SavedScenario]:
        """Every scenario, the latest first."""
        return self._reading().listed()

    def named(self, name: str) -> SavedScenario:
        """The scenario of that name; see ``Scenarios.named``."""
        return self._reading().named(name)

    def _reading(self) -> Scenarios:
        return self._store.seen_by(self._actor.at_least(Role.VIEWER)).scenarios

    def _changing(self, name: str) -> Scenarios:
        return self._store.seen_by(self._actor.at_least(Role.UPLOADER, f"scenario {name}")).scenarios
