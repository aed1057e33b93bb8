"""Transactions of one reader or writer: each knows what may be seen, none is kept without its entry."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import Connection

from db import actor, audit, projects
from db.audit import Action
from db.connections import Connections
from db.errors import NotAllowedError
from db.people import Person, Role
from db.scope import Scope

SERVER = "server"
"""Who acts where no person does."""


class Act:
    """
    A change of the store under way.

    Args:
        connection: In its transaction.
        scope: What whoever acts may see.
        by: Who acts, as the audit log names them.
        token: The name of the token that they act with; empty where with none.
    """

    def __init__(self, connection: Connection, scope: Scope, by: str, token: str) -> None:
        self.connection = connection
        self.scope = scope
        self.by = by
        self.settled = False
        self._token = token

    def log(self, action: Action, subject: str, detail: str = "") -> None:
        """Write the entry of this act into its transaction."""
        with_token = f"with token {self._token}" if self._token else ""
        said = "; ".join(filter(None, (detail, with_token)))
        audit.write(self.connection, self.by, action, subject, said)
        self.settled = True

    def log_if(self, changed: object, action: Action, subject: str) -> None:
        """Log an act that may have found everything as it was wished."""
        if changed:
            self.log(action, subject)
        else:
            self.changed_nothing()

    def changed_nothing(self) -> None:
        """Say that there is nothing to log."""
        self.settled = True


class Transactions:
    """
    The transactions of one person on a store's database.

    Args:
        connections: Of the store.
        person: Who reads and acts; None for the server itself, which sees all.
    """

    def __init__(self, connections: Connections, person: Person | None = None) -> None:
        self.connections = connections
        self.person = person

    @property
    def by(self) -> str:
        """Who acts, as the audit log names them."""
        return self.person.name if self.person else SERVER

    @contextmanager
    def reading(self) -> Iterator[tuple[Connection, Scope]]:
        """A connection to read with, and what may be seen."""
        with self.connections.reading() as connection:
            yield connection, projects.scope(connection, self.person)

    @contextmanager
    def writing(self) -> Iterator[Act]:
        """
        A change that is kept as a whole together with its entry in the audit log, or not at all.

        Raises:
            RuntimeError: It wrote no entry: a mistake of ours.
        """
        with self.connections.writing() as connection:
            token = self.person.token if self.person else ""
            act = Act(connection, projects.scope(connection, self.person), self.by, token)
            yield act
            if not act.settled:
                message = "an act without its entry in the audit log"
                raise RuntimeError(message)

    def require(self, role: Role) -> None:
        """Go on for whoever has the role, and for the server itself; else NotAllowedError."""
        message = actor.reason(self.person, role) if self.person else None
        if message:
            raise NotAllowedError(message)
