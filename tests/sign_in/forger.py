"""An identity provider that signs whatever a test wants signed, on loopback."""

import json
import threading
import time
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from db.oidc import sign_in

CLIENT = "wirespeed"
SECRET = "a cookie secret of this test, long enough"  # noqa: S105 - of a test
ADA = {"sub": "1", "email": "ada@example.com", "email_verified": True}


@cache
def key(name="ours"):
    """A key of that name; making one takes a fifth of a second."""
    return RSAKey.generate_key(2048, auto_kid=True)


class Forger:
    """
    What the provider says next.

    Attributes:
        issuer: Its address.
        changes: Claims of the next tokens in place of the right ones; None leaves a claim out.
        key: That signs.
        header: Of the token, beside its algorithm.
        userinfo: Beside the token.
        metadata: In place of what is right.
    """

    def __init__(self, issuer):
        self.issuer = issuer
        self.nonce = ""
        self.forget()

    def forget(self):
        """All is right again."""
        self.changes, self.key, self.userinfo, self.metadata = {}, key(), None, {}
        self.code_refused = False
        self.posted = []

    def token(self):
        """The next identity token."""
        now = time.time()
        right = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": self.nonce} | ADA
        claims = {name: value for name, value in (right | self.changes).items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": key().kid}, claims, self.key)

    def answer(self, path):
        """What a path answers."""
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "jwks_uri": f"{self.issuer}/jwks",
                "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"],
                **self.metadata,
            }
        if path == "/jwks":
            return {"keys": [key().as_dict(private=False)]}
        if path == "/userinfo":
            return self.userinfo or {"sub": "1"}
        return {"access_token": "a", "token_type": "Bearer", "id_token": self.token()}


@contextmanager
def forging():
    """A forger while it answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.reply(200, forger.answer(urlsplit(self.path).path))

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            forger.posted.append({name: values[0] for name, values in parse_qs(body.decode()).items()})
            if forger.code_refused:
                self.reply(400, {"error": "invalid_grant"})
            else:
                self.reply(200, forger.answer(self.path))

        def reply(self, status, content):
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    forger = Forger(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield forger
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def environment(issuer, public="http://127.0.0.1:8501", **more):
    """The settings of a server whose people sign in at an issuer."""
    return {
        "WIRESPEED_OIDC_ISSUER": issuer,
        "WIRESPEED_OIDC_CLIENT_ID": CLIENT,
        "WIRESPEED_OIDC_CLIENT_SECRET": "client secret",
        "WIRESPEED_PUBLIC_URL": public,
        "WIRESPEED_COOKIE_SECRET": SECRET,
        "WIRESPEED_UPLOADERS": "ada@example.com",
        **more,
    }


def settings(issuer, **more):
    """The same, read."""
    return sign_in(environment(issuer, **more))
