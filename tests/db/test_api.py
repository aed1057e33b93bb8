"""The HTTP door: what it takes, what it refuses and why, and what it answers."""

import gzip
import json
import re
from dataclasses import replace

import pytest

from core.errors import InputError
from core.measurement import Sample
from core.measurement.run_json import file_json
from db.api import routes
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from tests.db.examples import FULL, log, simple
from tests.db.visitor import HERE, one_engine

TEXT = {"content-type": "text/plain"}
JSON = {"content-type": "application/json"}
GZIP = {"content-encoding": "gzip"}


@pytest.fixture(autouse=True)
def _no_settings(no_settings):
    return no_settings


class TestUploads:
    """POST /api/v1/runs."""

    def test_a_log_is_kept_with_what_was_said_of_it(self, client, store):
        """The text of a tool becomes a run; name, tags and note come from the query."""
        status, answer = client.post(log(), file="mine.log", tags="a,b", note="before the fix")

        assert status == 201
        assert answer["url"] == f"{HERE}/measurements?runs={answer['id']}"
        found = store.run(answer["id"])
        assert (found.row.file, found.row.tags, found.row.note) == ("mine.log", ("a", "b"), "before the fix")
        assert (found.row.ranks, found.row.sample_count) == (2, 6)
        assert found.row.uploaded_by == "this machine"

    def test_the_same_run_again_is_200_with_the_same_number(self, client):
        """Whatever its file is called this time."""
        first = client.post(log(), file="a.log")
        second = client.post(log(), file="b.log")

        assert (first[0], second[0]) == (201, 200)
        assert first[1]["id"] == second[1]["id"]

    def test_a_run_file_comes_back_as_it_went_in(self, client):
        """JSON in, the same JSON out; uploading what came out finds the same run."""
        sent = json.dumps(file_json([FULL]))
        status, answer = client.post(sent, JSON)
        fetched = client.get(f"/api/v1/runs/{answer['id']}")

        assert status == 201
        assert fetched.json() == json.loads(sent)
        assert client.post(fetched.content, JSON)[0] == 200

    def test_every_run_of_a_file_is_answered(self, client):
        """A file with several runs names them all, and which of them were new."""
        client.post(json.dumps(file_json([simple(1)])), JSON)
        status, answer = client.post(json.dumps(file_json([simple(0), simple(1), simple(2)])), JSON)

        assert status == 201
        assert [run["new"] for run in answer["runs"]] == [True, False, True]
        assert answer["id"] == answer["runs"][0]["id"]

    @pytest.mark.parametrize("members", [1, 3])
    def test_gzip_is_unpacked(self, client, members):
        """Also when the file was packed in pieces."""
        content = log().encode()
        step = -(-len(content) // members)
        packed = b"".join(
            gzip.compress(content[at : at + step], mtime=0) for at in range(0, len(content), step)
        )

        assert client.post(packed, TEXT | GZIP)[0] == 201
        assert client.post(content)[0] == 200

    def test_curl_without_a_content_type_works(self, client):
        """``curl --data-binary @log`` calls its body a form; it is a log all the same."""
        form = {"content-type": "application/x-www-form-urlencoded"}

        assert client.post(log(), form)[0] == 201

    @pytest.mark.parametrize(
        ("content", "headers", "words"),
        [
            (b"", TEXT, "the body is empty"),
            (b" \n", TEXT, "the body is empty"),
            (b"hello", TEXT, "."),
            (b"\x00\xff\xfe" * 100, TEXT, "."),
            (b"{", JSON, "."),
            (b"[1, 2]", JSON, "."),
            (b'{"format_version": 1, "runs": []}', JSON, "."),
            (b"no gzip", TEXT | GZIP, "not gzip"),
            (gzip.compress(b"x" * 1000, mtime=0)[:-5], TEXT | GZIP, "ends too early"),
            (b"", TEXT | GZIP, "ends too early"),
        ],
    )
    def test_what_cannot_be_read_is_one_line(self, client, store, content, headers, words):
        """400 with the reason and, where there is one, the line; nothing is kept."""
        status, answer = client.post(content, headers)

        assert status == 400
        assert set(answer) == {"error", "line"}
        assert re.search(words, answer["error"])
        assert "\n" not in answer["error"]
        assert store.runs().runs == ()

    def test_a_number_that_is_no_measurement_is_refused(self, client, store):
        """A run file with a negative time keeps nothing."""
        wrong = file_json([replace(FULL, samples=(Sample("all_reduce", 8, 1.0),))])
        wrong["runs"][0]["samples"][0]["time_s"] = -1.0

        assert client.post(json.dumps(wrong), JSON)[0] == 400
        assert store.runs().runs == ()

    @one_engine
    @pytest.mark.parametrize(
        "headers",
        [
            {"content-type": "image/png"},
            {"content-type": "multipart/form-data; boundary=x"},
            {"content-type": "text/html"},
            TEXT | {"content-encoding": "br"},
        ],
    )
    def test_another_kind_of_content_is_415(self, client, headers):
        """What is taken is said."""
        status, answer = client.post(log(), headers)

        assert status == 415
        assert "application/json" in answer["error"] or "gzip" in answer["error"]


@one_engine
class TestSize:
    """WIRESPEED_MAX_UPLOAD_MB, counted after unpacking."""

    @pytest.fixture
    def small(self, visitor, monkeypatch):
        """A server that takes a tenth of a megabyte."""
        monkeypatch.setenv("WIRESPEED_MAX_UPLOAD_MB", "0.1")
        return visitor()

    def test_a_large_body_is_413(self, small):
        """The limit is named."""
        status, answer = small.post(b"#" * 100_001)

        assert status == 413
        assert "at most 0.1 MB" in answer["error"]

    def test_the_limit_itself_is_taken(self, small):
        """Exactly as much as allowed is read."""
        filled = (log() + "#").encode().ljust(100_000, b"\n")

        assert small.post(filled)[0] == 201

    def test_a_body_without_a_length_is_stopped_on_the_way(self, small):
        """A stream is cut where it passes the limit, not at its end."""
        sent = []

        async def stream():
            for number in range(100):
                sent.append(number)
                yield b"#" * 10_000

        assert small.post(stream())[0] == 413
        assert len(sent) == 11

    def test_a_gzip_bomb_is_413(self, small):
        """A hundred megabytes in a hundred kilobytes are met before they unfold."""
        bomb = gzip.compress(b"\n" * 95_000_000, mtime=0)

        assert len(bomb) < 100_000
        assert small.post(bomb, TEXT | GZIP)[0] == 413

    @pytest.mark.parametrize(
        ("first", "piece", "status"),
        [(b"", gzip.compress(b"", mtime=0) * 500, 400), (b"\x1f\x8b\x08\x08" + bytes(6), b"n" * 10_000, 413)],
        ids=["empty members", "a name without an end"],
    )
    def test_a_packed_body_that_unpacks_to_nothing_ends(self, small, first, piece, status):
        """Ten megabytes that are no byte of a log: refused once they are more than a log would take, packed."""
        sent = []

        async def stream():
            yield first
            for number in range(1000):
                sent.append(number)
                yield piece

        answer = small.post(stream(), TEXT | GZIP)

        assert (answer[0], len(sent) < 150) == (status, True), answer

    @pytest.mark.parametrize("value", ["0", "-1", "many", "inf", "nan"])
    def test_a_limit_that_is_none_stops_the_start(self, store, monkeypatch, value):
        """The setting is named in one line."""
        monkeypatch.setenv("WIRESPEED_MAX_UPLOAD_MB", value)
        with pytest.raises(InputError, match="WIRESPEED_MAX_UPLOAD_MB: a number of megabytes above 0"):
            routes(store, read, read_trace_upload)


@one_engine
class TestAccess:
    """Who is let in."""

    @pytest.fixture(params=["variable", "file"])
    def token(self, request, monkeypatch, tmp_path):
        """A token, given either way."""
        if request.param == "variable":
            monkeypatch.setenv("WIRESPEED_API_TOKEN", "s3cret")
        else:
            (tmp_path / "token").write_text("s3cret\n")
            monkeypatch.setenv("WIRESPEED_API_TOKEN_FILE", str(tmp_path / "token"))
        return "s3cret"

    @pytest.mark.usefixtures("token")
    @pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7"])
    @pytest.mark.parametrize(
        "header", [None, "Bearer wrong", "Basic s3cret", "Bearer", "s3cret", "Bearer s3cret\u00fc"]
    )
    def test_a_wrong_token_is_401_from_anywhere(self, visitor, address, header):
        """Also from the same machine; the answer says how to send one."""
        headers = {} if header is None else {"authorization": header.encode("latin-1")}
        client = visitor(address)
        for answer in (
            client.get("/api/v1/runs", headers=headers),
            client.ask("POST", "/api/v1/runs", content=log(), headers=headers),
        ):
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "Authorization: Bearer TOKEN" in answer.json()["error"]

    def test_the_token_lets_in_from_anywhere(self, visitor, store, token):
        """Uploads by token are kept as such."""
        client = visitor("2001:db8::7")
        headers = {"authorization": f"bearer {token}"}

        status, answer = client.post(log(), TEXT | headers)
        assert status == 201
        assert store.run(answer["id"]).row.uploaded_by == "token"
        assert client.get("/api/v1/runs", headers=headers).status_code == 200

    @pytest.mark.parametrize("address", ["10.0.0.7", "2001:db8::7", "192.168.1.2", "testclient"])
    def test_without_a_token_other_machines_are_403(self, visitor, address):
        """GET and POST alike, with the reason."""
        client = visitor(address)
        for answer in (client.get("/api/v1/runs"), client.ask("POST", "/api/v1/runs", content=log())):
            assert answer.status_code == 403
            assert "WIRESPEED_API_TOKEN" in answer.json()["error"]

    @pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
    def test_without_a_token_this_machine_is_let_in(self, visitor, address):
        """All of loopback counts, in both families."""
        assert visitor(address).get("/api/v1/runs").status_code == 200

    @pytest.mark.parametrize(
        "headers",
        [
            {"x-forwarded-for": "10.0.0.7"},
            {"forwarded": "for=10.0.0.7"},
            {"via": "1.1 proxy"},
            {"host": "attacker.example:8501"},
            {"origin": "https://attacker.example"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site"},
        ],
    )
    def test_loopback_is_not_lent_to_others(self, client, headers):
        """A proxy's client, a rebound name and a foreign page in the browser are not this machine."""
        assert client.get("/api/v1/runs", headers=headers).status_code == 403
        assert client.post(log(), headers)[0] == 403

    def test_a_token_file_that_is_gone_closes_the_door(self, client, monkeypatch, tmp_path):
        """A broken setting never opens the API, and the path is not told."""
        monkeypatch.setenv("WIRESPEED_API_TOKEN_FILE", str(tmp_path / "gone"))
        answer = client.get("/api/v1/runs")

        assert answer.status_code == 403
        assert str(tmp_path) not in answer.text


class TestLists:
    """GET /api/v1/runs."""

    def test_pages_follow_next_to_the_end(self, client, store):
        """Every run is met once, newest first."""
        store.save([simple(n) for n in range(5)])
        seen, cursor = [], ""
        while cursor is not None:
            answer = client.get("/api/v1/runs", params={"cursor": cursor, "limit": 2}).json()
            seen += [run["file"] for run in answer["runs"]]
            cursor = answer["next"]

        assert len(seen) == len(set(seen)) == 5
        assert answer["runs"][0]["url"].startswith(f"{HERE}/measurements?runs=")

    def test_filters_narrow_the_list(self, client, store):
        """gpu, operation and since, as the contract names them."""
        store.save([simple(1, gpu="NVIDIA H100"), simple(2, operation="all_gather")])

        def files(**asked):
            return [run["file"] for run in client.get("/api/v1/runs", params=asked).json()["runs"]]

        assert files(gpu="h100") == ["run1.log"]
        assert files(operation="all_gather") == ["run2.log"]
        assert len(files(since="2020-01-01")) == len(files(since="2020-01-01T00:00:00+02:00")) == 2
        assert files(since="2999-01-01T00:00:00Z") == []

    def test_an_unescaped_plus_in_a_moment_is_understood(self, client):
        """A plus that arrives as a space is still a time zone."""
        assert client.get("/api/v1/runs?since=2020-01-01T00:00:00+02:00").status_code == 200

    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            ({"limit": "0"}, "limit: "),
            ({"limit": "501"}, "limit: a whole number from 1 to 500"),
            ({"limit": "many"}, "limit: "),
            ({"cursor": "x"}, "cursor: "),
            ({"since": "yesterday"}, "since: a date such as"),
            ({"since": "0001-01-01T00:00:00+14:00"}, "since: "),
        ],
    )
    def test_a_bad_question_is_400_and_names_the_argument(self, client, asked, words):
        """One line, naming what is allowed."""
        answer = client.get("/api/v1/runs", params=asked)

        assert answer.status_code == 400
        assert words in answer.json()["error"]

    def test_a_deleted_or_unknown_run_is_404(self, client, store):
        """As JSON, with the number."""
        number = store.save([FULL])[0].id
        store.delete(number)

        assert client.get("/api/v1/runs").json() == {"runs": [], "next": None}
        for asked in (number, 4711):
            answer = client.get(f"/api/v1/runs/{asked}")
            assert answer.status_code == 404
            assert str(asked) in answer.json()["error"]


def test_a_number_no_engine_can_hold_is_no_run(client):
    """A run number beyond 64 bits is unknown like any other that is not there."""
    answer = client.get(f"/api/v1/runs/{10**30}")

    assert answer.status_code == 404
    assert "error" in answer.json()
