"""The OpenAPI document: valid, whole, and true of what the routes answer."""

from starlette.routing import Mount

from db.api import routes
from db.openapi import document
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from tests import openapi
from tests.db.examples import log, trace_file
from tests.db.visitor import Visitor, one_engine

ZIP = {"content-type": "application/zip"}
JOBS = "/api/v1/jobs"


def test_the_document_is_openapi_3_1():
    """A validator of the specification finds no fault."""
    assert openapi.faults(document()) == []


@one_engine
def test_what_a_job_may_be_sent_as(store):
    """Every kind of content that the document lists is taken, and a refusal names each of them."""
    kinds = document()["paths"]["/api/v1/jobs"]["post"]["requestBody"]["content"]
    with Visitor(store) as visitor:
        statuses = {visitor.post(trace_file(), {"content-type": kind}, path=JOBS)[0] for kind in kinds}
        refused = visitor.post(b"{}", {"content-type": "image/png"}, path=JOBS)

    assert statuses == {200, 201}
    assert [kind for kind in kinds if kind not in refused[1]["error"]] == []
    assert {"application/x-tar", "text/plain"} <= kinds.keys()


@one_engine
def test_every_route_is_described_and_every_description_is_a_route(store):
    """Paths and methods of the document are those of the routes."""
    served = set()
    for route in routes(store, read, read_trace_upload):
        parts = route.routes if isinstance(route, Mount) else [route]
        before = route.path if isinstance(route, Mount) else ""
        for part in parts:
            path = (before + part.path).replace(":int", "")
            served |= {(path, method) for method in (part.methods or {"GET"}) - {"HEAD"}}
    described = {
        (path, method.upper()) for path, methods in document()["paths"].items() for method in methods
    }

    assert served == described


@one_engine
def test_answers_are_as_described(store, monkeypatch):
    """What the routes answer, refusals too, has the schema that the document states."""
    monkeypatch.delenv("WIRESPEED_API_TOKEN", raising=False)
    monkeypatch.delenv("WIRESPEED_API_TOKEN_FILE", raising=False)
    described = document()
    with Visitor(store) as visitor:
        asked = [
            (
                "POST",
                "/api/v1/runs",
                "/api/v1/runs",
                {"content": log(), "headers": {"content-type": "text/plain"}},
            ),
            (
                "POST",
                "/api/v1/runs",
                "/api/v1/runs",
                {"content": log(), "headers": {"content-type": "text/plain"}},
            ),
            ("POST", "/api/v1/runs", "/api/v1/runs", {"content": b"nothing"}),
            ("GET", "/api/v1/runs", "/api/v1/runs", {}),
            ("GET", "/api/v1/runs", "/api/v1/runs?limit=x", {}),
            ("GET", "/api/v1/runs/{number}", "/api/v1/runs/1", {}),
            ("GET", "/api/v1/runs/{number}", "/api/v1/runs/99", {}),
            ("POST", "/api/v1/jobs", "/api/v1/jobs", {"content": trace_file(), "headers": ZIP}),
            ("POST", "/api/v1/jobs", "/api/v1/jobs", {"content": b"nothing"}),
            ("GET", "/api/v1/jobs", "/api/v1/jobs", {}),
            ("GET", "/api/v1/jobs/{number}", "/api/v1/jobs/1", {}),
            ("GET", "/api/v1/jobs/{number}", "/api/v1/jobs/99", {}),
            ("GET", "/healthz", "/healthz", {}),
            ("GET", "/readyz", "/readyz", {}),
            ("GET", "/probe.pyz", "/probe.pyz", {}),
            ("GET", "/api/v1/openapi.json", "/api/v1/openapi.json", {}),
        ]
        statuses = []
        for method, path, address, options in asked:
            answer = visitor.ask(method, address, **options)
            stated = described["paths"][path][method.lower()]["responses"][str(answer.status_code)]
            schema = {
                "components": described["components"],
                **stated["content"]["application/json"]["schema"],
            }
            errors = [error.message for error in openapi.answering(schema).iter_errors(answer.json())]
            assert errors == [], (address, answer.status_code)
            statuses.append(answer.status_code)
    assert statuses == [201, 200, 400, 200, 400, 200, 404, 201, 400, 200, 200, 404, 200, 200, 404, 200]
