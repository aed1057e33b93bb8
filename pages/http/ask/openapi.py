"""The whole HTTP interface as one OpenAPI 3.1 document: the store's, and a path for each calculator."""

import json
from pathlib import Path
from typing import Any

from core.shell import call
from db import openapi
from pages.http.ask.routes import MOST_BYTES, PATH

Json = dict[str, Any]
ANSWERS = Path(__file__).with_name("answers.json")
"""JSON Schema of each answer, written by ``python -m tools.answers``."""
_REASONS = {
    400: "A field that is unknown or cannot be used; `error` begins with its name.",
    413: f"More than {MOST_BYTES // 1_000_000} MB, unpacked.",
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
    return {f"/api{PATH}": {"get": calculators}} | each


def _operation(name: str) -> Json:
    text = call.sentence(name)
    refused = {str(status): _content(reason, "Error") for status, reason in _REASONS.items()}
    refused["429"]["headers"] = {"Retry-After": {"schema": {"type": "integer", "minimum": 1}}}
    return {
        "operationId": f"ask-{name}",
        "summary": f"{text[:1].upper()}{text[1:]}.",
        "description": f"What `python -m core {name} --json` prints; options by name with `_` for `-`.",
        "security": [],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _ref(f"{_title(name)}Inputs")}},
        },
        "responses": {"200": _content("The answer, in SI units.", f"{_title(name)}Answer"), **refused},
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
