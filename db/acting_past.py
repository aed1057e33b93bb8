"""The trash and the former versions of a store as somebody sees them."""

from db.actor import Actor
from db.people import Role
from db.records import RunRow
from db.store import Store
from db.versions import Version


class ActingPast:
    """
    ``Past`` in the hands of one person.

    Args:
        store: The store itself.
        actor: Whoever acts.
    """

    def __init__(self, store: Store, actor: Actor) -> None:
        self._store = store
        self._actor = actor

    def runs(self) -> list[RunRow]:
        """Deleted runs that can be restored, the latest deleted first."""
        return self._store.seen_by(self._actor.at_least(Role.VIEWER)).past.runs()

    def restore_run(self, run_id: int) -> None:
        """Bring a deleted run of one's own back, or as an admin any."""
        person = self._actor.at_least(Role.UPLOADER, f"restore run {run_id}")
        store = self._store.seen_by(person)
        for row in store.rows([run_id]):
            self._actor.own(person, row.uploaded_by, f"run {run_id}")
        store.past.restore_run(run_id)

    def versions(self, kind: str, name: str | None = None) -> list[Version]:
        """Former notes, fits or scenarios, the latest first."""
        return self._store.seen_by(self._actor.at_least(Role.VIEWER)).past.versions(kind, name)

    def bring_back(self, number: int) -> None:
        """Make a former version the present one: of a note, or of one's own fit or scenario."""
        person = self._actor.at_least(Role.UPLOADER, f"bring back version {number}")
        store = self._store.seen_by(person)
        former = store.past.version(number)
        for owner in store.past.keepers(number):
            self._actor.own(person, owner, f"the {former.kind} {former.name}")
        store.past.bring_back(number)
