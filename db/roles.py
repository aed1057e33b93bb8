"""Which role the settings give to an e-mail address, a domain or a group."""

import os
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.errors import InputError
from core.storable import UNSTORABLE
from db.people import Role

GROUP = "group:"
SETTINGS = {
    Role.ADMIN: "WIRESPEED_ADMINS",
    Role.UPLOADER: "WIRESPEED_UPLOADERS",
    Role.VIEWER: "WIRESPEED_VIEWERS",
}
_DOMAIN = r"[a-z0-9-]+(?:\.[a-z0-9-]+)+"
_ADDRESS = re.compile(rf"[a-z0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}@{_DOMAIN}")
_EVERYONE_OF = re.compile(rf"@{_DOMAIN}")
MOST_ADDRESS = 254
MOST_GROUP = 200


@dataclass(frozen=True, slots=True)
class Rules:
    """
    Whom the settings name for each role.

    Attributes:
        members: For each role addresses, ``@domain`` and ``group:NAME``; addresses and domains in lower case.
    """

    members: Mapping[Role, frozenset[str]]

    def __bool__(self) -> bool:
        """Whether anybody has a role."""
        return any(self.members.values())

    @property
    def groups(self) -> frozenset[str]:
        """The groups that are named."""
        entries = frozenset[str]().union(*self.members.values())
        return frozenset(entry.removeprefix(GROUP) for entry in entries if entry.startswith(GROUP))

    def role_of(self, email: str, groups: AbstractSet[str] = frozenset()) -> Role | None:
        """
        The highest role of somebody; None where no entry names them.

        Args:
            email: As ``address_of`` gives it.
            groups: As the identity provider claims them; capitals matter.
        """
        names = entries_for(email, groups)
        roles = [role for role, members in self.members.items() if names & members]
        return max(roles, default=None)


def entries_for(email: str, groups: AbstractSet[str]) -> frozenset[str]:
    """The entries of lists that would name somebody: the address, its domain, and each group."""
    return frozenset({email, f"@{email.rpartition('@')[2]}", *(f"{GROUP}{group}" for group in groups)})


def address_of(text: object) -> str | None:
    """
    An e-mail address in the form in which addresses are compared; None where it is none.

    Letters outside of ASCII are refused: some become ASCII in lower case (the Kelvin sign a k), and
    others only look alike. What follows a + is part of the address.
    """
    if not isinstance(text, str) or not text.isascii() or len(text) > MOST_ADDRESS:
        return None
    address = text.lower()
    return address if _ADDRESS.fullmatch(address) else None


def is_member(entry: str) -> bool:
    """Whether a text in lower case is ``a@b.c``, ``@b.c`` or ``group:NAME``, which a store can keep."""
    if entry.startswith(GROUP):
        name = entry.removeprefix(GROUP)
        return bool(name.strip()) and len(name) <= MOST_GROUP and not UNSTORABLE.search(name)
    return bool(_EVERYONE_OF.fullmatch(entry)) or address_of(entry) is not None


def rules(environment: Mapping[str, str] = os.environ) -> Rules:
    """
    The lists of WIRESPEED_ADMINS, WIRESPEED_UPLOADERS and WIRESPEED_VIEWERS.

    Raises:
        InputError: An entry is no address, domain or group.
    """
    return Rules(
        {role: members(name, environment.get(name, "").split(",")) for role, name in SETTINGS.items()}
    )


def members(name: str, texts: Iterable[str]) -> frozenset[str]:
    """
    Entries as they are compared, empty ones left out.

    Args:
        name: Of the list, for who is told what is wrong.
        texts: One entry each.

    Raises:
        InputError: An entry is no address, domain or group.
    """
    entries = [entry.strip() for entry in texts if entry.strip()]
    tidy = [entry if entry.startswith(GROUP) else entry.lower() for entry in entries]
    for entry in tidy:
        if not is_member(entry):
            message = f"{name}: a@b.c, @b.c or group:NAME, separated by commas, not {entry[:60]!r}"
            raise InputError(message)
    return frozenset(tidy)
