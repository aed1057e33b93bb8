"""The sections of the page, by role."""

from collections.abc import Callable

from db.people import Role
from pages.ui.access import audit_log, people, projects, tokens
from pages.ui.shared import person

SECTIONS: dict[str, tuple[Role, Callable[[], None]]] = {
    "Tokens": (Role.VIEWER, tokens.draw),
    "Projects": (Role.VIEWER, projects.draw),
    "People": (Role.ADMIN, people.draw),
    "Audit log": (Role.ADMIN, audit_log.draw),
}


def sections() -> dict[str, Callable[[], None]]:
    """What whoever is here may open."""
    here = person.current()
    return {name: draw for name, (role, draw) in SECTIONS.items() if here.may(role)}
