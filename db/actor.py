"""What somebody's role allows: the one place where a role is compared."""

from collections.abc import Callable

from db.errors import NotAllowedError
from db.opening import Opening
from db.people import Person, Role

ANYONE = Opening.WRITE.everyone


def reason(person: Person, role: Role) -> str | None:
    """Why somebody may not do what a role may, in a sentence; None where they may."""
    if person.may(role):
        return None
    article = "an" if role in {Role.UPLOADER, Role.ADMIN} else "a"
    return f"This needs the role of {article} {role}; yours is {person.role}."


def owns(person: Person, owner: str | None) -> bool:
    """
    Whether somebody may delete, replace or restore what ``owner`` keeps.

    What nobody put a name to belongs to everyone where everyone may upload, and elsewhere to the admins.
    """
    if person.may(Role.ADMIN):
        return True
    unnamed = owner is None and person == ANYONE
    return person.may(Role.UPLOADER) and (owner == person.name or unnamed)


class Actor:
    """
    Whoever acts on a store.

    Args:
        who: Gives them at every call; NotAllowedError where their session has ended.
        refused: Is told who was refused what, and why, before the error is raised.
    """

    def __init__(
        self, who: Callable[[], Person], refused: Callable[[Person, str, str], None] = lambda *_: None
    ) -> None:
        self._who = who
        self._refused = refused

    def at_least(self, role: Role, what: str = "read") -> Person:
        """Whoever acts now; NotAllowedError where they have a lower role than ``what`` they do needs."""
        person = self._who()
        if message := reason(person, role):
            self._refused(person, what, message)
            raise NotAllowedError(message)
        return person

    def own(self, person: Person, owner: str | None, what: str) -> None:
        """NotAllowedError where something is another's and the person is no admin."""
        if not owns(person, owner):
            message = (
                f"{what} is kept by {owner or 'somebody unknown'}: an admin may do this, or who keeps it"
            )
            self._refused(person, what, message)
            raise NotAllowedError(message)
