"""From the claims of an identity provider to an address and groups that count."""

from collections.abc import Mapping
from typing import Any

from core.storable import UNSTORABLE
from db.oidc import SignIn
from db.roles import address_of


class SignInError(Exception):
    """Somebody could not be signed in: one line for them."""


def email_of(claims: Mapping[str, Any], settings: SignIn) -> str:
    """
    The address under which somebody is known.

    Raises:
        SignInError: There is none, or the provider has not verified that it is theirs.
    """
    email = address_of(claims.get("email"))
    if email is None:
        message = "the identity provider gives no e-mail address that can be used"
        raise SignInError(message)
    verified = claims.get("email_verified")
    if verified is True or verified == "true" or (verified is None and settings.trust_email):
        return email
    message = "the identity provider does not say that this e-mail address is verified"
    raise SignInError(message)


def groups_of(claims: Mapping[str, Any], claim: str) -> frozenset[str]:
    """
    The groups of a claim, whose name may lead into objects: ``realm_access.roles``; none where it is absent.

    A name that no store can hold is that of no group here.
    """
    value = claims.get(claim)
    if value is None:
        value = claims
        for part in claim.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return frozenset(item for item in values if isinstance(item, str) and not UNSTORABLE.search(item))


def is_thin(claims: Mapping[str, Any], settings: SignIn) -> bool:
    """Whether the identity token leaves to the provider's userinfo what is needed here."""
    return "email" not in claims or not groups_of(claims, settings.groups_claim)


def is_for(claims: Mapping[str, Any], client_id: str) -> bool:
    """
    Whether a token is of somebody, in answer to a question, and given to this server (OpenID Connect Core, 3.1.3.7).

    That the nonce is the one of the question, and that the server is in the audience, is checked with the signature.
    """
    audiences, party = claims.get("aud"), claims.get("azp")
    several = isinstance(audiences, list) and len(audiences) > 1
    given = party == client_id or (party is None and not several)
    return bool(claims.get("sub") and claims.get("nonce") and given)
