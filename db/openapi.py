"""The HTTP interface as an OpenAPI 3.1 document, made from the records that the handlers answer with."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from core.version import VERSION
from db.job_api import KINDS
from db.records import JobRow, RunRow

Json = dict[str, Any]
_NOT_SHOWN = {"deleted_at"}
_PLAIN: Mapping[Any, Json] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}
_TEXT: Json = {"type": "string"}
_REASONS = {
    400: "A value or a body that cannot be used.",
    401: "A token is needed and the request has none that works.",
    403: "The role does not reach so far; or the server has no token and the request is from elsewhere.",
    404: "There is no such run, job or project that the token sees.",
    413: "More than WIRESPEED_MAX_UPLOAD_MB, unpacked.",
    415: "Another Content-Type or Content-Encoding.",
    429: "Too many wrong tokens from this address, or requests with this one; see `Retry-After`.",
    503: "The database does not answer or its schema is not the program's.",
}
_FILTERS = {
    "cursor": "`next` of the page before.",
    "limit": "Runs of a page, 50 where it is not given.",
    "gpu": "Part of a GPU's name.",
    "operation": "An operation of the run, such as `all_reduce`.",
    "since": "Only runs measured at or after this date or time (ISO 8601).",
    "tag": "A tag of the run.",
    "project": "Only runs of this project, or of `everyone`.",
}
_SAID = {
    "file": "Name of the log.",
    "tags": "Tags, separated by commas.",
    "note": "A note, kept with the run.",
    "project": "Whose members alone see the runs; without it everyone, or the token's project.",
}


_JOB_FILTERS = ("cursor", "limit", "project")
_JOB_SAID = ("file", "note", "project")
_NUMBER: Json = {
    "name": "number",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 0},
}


def document() -> Json:
    """The whole document; its paths are those of ``db.api.routes``."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Wirespeed",
            "version": VERSION,
            "summary": "Stored measurements and jobs, and whether the server is well.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": _run_paths() | _job_paths() | _server_paths(),
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": (
                        "A personal token (`wsp_...`, made on the page Access) or WIRESPEED_API_TOKEN; "
                        "a server without sign-in and tokens answers its own machine alone."
                    ),
                }
            },
            "schemas": _schemas(),
        },
    }


def _run_paths() -> Json:
    upload = {"schema": {"type": "string", "contentMediaType": "text/plain"}}
    run_file = {"schema": _ref("RunFile")}
    return {
        "/api/v1/runs": {
            "post": _operation(
                "upload",
                "Keep the runs of a run file or of a tool's output, each once; gzip is taken.",
                {200: ("Every run was there.", _ref("Kept")), 201: ("A run is new.", _ref("Kept"))},
                refused=(400, 401, 403, 404, 413, 415, 429, 503),
                parameters=_query(_SAID),
                requestBody={
                    "required": True,
                    "content": {"text/plain": upload, "application/json": run_file},
                },
            ),
            "get": _operation(
                "list",
                "Runs, newest first, a page at a time.",
                {200: ("A page of runs.", _ref("Page"))},
                refused=(400, 401, 403, 429, 503),
                parameters=_query(_FILTERS),
            ),
        },
        "/api/v1/runs/{number}": {
            "get": _operation(
                "run",
                "One run as a run file, as it can be uploaded elsewhere.",
                {200: ("The run file.", _ref("RunFile"))},
                refused=(401, 403, 404, 429, 503),
                parameters=[_NUMBER],
            )
        },
    }


def _job_paths() -> Json:
    binary = {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
    said = {name: _SAID[name].replace("runs", "job").replace("run", "job") for name in _JOB_SAID}
    return {
        "/api/v1/jobs": {
            "post": _operation(
                "upload-job",
                "Keep the collectives of a job, once, from a trace, an archive of one a rank, or a job file.",
                {200: ("The job was there.", _ref("KeptJob")), 201: ("It is new.", _ref("KeptJob"))},
                refused=(400, 401, 403, 404, 413, 415, 429, 503),
                parameters=_query(said),
                requestBody={"required": True, "content": dict.fromkeys(KINDS, binary)},
            ),
            "get": _operation(
                "list-jobs",
                "Jobs, newest first, a page at a time.",
                {200: ("A page of jobs.", _ref("JobPage"))},
                refused=(400, 401, 403, 429, 503),
                parameters=_query(
                    {
                        name: _FILTERS[name].replace("Runs", "Jobs").replace("runs", "jobs")
                        for name in _JOB_FILTERS
                    }
                ),
            ),
        },
        "/api/v1/jobs/{number}": {
            "get": _operation(
                "job",
                "One job as a job file, as it can be uploaded elsewhere.",
                {200: ("The job file.", _ref("JobFile"))},
                refused=(400, 401, 403, 404, 429, 503),
                parameters=[_NUMBER],
            )
        },
    }


def _server_paths() -> Json:
    status = _object({"status": _TEXT, "version": _TEXT, "reason": _TEXT}, ("status",))
    ready = _operation("ready", "Can runs be kept and read?", {200: ("Yes.", status)})
    ready["responses"]["503"] = _content("Not now; `reason` says why.", status)
    alive = _operation("health", "Does the process answer?", {200: ("Yes.", status)})
    program = {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
    probe = _operation(
        "probe", "The probe for GPU nodes as one file.", {200: ("The file.", {})}, refused=(404,)
    )
    probe["responses"]["200"]["content"] = {"application/octet-stream": program}
    described = _operation("openapi", "This document.", {200: ("OpenAPI 3.1.", {"type": "object"})})
    return {
        "/healthz": {"get": alive | {"security": []}},
        "/readyz": {"get": ready | {"security": []}},
        "/probe.pyz": {"get": probe | {"security": []}},
        "/api/v1/openapi.json": {"get": described | {"security": []}},
    }


def _schemas() -> Json:
    run, job = (
        _object(_columns(kind) | {"url": _TEXT}, (*_columns(kind), "url")) for kind in (RunRow, JobRow)
    )
    kept = {"id": {"type": "integer"}, "url": _TEXT, "new": {"type": "boolean"}}
    why = "Present where it was deleted and only who kept it, or an admin, may restore it."
    deleted = {"deleted": {"type": "boolean", "description": why}}
    page = {"next": {"type": ["string", "null"]}}
    return {
        "Run": run,
        "Job": job,
        "JobPage": _object({"jobs": _list(_ref("Job"))} | page, ("jobs", "next")),
        "KeptJob": _object(kept | deleted, tuple(kept)),
        "JobFile": _object({"wirespeed_job": {"const": 1}, "ranks": _list({"type": "object"})}, ("ranks",)),
        "Page": _object({"runs": _list(_ref("Run"))} | page, ("runs", "next")),
        "Kept": _object(
            {"id": {"type": "integer"}, "url": _TEXT, "runs": _list(_object(kept | deleted, tuple(kept)))},
            ("id", "url", "runs"),
        ),
        "RunFile": _object(
            {"format_version": {"const": 1}, "runs": _list({"type": "object"})}, ("format_version",)
        ),
        "Error": _object({"error": _TEXT, "line": {"type": ["integer", "null"]}}, ("error", "line")),
    }


def _columns(kind: type[RunRow | JobRow]) -> Json:
    hints = get_type_hints(kind)
    return {field.name: _type(hints[field.name]) for field in fields(kind) if field.name not in _NOT_SHOWN}


def _type(hint: Any) -> Json:
    if get_origin(hint) is UnionType:
        kinds = [_type(kind) for kind in get_args(hint)]
        merged: Json = {}
        for kind in kinds:
            merged |= kind
        return merged | {"type": [kind["type"] for kind in kinds]}
    return _list(_type(get_args(hint)[0])) if get_origin(hint) is tuple else dict(_PLAIN[hint])


def _operation(
    name: str,
    summary: str,
    answers: Mapping[int, tuple[str, Json]],
    refused: tuple[int, ...] = (),
    **more: Any,
) -> Json:
    responses = {str(status): _content(text, schema) for status, (text, schema) in answers.items()}
    responses |= {str(status): _content(_REASONS[status], _ref("Error")) for status in refused}
    return {
        "operationId": name,
        "summary": summary,
        "security": [{"token": []}, {}],
        **more,
        "responses": responses,
    }


def _content(text: str, schema: Json) -> Json:
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _query(names: Mapping[str, str]) -> list[Json]:
    return [
        {"name": name, "in": "query", "description": text, "schema": _TEXT} for name, text in names.items()
    ]


def _object(properties: Json, required: tuple[str, ...]) -> Json:
    return {"type": "object", "properties": properties, "required": list(required)}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}
