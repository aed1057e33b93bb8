"""Tokens of people: shown once, kept as a hash, never above their owner, ended and taken back."""

import gzip
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from core.errors import InputError
from db import access, schema, tokens
from db.attempts import MOST
from db.backup import write_file
from db.engine import WRITES, open_engine, parse
from db.errors import NotAllowedError, UnknownRunError
from db.people import THIS_MACHINE, Person, Role
from tests.db.examples import log, simple
from tests.db.visitor import Visitor, one_engine

ADA = Person("ada@example.com", Role.UPLOADER, frozenset({"lab"}))
EVE = Person("eve@example.com", Role.UPLOADER)
ROOT = Person("root@example.com", Role.ADMIN)


@pytest.fixture(autouse=True)
def roles(monkeypatch):
    """A server with sign-in; sets who has which role."""
    monkeypatch.delenv("WIRESPEED_API_TOKEN", raising=False)
    monkeypatch.delenv("WIRESPEED_API_TOKEN_FILE", raising=False)
    monkeypatch.setenv("WIRESPEED_OIDC_ISSUER", "https://id.example.com")
    monkeypatch.setenv("WIRESPEED_ADMINS", ROOT.name)
    monkeypatch.setenv("WIRESPEED_UPLOADERS", f"{ADA.name}, {EVE.name}, {ROOT.name}")
    return lambda **lists: [monkeypatch.setenv(f"WIRESPEED_{name}", text) for name, text in lists.items()]


@pytest.fixture
def ada(store):
    """The store as an uploader sees it who has signed in."""
    view = store.seen_by(ADA)
    view.people.signed_in()
    return view


@pytest.fixture
def program(store):
    """Makes programs elsewhere that send a token."""
    with ExitStack() as open_ones:

        def made(token, address="198.51.100.7"):
            visitor = open_ones.enter_context(Visitor(store, address))
            visitor.sent = {"authorization": f"Bearer {token}"}
            return visitor

        yield made


@pytest.fixture
def change(url):
    """Change a column of all tokens, as time and fate would."""

    def changed(**values):
        engine = open_engine(parse(url))
        with engine.connect().execution_options(**WRITES) as connection, connection.begin():
            connection.execute(schema.tokens.update().values(values))
        engine.dispose()

    return changed


def test_a_token_stands_for_its_maker_and_no_text_of_it_is_kept(store, ada, url, tmp_path):
    """Neither the tables nor a backup hold it; its SHA-256 is there."""
    made = ada.tokens.make("CI", "upload", days=30)

    assert store.tokens.bearer(made) == replace(ADA, token="CI")  # noqa: S106
    assert made.startswith("wsp_")
    assert len(made) >= len("wsp_") + 43
    engine = open_engine(parse(url))
    write_file(engine, tmp_path / "a.backup")
    with engine.connect() as connection:
        (row,) = connection.execute(sa.select(schema.tokens)).mappings()
    engine.dispose()
    assert made.removeprefix("wsp_") not in repr(row)
    text = gzip.decompress((tmp_path / "a.backup").read_bytes())
    assert made.removeprefix("wsp_").encode() not in text
    assert row["sha256"].encode() in text
    assert row["expires_at"] - row["created_at"] == timedelta(days=30)


def test_no_two_tokens_are_alike_and_a_changed_one_is_none(store, ada):
    """256 random bits each; a letter more, less or other is another token."""
    made = {ada.tokens.make("CI", "read") for _ in range(5)}
    assert len(made) == 5
    text = made.pop()

    for other in (
        "",
        "wsp_",
        text[:-1],
        text + "A",
        text.upper(),
        text.removeprefix("wsp_"),
        "\ud800" + text,
    ):
        assert store.tokens.bearer(other) is None


@pytest.mark.parametrize(
    "values",
    [
        {"revoked_at": datetime(2026, 1, 1, tzinfo=UTC)},
        {"expires_at": datetime(2026, 1, 1, tzinfo=UTC)},
        {"owner": "stranger@example.net"},
        {"owner": THIS_MACHINE.name},
    ],
    ids=["revoked", "ended", "without a role", "of a server without sign-in"],
)
def test_a_token_that_does_not_work(store, ada, change, values):
    """Revoked, past its end, or of someone whom the settings give no role today."""
    made = ada.tokens.make("CI", "read")
    assert store.tokens.bearer(made)

    change(**values)
    assert store.tokens.bearer(made) is None


@one_engine
def test_a_token_follows_the_role_of_its_owner(store, ada, roles):
    """It is the lower of scope and role today; groups are those of the last sign-in."""
    made = ada.tokens.make("CI", "upload")

    roles(UPLOADERS="", VIEWERS="group:lab")
    assert store.tokens.bearer(made).role == Role.VIEWER
    roles(ADMINS=ADA.name)
    assert store.tokens.bearer(made).role == Role.UPLOADER
    roles(ADMINS="", VIEWERS="group:lab")
    store.seen_by(replace(ADA, groups=frozenset())).people.signed_in()
    assert store.tokens.bearer(made) is None


@one_engine
@pytest.mark.parametrize(
    ("person", "scope"), [(ADA, "admin"), (replace(ADA, role=Role.VIEWER), "upload")], ids=["admin", "upload"]
)
def test_a_scope_above_ones_role_is_refused(store, person, scope):
    """Nobody lends what they have not."""
    with pytest.raises(NotAllowedError, match="yours is"):
        store.seen_by(person).tokens.make("CI", scope)


@one_engine
@pytest.mark.parametrize(
    "person",
    [Person("anyone", Role.UPLOADER), replace(ROOT, token="CI"), Person("token", Role.ADMIN)],  # noqa: S106
    ids=["anyone", "a token", "the server's token"],
)
def test_only_people_make_tokens(store, person):
    """Who has no name to answer with makes none, and no token makes another."""
    with pytest.raises(NotAllowedError, match="signed in"):
        store.seen_by(person).tokens.make("CI", "read")


@one_engine
@pytest.mark.parametrize(
    "options",
    [{"name": " "}, {"name": "x" * 61}, {"name": "a\nb"}, {"scope": "root"}, {"days": 0}, {"days": 366}],
)
def test_what_no_token_is(ada, options):
    """A name that can be shown, one of three scopes, a year at most."""
    with pytest.raises(InputError):
        ada.tokens.make(**{"name": "CI", "scope": "read", "days": 90} | options)
    assert ada.tokens.mine() == []


@one_engine
def test_tokens_are_revoked_by_their_owner_and_by_admins(store, ada):
    """Another's token is as if it were not there."""
    ada.tokens.make("first", "read")
    ada.tokens.make("second", "read")
    eve, root = store.seen_by(EVE), store.seen_by(ROOT)
    with pytest.raises(UnknownRunError, match="there is no token 1"):
        eve.tokens.revoke(1)
    ada.tokens.revoke(1)
    root.tokens.revoke(2)

    assert [token.revoked_by for token in root.tokens.listed()] == [ROOT.name, ADA.name]
    assert eve.tokens.mine() == []
    with pytest.raises(NotAllowedError):
        eve.tokens.listed()


@one_engine
def test_the_last_use_is_written_once_a_minute(store, ada, url, change):
    """The first use is noted; the next only when a minute has gone by."""
    made = ada.tokens.make("CI", "read")
    store.tokens.bearer(made)
    (first,) = ada.tokens.mine()
    store.tokens.bearer(made)
    assert ada.tokens.mine() == [first]

    change(used_at=datetime.now(UTC) - 2 * tokens.TOUCH)
    store.tokens.bearer(made)
    assert ada.tokens.mine()[0].used_at >= first.used_at


@one_engine
def test_one_has_a_hundred_tokens_that_work(ada, monkeypatch):
    """Ended and revoked ones are not counted."""
    monkeypatch.setattr(tokens, "MOST_TOKENS", 2)
    ada.tokens.make("first", "read")
    ada.tokens.make("second", "read")
    with pytest.raises(InputError, match="revoke one"):
        ada.tokens.make("third", "read")

    ada.tokens.revoke(1)
    ada.tokens.make("third", "read")


class TestPrograms:
    """Tokens over HTTP, from another machine."""

    def test_each_scope_does_what_it_says(self, store, ada, program):
        """A reader reads and may not upload; an uploader does, under the name of the owner."""
        reader, writer = (program(ada.tokens.make(scope, scope)) for scope in ("read", "upload"))

        status, answer = reader.post(log(1), reader.sent)
        assert (status, answer["error"]) == (403, "This needs the role of an uploader; yours is viewer.")
        status, answer = writer.post(log(1), writer.sent)
        assert status == 201
        assert store.run(answer["id"]).row.uploaded_by == ADA.name
        listed = reader.get("/api/v1/runs", headers=reader.sent).json()
        assert [run["id"] for run in listed["runs"]] == [answer["id"]]
        entries = [(entry.actor, entry.action, entry.detail) for entry in store.audit.entries()[:2]]
        assert entries == [
            (ADA.name, "upload", "with token upload"),
            (ADA.name, "refused", "This needs the role of an uploader; yours is viewer.; with token read"),
        ]

    @one_engine
    def test_a_token_of_a_project_is_for_it_alone(self, store, ada, program):
        """It uploads there, sees nothing else, and sees nothing once its owner is no member."""
        store.projects.make("alpha", [ADA.name])
        store.projects.make("beta", [ADA.name])
        others = [store.save([simple(1)], project=project)[0].id for project in (None, "beta")]
        asks = program(ada.tokens.make("CI", "upload", project="alpha"))

        status, answer = asks.post(log(1), asks.sent)
        assert (status, store.run(answer["id"]).row.project) == (201, "alpha")
        listed = asks.get("/api/v1/runs", headers=asks.sent).json()["runs"]
        assert [(run["id"], run["project"]) for run in listed] == [(answer["id"], "alpha")]
        assert {asks.get(f"/api/v1/runs/{run}", headers=asks.sent).status_code for run in others} == {404}
        assert asks.post(log(2), asks.sent, project="beta")[0] == 404
        store.projects.change("alpha", members=[])
        assert asks.get("/api/v1/runs", headers=asks.sent).json()["runs"] == []
        assert asks.post(log(3), asks.sent)[0] == 404

    @one_engine
    def test_a_hidden_run_is_as_unknown_as_none(self, store, ada, program):
        """The same status and the same sentence, whether the number exists or not."""
        store.projects.make("secret", [EVE.name])
        hidden = store.save([simple(1)], project="secret")[0].id
        asks = program(ada.tokens.make("CI", "read"))
        answers = [asks.get(f"/api/v1/runs/{run}", headers=asks.sent) for run in (hidden, 999_999)]

        assert [answer.status_code for answer in answers] == [404, 404]
        first, second = (answer.json()["error"] for answer in answers)
        assert first.replace(str(hidden), "N") == second.replace("999999", "N")
        assert asks.get("/api/v1/runs?project=secret", headers=asks.sent).json()["runs"] == []

    @one_engine
    def test_wrong_tokens_are_counted_as_any(self, program):
        """Ten wrong ones a minute of an address, which then waits, with Retry-After."""
        asks = program("wsp_wrong")
        statuses = [asks.get("/api/v1/runs", headers=asks.sent).status_code for _ in range(MOST + 1)]
        refused = asks.get("/api/v1/runs", headers={"authorization": "Bearer wsp_another"})

        assert statuses == [401] * MOST + [429]
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 60
        assert (
            "unknown, revoked, past its end"
            in program("wsp_x", "198.51.100.8").get("/api/v1/runs", headers=asks.sent).json()["error"]
        )

    @one_engine
    def test_a_right_token_never_waits_for_wrong_ones_of_its_address(self, ada, program, monkeypatch):
        """A stranger behind the same proxy stops nobody; a short server's token alone, as it may be guessed, waits."""
        right = {"authorization": f"Bearer {ada.tokens.make('CI', 'read')}"}
        asks = program("wsp_wrong")

        def status(sent):
            return asks.get("/api/v1/runs", headers=sent).status_code

        for _ in range(MOST + 1):
            status(asks.sent)
        assert (status(right), status(asks.sent)) == (200, 429)
        for characters, answered in ((31, 429), (32, 200)):
            own = "s" * characters
            monkeypatch.setenv("WIRESPEED_API_TOKEN", own)
            assert status({"authorization": f"Bearer {own}"}) == answered
            assert status({"authorization": "Bearer no"}) == 429

    @one_engine
    def test_a_viewers_body_is_not_even_read(self, store, ada, program):
        """What no reader takes gets the answer about the role, which is asked first and written down once."""
        viewer = program(ada.tokens.make("look", "read"))

        assert viewer.post(b"\x00 no log", viewer.sent)[0] == 403
        assert viewer.post(b"{}", viewer.sent | {"content-type": "image/png"})[0] == 403
        assert [entry.subject for entry in store.audit.entries(action="refused")] == ["upload", "upload"]

    @one_engine
    def test_one_token_is_taken_so_often_a_minute(self, ada, program, monkeypatch):
        """The setting's number of requests; another token of the same owner goes on."""
        monkeypatch.setenv("WIRESPEED_TOKEN_PER_MINUTE", "2")
        asks = program(ada.tokens.make("busy", "read"))
        answers = [asks.get("/api/v1/runs", headers=asks.sent) for _ in range(3)]
        other = {"authorization": f"Bearer {ada.tokens.make('calm', 'read')}"}

        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert int(answers[2].headers["retry-after"]) > 0
        assert asks.get("/api/v1/runs", headers=other).status_code == 200

    @one_engine
    def test_the_servers_token_stays_what_it_is(self, store, ada, program, monkeypatch):
        """Both are taken side by side; the server's own sees what is everyone's."""
        monkeypatch.setenv("WIRESPEED_API_TOKEN", "the-servers-own")
        store.projects.make("alpha", [ADA.name])
        store.save([simple(1)], project="alpha")
        own, personal = program("the-servers-own"), program(ada.tokens.make("CI", "read"))

        assert own.post(log(1), own.sent)[0] == 201
        assert len(own.get("/api/v1/runs", headers=own.sent).json()["runs"]) == 1
        assert len(personal.get("/api/v1/runs", headers=personal.sent).json()["runs"]) == 2

    def test_a_store_that_is_away_is_no_wrong_token(self, store, ada):
        """503, and the address is not counted against."""
        made = ada.tokens.make("CI", "read")
        limits = access.Limits()

        def away(sent):
            raise access.StoreError(sent)

        headers = access.Headers({"authorization": f"Bearer {made}"})
        assert access.admit(headers, "198.51.100.7", limits=limits, bearer=away).status == 503
        assert limits.wrong.wait_s("198.51.100.7") == 0
        assert access.admit(headers, "198.51.100.7", limits=limits, bearer=store.tokens.bearer).status == 200
