"""Scenarios under names, as the pages use them."""

from db import scenarios
from db.connections import Connections
from db.scenarios import SavedScenario


class Scenarios:
    """
    The saved scenarios of a store.

    Args:
        connections: Of the store.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def keep(self, scenario: SavedScenario, *, replace: bool = False) -> SavedScenario:
        """Keep a scenario under its name; see ``scenarios.keep``."""
        with self._connections.writing() as connection:
            return scenarios.keep(connection, scenario, replace=replace)

    def rename(self, name: str, new: str) -> SavedScenario:
        """Give a scenario another name; see ``scenarios.rename``."""
        with self._connections.writing() as connection:
            return scenarios.rename(connection, name, new)

    def delete(self, name: str) -> None:
        """Delete a scenario; it can be brought back for thirty days."""
        with self._connections.writing() as connection:
            scenarios.drop(connection, name)

    def listed(self) -> list[SavedScenario]:
        """Every scenario, the latest first."""
        with self._connections.reading() as connection:
            return scenarios.listed(connection)

    def named(self, name: str) -> SavedScenario:
        """The scenario of that name; UnknownRunError if there is none."""
        with self._connections.reading() as connection:
            return scenarios.named(connection, name)
