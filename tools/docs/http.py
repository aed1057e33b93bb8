"""Reference of the HTTP interface, made from the OpenAPI document that the server answers with."""

import json
from collections.abc import Iterator
from typing import Any

from db.openapi import document

OPENING = """# HTTP

The server answers on the same port as the pages. This page is made from the OpenAPI 3.1 document that
it serves at `/api/v1/openapi.json`. With a token set on the server (`WIRESPEED_API_TOKEN`) requests carry
`Authorization: Bearer TOKEN`; without one only programs on its own machine are let in.

```sh
curl --data-binary @nccl.log -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:8501/api/v1/runs?file=nccl.log"
curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:8501/api/v1/runs?operation=all_reduce&limit=10"
```
"""


def reference() -> str:
    """The page in Markdown: a section for each operation, then the schemas."""
    described = document()
    return (
        "\n".join([OPENING, *_operations(described["paths"]), *_schemas(described["components"]["schemas"])])
        + "\n"
    )


def _operations(paths: dict[str, Any]) -> Iterator[str]:
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
            yield "| status | means | answers |\n|---|---|---|"
            yield from (_answer(status, answer) for status, answer in operation["responses"].items())
            yield ""


def _answer(status: str, answer: dict[str, Any]) -> str:
    kind, content = next(iter(answer["content"].items()))
    name = content["schema"].get("$ref", "").rsplit("/", 1)[-1]
    shown = f"[{name}](#{name.lower()})" if name else f"`{kind}`"
    return f"| {status} | {answer['description']} | {shown} |"


def _schemas(schemas: dict[str, Any]) -> Iterator[str]:
    for name, schema in schemas.items():
        yield f"## {name}\n\n```json\n{json.dumps(schema, indent=2)}\n```\n"
