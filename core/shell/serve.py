"""``python -m core.shell.serve``: commands called a line of JSON at a time, for a server that may end it."""

import json
import resource
import sys
from contextlib import suppress
from typing import Any

from core.checks import InputError
from core.shell.call import FieldError, answer

MOST_BYTES = 2_000_000_000
"""Address space: an answer takes tens of megabytes."""


def reply(line: str) -> dict[str, Any]:
    """The answer to ``{"name", "values"}``, or the line that says why there is none."""
    question = json.loads(line)
    try:
        return {"answer": answer(question["name"], question["values"])}
    except FieldError as problem:
        return {"error": str(problem), "field": problem.field}
    except InputError as problem:
        return {"error": str(problem), "field": None}


def main() -> None:
    """Answer until the input ends."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(reply(line), allow_nan=False)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
