"""Reference of the HTTP interface, made from the OpenAPI document that the server answers with."""

import json
from collections.abc import Iterator
from typing import Any

from pages.http.ask.openapi import document

CALCULATOR, INPUTS, ANSWER = "ask-", "Inputs", "Answer"

OPENING = """# HTTP

The server answers on the same port as the pages. This page is made from the OpenAPI 3.1 document that
it serves at `/api/v1/openapi.json`. With a token set on the server (`WIRESPEED_API_TOKEN`) requests carry
`Authorization: Bearer TOKEN`; without one only programs on its own machine are let in.

```sh
curl --data-binary @nccl.log -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:8501/api/v1/runs?file=nccl.log"
curl --data-binary @traces.zip -H "Content-Type: application/zip" -H "Authorization: Bearer $TOKEN" \\
  "http://127.0.0.1:8501/api/v1/jobs?file=traces.zip"
curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:8501/api/v1/runs?operation=all_reduce&limit=10"
```

The calculators below `/api/v1/ask` need no token: they read nothing that is stored. The how-to
[Ask from another program](../howto/ask-from-another-program.md) shows them at work.
"""


def reference() -> str:
    """The page in Markdown: a section for each operation, then the schemas."""
    described = document()
    schemas = described["components"]["schemas"]
    return "\n".join([OPENING, *_operations(described["paths"], schemas), *_schemas(schemas)]) + "\n"


def _operations(paths: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    for path, methods in paths.items():
        for method, operation in methods.items():
            yield f"## {method.upper()} {path}\n\n{operation['summary']}\n"
            if operation.get("parameters"):
                yield "| parameter | in | meaning |\n|---|---|---|"
                yield from (
                    f"| `{part['name']}` | {part['in']} | {part.get('description', 'number of the run')} |"
                    for part in operation["parameters"]
                )
                yield ""
            yield from _inputs(operation, schemas)
            yield "| status | means | answers |\n|---|---|---|"
            yield from (_answer(status, answer) for status, answer in operation["responses"].items())
            yield ""


def _answer(status: str, answer: dict[str, Any]) -> str:
    kind, content = next(iter(answer["content"].items()))
    name = content["schema"].get("$ref", "").rsplit("/", 1)[-1]
    shown = f"[{name}](#{name.lower()})" if name else f"`{kind}`"
    shown = "the keys above" if name.endswith(ANSWER) else shown
    return f"| {status} | {answer['description']} | {shown} |"


def _inputs(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """The fields that a calculator takes, and the keys of its answer; nothing for other operations."""
    calculator = operation["operationId"].removeprefix(CALCULATOR)
    name = "".join(word.capitalize() for word in calculator.split("-"))
    if calculator == operation["operationId"]:
        return
    yield "| field | values | meaning |\n|---|---|---|"
    for field, schema in schemas[f"{name}{INPUTS}"]["properties"].items():
        yield f"| `{field}` | {_values(schema)} | {_cell(schema.get('description', ''))} |"
    keys = ", ".join(f"`{key}`" for key in schemas[f"{name}{ANSWER}"]["properties"])
    yield f"\nAnswers {keys}.\n"


def _values(schema: dict[str, Any]) -> str:
    """Types or words of a field."""
    if "enum" in schema:
        return _cell(", ".join(schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_values(choice) for choice in schema["anyOf"]))
    kinds = schema["type"]
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _schemas(schemas: dict[str, Any]) -> Iterator[str]:
    shown = {name: item for name, item in schemas.items() if not name.endswith((INPUTS, ANSWER))}
    for name, schema in shown.items():
        yield f"## {name}\n\n```json\n{json.dumps(schema, indent=2)}\n```\n"
