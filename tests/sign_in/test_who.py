"""Who has which role, and how far a server is open: from the settings alone."""

import pytest

from core.errors import InputError
from db.oidc import sign_in
from db.opening import Opening, check_address, opening
from db.people import THIS_MACHINE, Person, Role
from db.roles import address_of, rules
from pages.http.sign_in.claims import SignInError, email_of, groups_of, is_for
from tests.sign_in.forger import environment, settings

ISSUER = "https://id.example.com/realm"
LISTS = {
    "WIRESPEED_ADMINS": "Root@Example.com, group:ops",
    "WIRESPEED_UPLOADERS": "@example.com,group:Lab",
    "WIRESPEED_VIEWERS": "guest@other.example",
}


@pytest.mark.parametrize(
    ("email", "groups", "role"),
    [
        ("root@example.com", (), Role.ADMIN),
        ("ada@example.com", (), Role.UPLOADER),
        ("ada@example.com", ("ops",), Role.ADMIN),
        ("guest@other.example", (), Role.VIEWER),
        ("guest@other.example", ("Lab",), Role.UPLOADER),
        ("guest@other.example", ("lab",), Role.VIEWER),
        ("guest+root@other.example", (), None),
        ("ada@sub.example.com", (), None),
        ("ada@example.com.evil.example", (), None),
        ("ada@evilexample.com", (), None),
        ("stranger@third.example", ("group:ops",), None),
    ],
)
def test_the_highest_role_that_names_somebody_counts(email, groups, role):
    """An address, a whole domain or a group gives a role; what only looks alike gives none."""
    assert rules(LISTS).role_of(email, frozenset(groups)) is role


@pytest.mark.parametrize(
    "text",
    [
        "root@example.com\n",
        "ro\u212aot@example.com",
        "r\u00f6ot@example.com",
        '"root@example.com"@evil.example',
        "root@example.com,evil@evil.example",
        "root@example",
        "@example.com",
        "root",
        "a" * 300 + "@example.com",
        ["root@example.com"],
        None,
    ],
)
def test_an_address_with_tricks_is_none(text):
    """Unicode that lower case turns into ASCII, two addresses in one, line ends and lists are refused."""
    assert address_of(text) is None


def test_capitals_do_not_matter_and_a_plus_does():
    """Root@Example.COM is root@example.com; root+x@example.com is somebody else."""
    assert address_of("Root@Example.COM") == "root@example.com"
    assert address_of("root+x@example.com") == "root+x@example.com"


@pytest.mark.parametrize("verified", [False, None, "false", 0, 1, "yes", [], {"true": 1}])
def test_an_address_that_is_not_verified_counts_for_nobody(verified):
    """Only what the provider vouches for; a setting allows providers that never say it."""
    claims = {"email": "ada@example.com", "email_verified": verified}
    claims = {name: value for name, value in claims.items() if value is not None}

    for strict in (settings(ISSUER), settings(ISSUER, WIRESPEED_OIDC_TRUST_EMAIL="no")):
        with pytest.raises(SignInError, match="verified"):
            email_of(claims, strict)
    trusting = settings(ISSUER, WIRESPEED_OIDC_TRUST_EMAIL="yes")
    if verified is None:
        assert email_of(claims, trusting) == "ada@example.com"
    else:
        with pytest.raises(SignInError, match="verified"):
            email_of(claims, trusting)


def test_groups_are_found_where_providers_put_them():
    """A list, one word, an address as name, or a list inside of objects."""
    assert groups_of({"groups": ["a", 3, "b"]}, "groups") == {"a", "b"}
    assert groups_of({"https://x.example/groups": "a"}, "https://x.example/groups") == {"a"}
    assert groups_of({"realm_access": {"roles": ["a"]}}, "realm_access.roles") == {"a"}
    assert groups_of({"realm_access": "a"}, "realm_access.roles") == frozenset()


def test_a_group_whose_name_no_store_can_hold_is_none():
    """NUL or half a surrogate pair in one group would fail each question to the store, and with it every page."""
    assert groups_of({"groups": ["lab", "la\x00b", "lab\ud800", "l\u00e4b"]}, "groups") == {"lab", "l\u00e4b"}
    assert groups_of({"realm_access": {"roles": "\udc80"}}, "realm_access.roles") == frozenset()


OURS = {"sub": "1", "nonce": "n", "aud": "ours"}


def test_a_token_is_for_this_server():
    """Of somebody, in answer to a question; given to this server where it names several, or says to whom."""
    right = ({}, {"azp": "ours"}, {"aud": ["ours"]}, {"aud": ["ours", "another"], "azp": "ours"})
    wrong = (
        *({name: empty} for name in ("sub", "nonce") for empty in (None, "", 0)),
        *({"azp": party} for party in ("another", "", ["ours"], {"ours": 1}, 0)),
        {"aud": ["ours", "another"]},
        {"aud": ["ours", "another"], "azp": "another"},
        {"aud": ["ours"], "azp": "another"},
    )

    assert [change for change in right if not is_for(OURS | change, "ours")] == []
    assert [change for change in wrong if is_for(OURS | change, "ours")] == []


@pytest.mark.parametrize(
    ("address", "settings_", "place"),
    [
        ("0.0.0.0", {}, "the address 0.0.0.0"),  # noqa: S104 - refused
        (None, {}, "listening on every address"),
        ("10.0.0.7", {}, "the address 10.0.0.7"),
        ("::", {}, "the address ::"),
        ("127.0.0.1", {"WIRESPEED_HOSTS": "fabric.example"}, "WIRESPEED_HOSTS"),
        ("127.0.0.1", {"WIRESPEED_PUBLIC_URL": "https://fabric.example"}, "WIRESPEED_PUBLIC_URL"),
        ("127.0.0.1", {"WIRESPEED_PROXIES": "127.0.0.1"}, "WIRESPEED_PROXIES"),
    ],
)
def test_a_server_that_others_reach_is_not_open_by_accident(address, settings_, place):
    """Another address, or a name for a proxy, needs sign-in or a word that says what strangers may."""
    with pytest.raises(InputError, match="nobody signs in") as refusal:
        check_address(address, settings_)

    assert place in str(refusal.value)
    assert "\n" not in str(refusal.value)
    check_address(address, {**settings_, "WIRESPEED_OPEN": "read"})
    check_address(address, {**settings_, **environment(ISSUER)})


def test_how_far_a_server_is_open():
    """Loopback alone: this machine is an admin; read and write: everyone a viewer or uploader; else nobody."""
    check_address("127.0.0.1", {})
    check_address("localhost", {})
    assert opening({}).everyone is THIS_MACHINE
    assert opening({"WIRESPEED_OPEN": "read"}).everyone == Person("anyone", Role.VIEWER)
    assert opening({"WIRESPEED_OPEN": "write"}).everyone == Person("anyone", Role.UPLOADER)
    assert opening(environment(ISSUER)) is Opening.CLOSED
    assert opening(environment(ISSUER)).everyone is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"WIRESPEED_OIDC_CLIENT_SECRET": ""}, "needs WIRESPEED_OIDC_CLIENT_SECRET as well"),
        ({"WIRESPEED_COOKIE_SECRET": "short"}, "at least 32 characters"),
        ({"WIRESPEED_UPLOADERS": ""}, "nobody has a role"),
        ({"WIRESPEED_UPLOADERS": "ada"}, "WIRESPEED_UPLOADERS: a@b.c"),
        ({"WIRESPEED_UPLOADERS": "*@example.com, group:"}, "group"),
        ({"WIRESPEED_OIDC_ISSUER": "http://id.example.com"}, "https"),
        ({"WIRESPEED_PUBLIC_URL": "https://user@fabric.example"}, "WIRESPEED_PUBLIC_URL: an address"),
        ({"WIRESPEED_PUBLIC_URL": "https://fabric.example/?x=1"}, "WIRESPEED_PUBLIC_URL: an address"),
        ({"WIRESPEED_OIDC_SCOPES": "email"}, "openid"),
        ({"WIRESPEED_OIDC_TRUST_EMAIL": "maybe"}, "yes or no"),
        ({"WIRESPEED_SESSION_HOURS": "0"}, "WIRESPEED_SESSION_HOURS"),
        ({"WIRESPEED_OIDC_ISSUER": ""}, "only beside WIRESPEED_OIDC_ISSUER"),
    ],
)
def test_half_a_sign_in_is_refused_at_start(change, reason):
    """What is missing, wrong or set without a provider is said in one line before anybody is let in."""
    with pytest.raises(InputError, match=reason) as refusal:
        sign_in(environment(ISSUER) | change)

    assert "\n" not in str(refusal.value)
    assert "client secret" not in str(refusal.value)


def test_open_and_closed_at_once_is_refused():
    """WIRESPEED_OPEN beside a provider would leave open what somebody meant to close."""
    with pytest.raises(InputError, match="set one of them"):
        opening(environment(ISSUER) | {"WIRESPEED_OPEN": "read"})
    with pytest.raises(InputError, match="read or write"):
        opening({"WIRESPEED_OPEN": "yes"})
