"""Whom a rule such as `ada@example.com`, `@example.com` or `group:lab` stands for."""

from core.errors import InputError
from db.people import Person

GROUP = "group:"
MOST = 200


def checked(rule: str) -> str:
    """
    A rule as it is kept: without spaces around it, addresses in small letters.

    Raises:
        InputError: It is neither an address, nor a domain, nor a group.
    """
    rule = rule.strip()
    if rule.startswith(GROUP):
        group = rule.removeprefix(GROUP).strip()
        if group and group.isprintable() and len(group) <= MOST:
            return GROUP + group
    else:
        name, at, domain = rule.lower().rpartition("@")
        plain = rule.isascii() and rule.isprintable() and len(rule) <= MOST
        if plain and at and domain and " " not in rule and "@" not in name:
            return rule.lower()
    message = f"{rule[:60]!r}: ada@example.com, @example.com or group:NAME"
    raise InputError(message)


def stands_for(rule: str, person: Person) -> bool:
    """
    Whether a kept rule is about this person.

    Letters beyond ASCII that small letters would make ASCII (such as the Kelvin sign) are no match.
    """
    if rule.startswith(GROUP):
        return rule.removeprefix(GROUP) in person.groups
    if not person.name.isascii():
        return False
    name = person.name.lower()
    return name.endswith(rule) and "@" in name[1:] if rule.startswith("@") else name == rule
