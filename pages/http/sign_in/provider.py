"""The identity provider: Authlib's client with everything in a token made obligatory."""

import ssl
import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx2
from anyio import to_thread
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import StarletteIntegration, StarletteOAuth2App
from joserfc.errors import JoseError
from starlette.requests import Request
from starlette.responses import Response

from db.oidc import SignIn
from db.threads import Few
from pages.http.sign_in.claims import SignInError, is_for, is_thin
from pages.http.sign_in.ended import ENDED

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
DISCOVERY = ".well-known/openid-configuration"
NAME = "provider"
LEEWAY_S = 60
TIMEOUT_S = 10.0
AT_ONCE = 8
"""Questions to the provider, however many visitors come."""
PAUSE_S = 5.0
MOST_STATES = 10_000
STATE_S = 3600.0
USED = "this sign-in was begun elsewhere, was used before, or took too long"
EMAIL = ("email", "email_verified")
UNREACHABLE = "the identity provider does not answer as it should; the server's log says more"


@cache
def _certificates() -> ssl.SSLContext:
    """What a provider is trusted by, read once: read for each of its answers it would hold up all visitors."""
    return httpx2.create_ssl_context()


class _StrictApp(StarletteOAuth2App):  # type: ignore[misc]
    """Authlib's client, for one issuer and signatures by a key that only the provider has."""

    issuer = ""

    async def load_server_metadata(self) -> dict[str, Any]:
        """The provider's metadata, as far as it is trusted."""
        metadata: dict[str, Any] = await super().load_server_metadata()
        if metadata.get("issuer") != self.issuer:
            metadata.pop("_loaded_at", None)
            message = f"the provider calls itself {str(metadata.get('issuer'))[:200]!r}, not {self.issuer!r}"
            raise SignInError(message)
        signed_by = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        accepted = [name for name in signed_by if name in ALGORITHMS]
        metadata["id_token_signing_alg_values_supported"] = accepted or ["RS256"]
        return metadata


class Provider:
    """
    The one identity provider of this server.

    Args:
        settings: Of sign-in.
    """

    def __init__(self, settings: SignIn) -> None:
        self.settings = settings
        self._used: OrderedDict[str, float] = OrderedDict()
        self._few = Few(AT_ONCE)
        self._asked_again = 0.0
        self._app: Any = _StrictApp(
            StarletteIntegration(NAME),
            NAME,
            client_id=settings.client_id,
            client_secret=settings.client_secret,
            server_metadata_url=f"{settings.issuer.rstrip('/')}/{DISCOVERY}",
            client_kwargs={
                "scope": settings.scopes,
                "code_challenge_method": "S256",
                "timeout": TIMEOUT_S,
                "verify": _certificates(),
            },
        )
        self._app.issuer = settings.issuer

    async def redirect(self, request: Request) -> Response:
        """
        The way to the provider; what is needed to know its answer again is in ``request.session``.

        Raises:
            SignInError: The provider cannot be reached, or could not a moment ago: it is not asked again by
                every visitor.
        """
        async with self._few.limiter:
            if time.monotonic() < self._asked_again:
                raise SignInError(UNREACHABLE)
            try:
                answer: Response = await self._app.authorize_redirect(
                    request, self.settings.callback, prompt="select_account"
                )
            except (AuthlibBaseError, httpx2.HTTPError, ValueError, RuntimeError, TypeError) as problem:
                self._asked_again = time.monotonic() + PAUSE_S
                raise SignInError(UNREACHABLE) from problem
            except SignInError:
                self._asked_again = time.monotonic() + PAUSE_S
                raise
        return answer

    async def claims(self, request: Request) -> dict[str, Any]:
        """
        What the provider says of whoever comes back from it.

        Raises:
            SignInError: The answer belongs to no sign-in of this browser, was used before, or its token is
                not signed by this provider, for this server, now, in answer to this question; or the
                provider cannot be reached.
        """
        self._use(request)
        options = {name: {"essential": True} for name in ("sub", "exp", "iat")}
        try:
            async with self._few.limiter:
                token = await self._app.authorize_access_token(
                    request, claims_options=options | self._ours(), leeway=LEEWAY_S
                )
                claims = dict(token.get("userinfo") or {})
                await self._check(request, claims)
                whole = await self._whole(token, claims)
        except (AuthlibBaseError, JoseError) as problem:
            message = (
                "the answer of the identity provider was refused: it is stale, used or not for this server"
            )
            raise SignInError(message) from problem
        except (httpx2.HTTPError, ValueError, RuntimeError, TypeError, KeyError) as problem:
            raise SignInError(UNREACHABLE) from problem
        state = f"sign-in {request.query_params['state']}"
        # only who could sign in gets as far as the store
        if not await to_thread.run_sync(ENDED.add, state, time.time() + STATE_S):
            raise SignInError(USED)
        return whole

    def _ours(self) -> dict[str, Any]:
        return {
            "iss": {"essential": True, "values": [self.settings.issuer]},
            "aud": {"essential": True, "values": [self.settings.client_id]},
        }

    def _use(self, request: Request) -> None:
        """Every answer counts once and in the browser that began, whatever the browser keeps."""
        state, now = request.query_params.get("state", ""), time.monotonic()
        while self._used and (
            next(iter(self._used.values())) < now - STATE_S or len(self._used) > MOST_STATES
        ):
            self._used.popitem(last=False)
        if f"_state_{NAME}_{state}" not in request.session or state in self._used:
            raise SignInError(USED)
        self._used[state] = now

    async def _check(self, request: Request, claims: Mapping[str, Any]) -> None:
        """What need not rest on Authlib alone: another server's token, another issuer's answer."""
        metadata = await self._app.load_server_metadata()
        issuer = request.query_params.get("iss")
        named = issuer is not None or metadata.get("authorization_response_iss_parameter_supported") is True
        another = named and issuer != self.settings.issuer
        if another or not is_for(claims, self.settings.client_id):
            message = "the answer of the identity provider was refused: it is not for this server"
            raise SignInError(message)

    async def _whole(self, token: dict[str, Any], claims: dict[str, Any]) -> dict[str, Any]:
        """The claims with those that the provider keeps for its userinfo; the signed ones count first."""
        metadata = await self._app.load_server_metadata()
        if not is_thin(claims, self.settings) or "userinfo_endpoint" not in metadata:
            return claims
        more = dict(await self._app.userinfo(token=token))
        if more.get("sub") != claims["sub"]:
            message = "the identity provider speaks of two people"
            raise SignInError(message)
        return _merged(claims, more)


def _merged(claims: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """
    Signed claims and those of the userinfo; whether an address is verified is said where the address is.

    Of the address that is signed the userinfo may say it, if it names the same one.
    """
    same = "email_verified" not in claims and more.get("email") == claims.get("email")
    source = claims if "email" in claims and not same else more
    merged = {name: value for name, value in (more | claims).items() if name not in EMAIL}
    return merged | {name: source[name] for name in EMAIL if name in source}
