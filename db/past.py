"""What was deleted or replaced in the last thirty days, and its way back."""

from db import fits, runs_deleted, saving, scenarios, versions
from db.audit import Action, runs
from db.records import RunRow
from db.transactions import Act, Transactions
from db.versions import Version


class Past:
    """
    The trash and the former versions of a store.

    Args:
        transactions: Of whoever reads or acts.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def runs(self) -> list[RunRow]:
        """Deleted runs that can be restored, the latest deleted first."""
        with self._transactions.reading() as (connection, scope):
            return runs_deleted.listed(connection, scope)

    def restore_run(self, run_id: int) -> None:
        """Bring a deleted run back whole; UnknownRunError if there is none of that number."""
        with self._transactions.writing() as act:
            changed = runs_deleted.mark(act.connection, act.scope, run_id, None)
            act.log_if(changed, Action.RESTORE_RUN, runs([run_id]))

    def versions(self, kind: str, name: str | None = None) -> list[Version]:
        """Former notes, fits or scenarios, the latest first; see ``versions.listed``."""
        with self._transactions.reading() as (connection, scope):
            return versions.listed(connection, scope, kind, name)

    def version(self, number: int) -> Version:
        """A former state by its number; UnknownRunError if there is none."""
        with self._transactions.reading() as (connection, scope):
            return versions.version(connection, scope, number)

    def keepers(self, number: int) -> list[str | None]:
        """Who keeps a former fit or scenario, and what it would replace; empty for a note."""
        with self._transactions.reading() as (connection, scope):
            former = versions.version(connection, scope, number)
            if former.kind == versions.FIT:
                present = fits.keepers(connection, former.name, former.project_id)
                return [former.content.get("created_by"), *present]
            if former.kind == versions.SCENARIO:
                present = scenarios.keepers(connection, former.name, former.project_id)
                return [former.content.get("saved_by"), *present]
            return []

    def bring_back(self, number: int) -> None:
        """
        Make a former version the present one; the present one becomes a former one.

        Raises:
            UnknownRunError: There is no such version, or its run is gone.
        """
        with self._transactions.writing() as act:
            former = versions.version(act.connection, act.scope, number)
            _put_back(act, former)
            act.log(Action.BRING_BACK, f"{former.kind} {former.name}")


def _put_back(act: Act, former: Version) -> None:
    connection, scope = act.connection, act.scope
    if former.kind == versions.FIT:
        fits.put_back(connection, scope, former.id)
    elif former.kind == versions.SCENARIO:
        scenarios.put(connection, scenarios.of_version(former.content), former.project_id)
    else:
        content = former.content
        run_id = int(former.name)
        saving.annotate(connection, scope, run_id, note=content["note"], tags=content["tags"])
