"""Who acts on the store, and what a role allows."""

from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """What someone may do; each role may do what those before it may."""

    VIEWER = 1
    """Read, compare and ask."""
    UPLOADER = 2
    """Keep runs, fits, notes and scenarios, and delete their own."""
    ADMIN = 3
    """Delete what others keep, and manage tokens, projects and the audit log."""

    def __str__(self) -> str:
        """The word that settings, tokens and pages use."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Person:
    """
    Who acts: someone signed in, the bearer of a token, or whoever an open server lets in.

    Attributes:
        name: Under which uploads and entries of the audit log are kept: an e-mail address, ``token``
            for the server's own token, or ``this machine``.
        role: What may be done.
        groups: Groups that the identity provider claims.
        token: The name of the token that stands for this person; empty where they act themselves.
        project: The number of the one project that a token is for; None where all that its maker sees.
    """

    name: str
    role: Role
    groups: frozenset[str] = frozenset()
    token: str = ""
    project: int | None = None

    def may(self, role: Role) -> bool:
        """Whether this person has a role or a higher one."""
        return self.role >= role


THIS_MACHINE = Person("this machine", Role.ADMIN)
"""Whoever uses a server that listens on loopback alone."""
