"""Projects, tokens, people and the audit log of a store, each for whoever may manage or see it."""

from collections.abc import Iterable
from datetime import UTC, datetime

from db import audit, projects, roles, sign_ins, spent, tokens
from db.audit import Action, Entry
from db.errors import NotAllowedError, StoreError
from db.opening import Opening, opening
from db.people import THIS_MACHINE, Person, Role
from db.projects import Project
from db.sign_ins import Seen
from db.tokens import Token
from db.transactions import Transactions

NOTED = frozenset({Action.REFUSED, Action.SIGN_OUT})
"""Entries without a change of the store."""


def role_today(name: str, groups: frozenset[str]) -> Role | None:
    """The role that the settings give to a name with these groups now; None where it has none."""
    if opening() is Opening.LOOPBACK:
        return THIS_MACHINE.role if name == THIS_MACHINE.name else None
    return roles.rules().role_of(name, groups)


def _answers(person: Person) -> bool:
    """Whether a name stands for someone, unlike that of everyone on an open server."""
    return person == THIS_MACHINE or roles.address_of(person.name) is not None


class Projects:
    """The projects of a store: members see theirs, admins make and change them."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def listed(self) -> list[Project]:
        """The projects that may be seen, by name."""
        with self._transactions.reading() as (connection, scope):
            return projects.listed(connection, scope)

    def make(self, name: str, members: Iterable[str] = ()) -> None:
        """Make a project; see ``projects.make``."""
        self._transactions.require(Role.ADMIN)
        with self._transactions.writing() as act:
            entries = tuple(members)
            projects.make(act.connection, name, entries, act.by)
            act.log(Action.MAKE_PROJECT, f"project {name.strip()}", ", ".join(entries))

    def change(self, name: str, *, new: str | None = None, members: Iterable[str] | None = None) -> None:
        """Give a project another name or other members; see ``projects.change``."""
        self._transactions.require(Role.ADMIN)
        with self._transactions.writing() as act:
            entries = None if members is None else tuple(members)
            projects.change(act.connection, name, new=new, members=entries)
            detail = [f"now {new}"] if new else []
            detail += [] if entries is None else [f"members {', '.join(entries) or 'none'}"]
            act.log(Action.CHANGE_PROJECT, f"project {name}", "; ".join(detail))

    def delete(self, name: str) -> None:
        """Delete a project to which nothing belongs; see ``projects.drop``."""
        self._transactions.require(Role.ADMIN)
        with self._transactions.writing() as act:
            ended = projects.drop(act.connection, name)
            act.log(Action.DELETE_PROJECT, f"project {name}")
            for token in ended:
                act.log(
                    Action.REVOKE_TOKEN, f"token {token.name}", f"of {token.owner}; project {name} deleted"
                )


class Tokens:
    """The tokens of a store: each person makes, lists and revokes their own, admins revoke all."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def make(
        self, name: str, scope: str, *, days: int = tokens.DEFAULT_DAYS, project: str | None = None
    ) -> str:
        """
        A new token's text: shown once, kept nowhere.

        Raises:
            InputError: Of its name, scope or days, or its owner has too many.
            NotAllowedError: The scope is above the role of whoever makes it, or that is a token itself.
            UnknownRunError: There is no such project that they may see.
        """
        person = self._transactions.person
        if person is None or person.token or not _answers(person):
            message = "A token is made by someone who has signed in, on the page Access."
            raise NotAllowedError(message)
        self._transactions.require(tokens.SCOPES.get(scope, Role.VIEWER))
        with self._transactions.writing() as act:
            number = projects.number(act.connection, act.scope, project)
            made = tokens.make(
                act.connection, name=name, owner=act.by, scope=scope, days=days, project_id=number
            )
            act.log(Action.MAKE_TOKEN, f"token {name.strip()}", f"{scope}, {days} days")
            return made

    def mine(self) -> list[Token]:
        """The tokens of this person, the latest first."""
        with self._transactions.reading() as (connection, _):
            return tokens.listed(connection, self._transactions.by)

    def listed(self) -> list[Token]:
        """Everyone's tokens, the latest first."""
        self._transactions.require(Role.ADMIN)
        with self._transactions.reading() as (connection, _):
            return tokens.listed(connection, None)

    def revoke(self, number: int) -> None:
        """Take a token back: one's own, or anyone's for an admin; UnknownRunError if there is none."""
        person = self._transactions.person
        owner = None if person is None or person.may(Role.ADMIN) else person.name
        with self._transactions.writing() as act:
            token = tokens.revoke(act.connection, number, by=act.by, owner=owner)
            act.log(Action.REVOKE_TOKEN, f"token {token.name}", f"of {token.owner}")

    def bearer(self, sent: str) -> Person | None:
        """
        The person that a token stands for, its last use noted; None where it is none that works.

        Its role is the lower of its scope and the role that its owner has today, by the rules of the
        settings and the groups of the owner's last sign-in; without such a role it does not work.
        """
        connections = self._transactions.connections
        with connections.reading() as connection:
            seen = tokens.bearing(connection, sent)
        if seen is None:
            return None
        token, today = seen.token, role_today(seen.token.owner, seen.groups)
        if today is None:
            return None
        now = datetime.now(UTC)
        if token.used_at is None or now - token.used_at > tokens.TOUCH:
            self._touch(token.id, now)
        role = min(today, tokens.SCOPES[token.scope])
        return Person(token.owner, role, seen.groups, token=token.name, project=seen.project_id)

    def _touch(self, number: int, now: datetime) -> None:
        try:
            with self._transactions.connections.writing() as connection:
                tokens.touch(connection, number, now)
        except StoreError:
            # a full disk keeps nobody from reading
            return


class People:
    """Who has signed in to a store's server."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def signed_in(self) -> None:
        """Note that this person signs in now, with the groups and role of today."""
        person = self._transactions.person
        with self._transactions.writing() as act:
            if person is None:
                act.changed_nothing()
                return
            sign_ins.note(act.connection, person)
            act.log(Action.SIGN_IN, str(person.role), ", ".join(sorted(person.groups)))

    def spend(self, sha256: str, ends_at: datetime) -> bool:
        """Note that a session or sign-in counts no more; whether nobody had before. See ``spent.spend``."""
        with self._transactions.connections.writing() as connection:
            return spent.spend(connection, sha256, ends_at)

    def spent(self) -> dict[str, datetime]:
        """The sessions and sign-ins that count no more, and when they would have ended."""
        with self._transactions.connections.reading() as connection:
            return spent.unended(connection)

    def listed(self) -> list[Seen]:
        """Everyone who has signed in, the latest first."""
        self._transactions.require(Role.ADMIN)
        with self._transactions.reading() as (connection, _):
            return sign_ins.listed(connection)


class AuditLog:
    """The audit log of a store: it is read and added to, never changed."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def entries(
        self,
        *,
        actor: str = "",
        action: str = "",
        subject: str = "",
        since: datetime | None = None,
        limit: int = audit.MOST_LISTED,
    ) -> list[Entry]:
        """Entries, the latest first; see ``audit.entries``."""
        self._transactions.require(Role.ADMIN)
        with self._transactions.reading() as (connection, _):
            return audit.entries(
                connection, actor=actor, action=action, subject=subject, since=since, limit=limit
            )

    def note(self, action: Action, subject: str, detail: str = "") -> None:
        """
        Add an entry for what changes nothing in the store: a refused act, or a sign-out.

        Raises:
            NotAllowedError: It is another act; that one's own transaction writes its entry.
        """
        if action not in NOTED:
            message = f"The act itself writes the entry of {action!s}."
            raise NotAllowedError(message)
        with self._transactions.writing() as act:
            act.log(action, subject, detail)
