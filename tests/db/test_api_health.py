"""What a load balancer and a probe ask, and what is answered where nothing is."""

import pytest

from core.version import VERSION
from db.store import Store
from tests.db.examples import log
from tests.db.visitor import Visitor, one_engine


@pytest.fixture(autouse=True)
def _no_settings(no_settings):
    return no_settings


class TestHealth:
    """What a load balancer and a probe ask."""

    @one_engine
    def test_healthz_says_the_version(self, client):
        """Without a token, from anywhere."""
        answer = client.get("/healthz")

        assert (answer.status_code, answer.json()) == (200, {"status": "ok", "version": VERSION})

    @pytest.fixture
    def unprepared(self, url):
        """A store whose database holds no table yet."""
        made = Store(url)
        yield made
        made.close()

    def test_readyz_follows_the_schema(self, unprepared):
        """503 before the migrations, 200 after them."""
        with Visitor(unprepared) as client:
            before = client.get("/readyz")
            unprepared.prepare()
            after = client.get("/readyz")

        assert (before.status_code, after.status_code) == (503, 200)
        assert "schema" in before.json()["reason"]

    def test_a_store_that_is_not_ready_is_503(self, unprepared):
        """An upload that cannot be kept is told to come back, without a traceback or an address."""
        with Visitor(unprepared) as client:
            status, answer = client.post(log())

        assert status == 503
        assert answer["error"] == "the store is not ready: try again later"

    @pytest.mark.parametrize(
        "path", ["/api/v1/nothing", "/api/v1/", "/api/v1/runs/x", "/api/v2/runs", "/api/"]
    )
    @one_engine
    def test_an_unknown_path_is_404_as_json(self, client, path):
        """No page of the app is sent to a program that asked for something else."""
        answer = client.get(path)

        assert answer.status_code == 404
        assert path in answer.json()["error"]

    @one_engine
    def test_a_method_that_is_none_is_405_as_json(self, client):
        """DELETE over HTTP does not exist."""
        answer = client.ask("DELETE", "/api/v1/runs")

        assert answer.status_code == 405
        assert "error" in answer.json()

    @one_engine
    def test_a_bug_is_500_as_json_without_its_details(self, visitor):
        """What went wrong stands in the server's log, not in the answer."""

        def broken(_name, _data):
            message = "secret detail"
            raise RuntimeError(message)

        answer = visitor(reader=broken).ask("POST", "/api/v1/runs", content=b"x")

        assert answer.status_code == 500
        assert "secret" not in answer.text

    @one_engine
    def test_the_probe_is_served_once_it_is_built(self, visitor, tmp_path):
        """404 with the command before, the file after."""
        place = tmp_path / "wirespeed-probe.pyz"
        client = visitor("10.0.0.7", probe=[place])
        before = client.get("/probe.pyz")
        place.write_bytes(b"PK\x03\x04")
        after = client.get("/probe.pyz")

        assert before.status_code == 404
        assert "make probe" in before.json()["error"]
        assert (after.status_code, after.content) == (200, b"PK\x03\x04")
