"""The whole HTTP interface as one OpenAPI 3.1 document: the store's, and a path for each calculator."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.shell import call
from db import openapi
from pages.http.ask import accept, check
from pages.http.ask.routes import PATH, most_bytes

Json = dict[str, Any]
ANSWERS = Path(__file__).with_name("answers.json")
"""JSON Schema of each answer, written by ``python -m tools.answers``."""
_REASONS = {
    400: "A field that is unknown or cannot be used; `error` begins with its name.",
    415: "Another Content-Type or Content-Encoding.",
    429: "Too many questions of this address in a minute; `Retry-After` says for how long.",
    503: "No answer within the time limit.",
}


def document() -> Json:
    """The document that the server answers with at ``/api/v1/openapi.json``."""
    described = openapi.document()
    described["info"]["summary"] = "Stored measurements, calculators, and whether the server is well."
    described["paths"] |= _paths()
    schemas = described["components"]["schemas"]
    schemas["Error"]["properties"]["field"] = {"type": ["string", "null"]}
    schemas["Calculators"] = _list_schema()
    for name in call.names():
        schemas[f"{_title(name)}Inputs"] = call.inputs(name)
    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    schemas |= {f"{_title(name)}Answer": answers[name] for name in call.names()}
    return described


def _paths() -> Json:
    each = {f"/api{PATH}/{name}": {"post": _operation(name)} for name in call.names()}
    calculators = {
        "operationId": "calculators",
        "summary": "The calculators, each with a sentence and the JSON Schema of its inputs.",
        "security": [],
        "responses": {"200": _content("The calculators.", "Calculators")},
    }
    logs = {f"/api{check.PATH}": {"post": _check()}, f"/api{accept.PATH}": {"post": _accept()}}
    return {f"/api{PATH}": {"get": calculators}} | logs | each


def _check() -> Json:
    """The verdict on a log: its parameters stand after ``?``, the log is the body."""
    told = {
        "type": ["string", "null"],
        "description": "How the log told its system, and what was assumed; null where the question names it.",
    }
    report = {
        "type": "object",
        "properties": {"system_from": told},
        "required": ["verdict", "headline", "reason", "text", "causes", "sizes"],
    }
    answer = {
        "type": "object",
        "properties": {"runs": {"type": "array", "items": report}},
        "required": ["runs"],
    }
    return {
        "operationId": "check",
        "summary": "Is my number OK? The verdict on each run of a log, with its likely causes.",
        "description": "What `python -m gpu_probe check --json` prints of the log in the body; nothing is kept.",
        "security": [],
        "parameters": _in_query(check.PARAMETERS),
        "requestBody": {
            "required": True,
            "content": {
                "text/plain": {"schema": {"type": "string"}},
                "application/json": {"schema": _ref("RunFile")},
            },
        },
        "responses": {
            "200": {"description": "The verdicts.", "content": {"application/json": {"schema": answer}}},
            **_refused(check.MOST_BYTES, (400, 415, 429, 503)),
        },
    }


def _accept() -> Json:
    """The page on many logs of a cluster, which stand in the body."""
    answer = {
        "type": "object",
        "properties": {"runs": {"type": "array", "items": {"type": "object"}}},
        "required": ["counts", "weak_nodes", "weak_links", "unexplained", "swap", "runs", "unread"],
    }
    return {
        "operationId": "accept",
        "summary": "Is my cluster OK? Weak nodes, weak links and what to swap, from many logs.",
        "description": "What `python -m gpu_probe accept --json` prints of the logs; nothing is kept.",
        "security": [],
        "parameters": _in_query(accept.PARAMETERS),
        "requestBody": {"required": True, "content": {"application/json": {"schema": accept.BODY}}},
        "responses": {
            "200": {"description": "The page.", "content": {"application/json": {"schema": answer}}},
            **_refused(check.MOST_BYTES, (400, 415, 429, 503)),
        },
    }


def _in_query(parameters: Json) -> list[Json]:
    return [
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in parameters.items()
    ]


def _refused(most_bytes: int, statuses: Iterable[int]) -> Json:
    """The answers to what is not taken: 413 and these."""
    refused = {str(status): _content(_REASONS[status], "Error") for status in statuses}
    refused["413"] = _content(
        f"More than {most_bytes // 1_000_000} MB, unpacked, or more than one request may ask.", "Error"
    )
    refused["429"]["headers"] = {"Retry-After": {"schema": {"type": "integer", "minimum": 1}}}
    return refused


def _operation(name: str) -> Json:
    text = call.sentence(name)
    return {
        "operationId": f"ask-{name}",
        "summary": f"{text[:1].upper()}{text[1:]}.",
        "description": f"What `python -m core {name} --json` prints; options by name with `_` for `-`.",
        "security": [],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _ref(f"{_title(name)}Inputs")}},
        },
        "responses": {
            "200": _content("The answer, in SI units.", f"{_title(name)}Answer"),
            **_refused(most_bytes(name), _REASONS),
        },
    }


def _list_schema() -> Json:
    entry = {"name": {"type": "string"}, "summary": {"type": "string"}, "inputs": {"type": "object"}}
    item = {"type": "object", "properties": entry, "required": list(entry)}
    return {
        "type": "object",
        "properties": {"calculators": {"type": "array", "items": item}},
        "required": ["calculators"],
    }


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _content(text: str, schema: str) -> Json:
    return {"description": text, "content": {"application/json": {"schema": _ref(schema)}}}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}
