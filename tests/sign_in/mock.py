"""oidc-provider-mock in a process of its own: an OpenID Connect provider whose people sign in with a click."""

import json
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx

from tests.server import CERTIFICATES, START_S, free_port

PEOPLE = {
    "ada": {"email": "ada@example.com", "email_verified": True, "groups": ["lab"]},
    "stranger": {"email": "stranger@other.example", "email_verified": True},
}


@contextmanager
def provider():
    """Its issuer, while it runs."""
    issuer = f"http://127.0.0.1:{(port := free_port())}"
    people = [f"--user-claims={json.dumps({'sub': name, **claims})}" for name, claims in PEOPLE.items()]
    # its import warns of its own library
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *people]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + START_S
        while True:
            try:
                address = f"{issuer}/.well-known/openid-configuration"
                httpx.get(address, verify=CERTIFICATES, timeout=START_S).raise_for_status()
            except httpx.TransportError:
                assert time.monotonic() < end, "the identity provider did not start"
                assert process.poll() is None, "the identity provider ended"
                time.sleep(0.1)
            else:
                break
        yield issuer
    finally:
        process.terminate()
        process.wait(20)
