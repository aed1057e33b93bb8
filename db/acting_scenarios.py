"""The saved scenarios of a store as somebody sees them."""

from db.actor import Actor
from db.people import Role
from db.saved import Scenarios
from db.scenarios import SavedScenario


class ActingScenarios:
    """
    ``Scenarios`` in the hands of one person.

    Args:
        scenarios: Of the store.
        actor: Whoever acts.
    """

    def __init__(self, scenarios: Scenarios, actor: Actor) -> None:
        self._scenarios = scenarios
        self._actor = actor

    def keep(self, scenario: SavedScenario, *, replace: bool = False) -> SavedScenario:
        """Keep a scenario under its name; see ``Scenarios.keep``."""
        self._actor.at_least(Role.UPLOADER)
        return self._scenarios.keep(scenario, replace=replace)

    def rename(self, name: str, new: str) -> SavedScenario:
        """Give a scenario another name; see ``Scenarios.rename``."""
        self._actor.at_least(Role.UPLOADER)
        return self._scenarios.rename(name, new)

    def delete(self, name: str) -> None:
        """Delete a scenario; it can be brought back for thirty days."""
        self._actor.at_least(Role.UPLOADER)
        self._scenarios.delete(name)

    def listed(self) -> list[SavedScenario]:
        """Every scenario, the latest first."""
        self._actor.at_least(Role.VIEWER)
        return self._scenarios.listed()

    def named(self, name: str) -> SavedScenario:
        """The scenario of that name; see ``Scenarios.named``."""
        self._actor.at_least(Role.VIEWER)
        return self._scenarios.named(name)
