"""The saved scenarios of a store as somebody sees them."""

from contextlib import suppress

from db.actor import Actor
from db.errors import UnknownRunError
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
        """Keep a scenario under this person's name; who replaces one needs to own it, or to be an admin."""
        store = self._changing(scenario.name)
        for owner in store.keepers(scenario.name, project) if replace else ():
            self._actor.own(self._actor.at_least(Role.UPLOADER), owner, f"the scenario {scenario.name}")
        return store.keep(scenario, replace=replace, project=project)

    def rename(self, name: str, new: str) -> SavedScenario:
        """Give a scenario of one's own another name, or as an admin any; see ``Scenarios.rename``."""
        return self._own(name).rename(name, new)

    def delete(self, name: str) -> None:
        """Delete a scenario of one's own, or as an admin any; it can be brought back for thirty days."""
        self._own(name).delete(name)

    def listed(self) -> list[SavedScenario]:
        """Every scenario, the latest first."""
        return self._reading().listed()

    def named(self, name: str) -> SavedScenario:
        """The scenario of that name; see ``Scenarios.named``."""
        return self._reading().named(name)

    def _reading(self) -> Scenarios:
        return self._store.seen_by(self._actor.at_least(Role.VIEWER)).scenarios

    def _own(self, name: str) -> Scenarios:
        scenarios = self._changing(name)
        with suppress(UnknownRunError):
            self._actor.own(
                self._actor.at_least(Role.UPLOADER), scenarios.named(name).saved_by, f"the scenario {name}"
            )
        return scenarios

    def _changing(self, name: str) -> Scenarios:
        return self._store.seen_by(self._actor.at_least(Role.UPLOADER, f"scenario {name}")).scenarios
