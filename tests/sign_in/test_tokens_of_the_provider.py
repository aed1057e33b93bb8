"""What comes back from the identity provider, right and forged, through the real routes and real HTTP."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from db.attempts import MOST
from pages.http.sign_in.routes import BEGUN, Doors
from pages.http.sign_in.session import COOKIE, Cookie
from tests.sign_in.forger import ADA, CLIENT, forging, key, settings

PUBLIC = "http://127.0.0.1:8501"


@pytest.fixture(scope="module")
def forger():
    """One forger for all of them."""
    with forging() as running:
        yield running


@pytest.fixture
def came(forger):
    """Who has signed in, as the audit log will hear of it."""
    forger.forget()
    return []


@pytest.fixture
def client(forger, came):
    """A browser before a server whose people sign in at the forger."""
    chosen = settings(forger.issuer, public=PUBLIC)
    doors = Doors(chosen, Cookie(chosen), lambda person, here: came.append((person.name, here)))
    with visitor(doors) as opened:
        yield opened


def visitor(doors):
    """A browser before these doors; entered, all that it asks is answered in one event loop."""
    return TestClient(Starlette(routes=doors.routes()), base_url=PUBLIC, follow_redirects=False)


def begin(client, forger, path="/measurements?runs=3"):
    """Go to the provider; the answer that belongs to it."""
    answer = client.get("/sign-in/start", params={"next": path})
    assert answer.status_code == 302, answer.text
    question = {
        name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()
    }
    forger.nonce = question["nonce"]
    return question


def finish(client, question, **changes):
    """Come back from the provider."""
    return client.get("/sign-in/callback", params={"code": "c", "state": question["state"]} | changes)


def test_somebody_signs_in_and_comes_back_to_the_page_they_wanted(client, forger, came):
    """Code, state, nonce and PKCE; a cookie that no script reads; and the page with its question."""
    question = begin(client, forger)
    answer = finish(client, question)

    assert (answer.status_code, answer.headers["location"]) == (303, f"{PUBLIC}/measurements?runs=3")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]
    assert question["code_challenge_method"] == "S256"
    assert question["redirect_uri"] == forger.posted[0]["redirect_uri"] == f"{PUBLIC}/sign-in/callback"
    assert len(forger.posted[0]["code_verifier"]) >= 43
    assert came == [("ada@example.com", True)]


WRONG = {
    "of another issuer": {"iss": "https://evil.example"},
    "for another server": {"aud": "another"},
    "for another server, given to this one": {"aud": "another", "azp": CLIENT},
    "for two servers": {"aud": [CLIENT, "another"]},
    "given to another server": {"azp": "another"},
    "past its end": {"exp": time.time() - 600, "iat": time.time() - 900},
    "of tomorrow": {"iat": time.time() + 86_400},
    "in answer to another question": {"nonce": "another"},
    "in answer to no question": {"nonce": None},
    "of nobody": {"sub": None},
    "without an end": {"exp": None},
    "without an issuer": {"iss": None},
    "without an audience": {"aud": None},
    "with an address that is not verified": {"email_verified": False},
    "with an address that may be verified": {"email_verified": None},
    "with two addresses": {"email": "ada@example.com,evil@evil.example"},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_a_token_that_is_not_for_this_question_signs_nobody_in(client, forger, came, changes):
    """Signed by the provider, and still wrong in one claim: no session, and a page that says so."""
    forger.changes = changes
    answer = finish(client, begin(client, forger))

    assert answer.status_code == 403
    assert COOKIE not in client.cookies
    assert "did not work" in answer.text
    assert came == []


def test_a_token_signed_by_another_key_signs_nobody_in(client, forger, came):
    """The right claims under the name of the provider's key, signed by somebody else's."""
    forger.key = key("foreign")

    assert finish(client, begin(client, forger)).status_code == 403
    assert came == []


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_without_a_real_signature_signs_nobody_in(client, forger, came, monkeypatch, algorithm):
    """Even where the provider's metadata allow it: neither unsigned nor signed by the shared secret."""
    from joserfc import jws
    from joserfc.jwk import OctKey

    def token():
        right = forger.__class__.token(forger)
        payload = right.split(".")[1]
        if algorithm == "none":
            return f"eyJhbGciOiJub25lIn0.{payload}."
        from joserfc.util import urlsafe_b64decode

        content = urlsafe_b64decode(payload.encode())
        return jws.serialize_compact(
            {"alg": "HS256"}, content, OctKey.import_key("client secret of many letters")
        )

    monkeypatch.setattr(forger, "token", token)

    assert finish(client, begin(client, forger)).status_code == 403
    assert came == []


def test_an_answer_counts_once(client, forger, came):
    """The same address opened again, even by a browser that kept everything, signs nobody in."""
    question = begin(client, forger)
    begun = client.cookies[BEGUN]
    assert finish(client, question).status_code == 303

    client.cookies.clear()
    assert finish(client, question).status_code == 403
    client.cookies.set(BEGUN, begun)
    again = finish(client, question)

    assert (again.status_code, len(forger.posted)) == (403, 1)
    assert len(came) == 1


def test_an_answer_counts_only_in_the_browser_that_began(client, forger, came):
    """Somebody who is led to another's answer does not get signed in as them."""
    question = begin(client, forger)
    client.cookies.clear()
    stolen = finish(client, question)
    begin(client, forger)
    mixed = finish(client, question)

    assert (stolen.status_code, mixed.status_code) == (403, 403)
    assert (came, forger.posted) == ([], [])


def test_an_answer_of_another_issuer_is_refused_before_its_token(client, forger, came):
    """RFC 9207: where the answer names an issuer, it is ours; where the provider promised to, it is there."""
    assert finish(client, begin(client, forger), iss="https://evil.example").status_code == 403
    assert finish(client, begin(client, forger), iss=forger.issuer).status_code == 303
    assert len(came) == 1


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example", "/\\evil.example", "x", "/a\nb"])
def test_nobody_is_sent_elsewhere_after_signing_in(client, forger, path):
    """A link that signs people in and leads them to another site leads to the first page."""
    answer = finish(client, begin(client, forger, path))

    assert answer.headers["location"] == f"{PUBLIC}/"


def test_what_the_provider_refuses_or_says_is_shown_as_text(client, forger):
    """A code that the provider refuses, an error with markup, a provider with another name: a page each."""
    forger.code_refused = True
    refused = finish(client, begin(client, forger))
    question = begin(client, forger)
    markup = client.get(
        "/sign-in/callback",
        params={"error": "<script>", "error_description": "<b>", "state": question["state"]},
    )

    assert (refused.status_code, markup.status_code) == (403, 403)
    assert "<script>" not in markup.text


def test_a_provider_that_calls_itself_otherwise_or_is_away_is_not_used(forger, came):
    """The metadata's issuer is the one of the settings; where nobody answers the page says so."""
    for issuer in (f"{forger.issuer}/", "http://127.0.0.1:9"):
        chosen = settings(issuer, public=PUBLIC)
        doors = Doors(chosen, Cookie(chosen), came.append)
        answer = visitor(doors).get("/sign-in/start")

        assert (answer.status_code, "did not work" in answer.text) == (502, True)


def test_a_provider_that_is_away_is_not_asked_by_every_visitor(forger, came, monkeypatch, capsys):
    """Visitors of the next seconds get the page at once, and the log a few lines; then it is asked again."""
    forger.metadata = {"issuer": "https://evil.example"}
    chosen = settings(forger.issuer, public=PUBLIC)
    doors = Doors(chosen, Cookie(chosen), came.append)
    with visitor(doors) as client:
        answers = [client.get("/sign-in/start").status_code for _ in range(3)]
        forger.forget()
        assert answers == [502] * 3
        assert client.get("/sign-in/start").status_code == 502

        for _ in range(20):
            assert client.get("/sign-in/callback?code=x&state=y").status_code == 403
        assert capsys.readouterr().err.count("sign-in:") == MOST
        monkeypatch.setattr(doors.provider, "_asked_again", 0.0)
        assert client.get("/sign-in/start").status_code == 302


@pytest.mark.parametrize(
    ("public", "name"),
    [
        (PUBLIC, BEGUN),
        ("https://fabric.example", f"__Host-{BEGUN}"),
        ("https://team.example/wirespeed/", f"__Secure-{BEGUN}"),
    ],
)
def test_another_site_of_the_domain_cannot_plant_a_sign_in(forger, came, public, name):
    """Over https the cookie of a begun sign-in has a name that only this host may set."""
    forger.forget()
    chosen = settings(forger.issuer, public=public)
    doors = Doors(chosen, Cookie(chosen), came.append)
    set_cookie = visitor(doors).get("/sign-in/start").headers["set-cookie"]

    assert set_cookie.startswith(f"{name}=")
    assert ("secure" in set_cookie.lower()) == public.startswith("https")


def test_groups_and_address_may_come_from_the_userinfo(client, forger, came):
    """A thin token is completed there, if it speaks of the same person; what is signed counts first."""
    forger.changes = {"email": None, "email_verified": None}
    forger.userinfo = ADA | {"groups": ["lab"]}
    assert finish(client, begin(client, forger)).status_code == 303

    forger.userinfo = ADA | {"sub": "2"}
    assert finish(client, begin(client, forger)).status_code == 403
    assert len(came) == 1


@pytest.mark.parametrize(
    ("signed", "looked_up", "status"),
    [
        ({"email": None, "email_verified": True}, {"email": "ada@example.com"}, 403),
        ({"email": None, "email_verified": None}, {"email": "ada@example.com", "email_verified": False}, 403),
        ({"email_verified": None}, {"email": "eve@example.com", "email_verified": True}, 403),
        ({"email_verified": None}, {"email_verified": True}, 403),
        ({"email_verified": False}, {"email": "ada@example.com", "email_verified": True}, 403),
        ({"email_verified": None}, {"email": "ada@example.com", "email_verified": True}, 303),
        ({}, {"email": "eve@example.com", "email_verified": False}, 303),
    ],
)
def test_an_address_is_verified_by_the_document_that_names_it(client, forger, signed, looked_up, status):
    """An address of the userinfo is not vouched for by a signed word about another, nor the other way round."""
    forger.changes, forger.userinfo = signed, {"sub": "1", **looked_up}

    assert finish(client, begin(client, forger)).status_code == status


def test_a_copy_of_a_cookie_is_refused_after_signing_out(client, forger):
    """Whoever kept the cookie, an open page included, is out where its owner signed out."""
    finish(client, begin(client, forger))
    cookie, copied = Cookie(settings(forger.issuer, public=PUBLIC)), client.cookies[COOKIE]
    session = cookie.session(copied)
    assert session is not None

    client.get("/sign-out")
    assert (cookie.session(copied), session.ended()) == (None, True)
    # somebody else's, or the next one of the same person, is not
    finish(client, begin(client, forger))
    assert cookie.session(client.cookies[COOKIE]) is not None


def test_who_has_no_session_signs_out_all_the_same(client):
    """Also with a cookie that is none."""
    for cookie in ("", f"{COOKIE}=none"):
        answer = client.get("/sign-out", headers={"Cookie": cookie})
        assert (answer.status_code, "signed out" in answer.text) == (200, True)


def test_signing_out_ends_the_session_of_this_browser_and_not_at_another_sites_word(client, forger, came):
    """The link of the page does; a picture or link of another site does not."""
    finish(client, begin(client, forger))
    foreign = client.get("/sign-out", headers={"Sec-Fetch-Site": "cross-site"})
    assert (foreign.status_code, COOKIE in client.cookies) == (403, True)

    assert "signed out" in client.get("/sign-out", headers={"Sec-Fetch-Site": "same-origin"}).text
    assert COOKIE not in client.cookies
    assert came == [("ada@example.com", True), ("ada@example.com", False)]
