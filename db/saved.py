"""Scenarios under names, as the pages use them."""

from dataclasses import replace as changed

from db import projects, scenarios
from db.audit import Action
from db.scenarios import SavedScenario
from db.transactions import Transactions


class Scenarios:
    """
    The saved scenarios of a store.

    Args:
        transactions: Of whoever reads or acts.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def keep(
        self, scenario: SavedScenario, *, replace: bool = False, project: str | None = None
    ) -> SavedScenario:
        """Keep a scenario under its name, in a project or for everyone; see ``scenarios.keep``."""
        with self._transactions.writing() as act:
            project_id = projects.number(act.connection, act.scope, project)
            signed = changed(scenario, saved_by=act.by)
            stored = scenarios.keep(act.connection, act.scope, signed, replace=replace, project_id=project_id)
            act.log(Action.SAVE_SCENARIO, f"scenario {stored.name}", projects.detail(stored.project))
            return stored

    def keepers(self, name: str, project: str | None) -> list[str | None]:
        """Who keeps the scenario that one of this name in a project replaces; empty where none."""
        with self._transactions.reading() as (connection, scope):
            return scenarios.keepers(connection, name, projects.number(connection, scope, project))

    def rename(self, name: str, new: str) -> SavedScenario:
        """Give a scenario another name; see ``scenarios.rename``."""
        with self._transactions.writing() as act:
            renamed = scenarios.rename(act.connection, act.scope, name, new)
            act.log(Action.RENAME_SCENARIO, f"scenario {name}", f"now {renamed.name}")
            return renamed

    def delete(self, name: str) -> None:
        """Delete a scenario; it can be brought back for thirty days."""
        with self._transactions.writing() as act:
            scenarios.drop(act.connection, act.scope, name)
            act.log(Action.DELETE_SCENARIO, f"scenario {name}")

    def listed(self) -> list[SavedScenario]:
        """Every scenario that may be seen, the latest first."""
        with self._transactions.reading() as (connection, scope):
            return scenarios.listed(connection, scope)

    def named(self, name: str) -> SavedScenario:
        """The scenario of that name; UnknownRunError if there is none."""
        with self._transactions.reading() as (connection, scope):
            return scenarios.named(connection, scope, name)
