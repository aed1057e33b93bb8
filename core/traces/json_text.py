"""JSON of a bounded size, as plain values or one line why not."""

import json
import math
import re
from typing import Any

from core.errors import InputError
from core.traces.unpacking import Source

JSON_MOST_BYTES = 100_000_000
SHAPES_DEEP_MOST = 4
SHAPES_MOST = 20_000
SIZES_MOST = 64
VALUES_MOST = 2_000_000
INTEGER_MOST = 2**63
_BETWEEN = re.compile(r"[\s,]*")
_LIST = re.compile(rb"\[\s*[\[{\]]")

Json = dict[str, Any]


def is_list(start: bytes) -> bool:
    """Whether a file that begins so is a JSON list; a log may begin with a bracket around a time."""
    return _LIST.match(start) is not None


def parsed(text: str | bytes, name: str) -> Any:
    """
    The value of a JSON text.

    Raises:
        InputError: It is no JSON, or nested too deep.
    """
    try:
        return json.loads(
            text if isinstance(text, str) else text.decode("utf-8-sig", "replace"), strict=False
        )
    except RecursionError as problem:
        message = f"{name}: JSON nested too deep"
        raise InputError(message) from problem
    except ValueError as problem:
        message = f"{name}: not JSON, or cut short"
        raise InputError(message) from problem


def concatenated(text: str | bytes, name: str) -> list[Any]:
    """
    The values of JSON texts one behind the other, with or without blanks and commas between them.

    Raises:
        InputError: As ``parsed``, of any of them.
    """
    plain = text if isinstance(text, str) else text.decode("utf-8-sig", "replace")
    read, values, place = json.JSONDecoder(strict=False).raw_decode, [], _BETWEEN.match(plain, 0)
    try:
        while place is not None and place.end() < len(plain):
            value, end = read(plain, place.end())
            values.append(value)
            if len(values) > VALUES_MOST:
                message = f"{name}: more than {VALUES_MOST // 1_000_000} million JSON texts"
                raise InputError(message)
            place = _BETWEEN.match(plain, end)
    except RecursionError as problem:
        message = f"{name}: JSON nested too deep"
        raise InputError(message) from problem
    except ValueError as problem:
        message = f"{name}: not JSON, or cut short"
        raise InputError(message) from problem
    return values


def load(source: Source, most_bytes: int = JSON_MOST_BYTES) -> Any:
    """The value of a whole JSON file; as ``parsed``."""
    return parsed(source.whole(most_bytes), source.name)


def mapping(value: Any) -> Json:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def entries(value: Any) -> list[Json]:
    """The objects of a list; nothing of anything else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def integer(value: Any, default: int = -1) -> int:
    """A whole number of 64 bits, also as text; the default for anything else."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return default
    return number if abs(number) < INTEGER_MOST else default


def number(value: Any, default: float = float("nan")) -> float:
    """A finite number, also as text; the default for anything else."""
    try:
        told = float(value)
    except (TypeError, ValueError, OverflowError):
        return default
    return told if math.isfinite(told) else default


def text(value: Any, most: int = 400) -> str:
    """A text of bounded length, also of a whole number of 64 bits; empty for anything that is none."""
    if isinstance(value, str):
        return value[:most]
    return str(value) if isinstance(value, int) and abs(value) < INTEGER_MOST else ""


def ranks(value: Any) -> tuple[int, ...] | None:
    """Ranks from a list or its text, as ``"[0, 1]"``; None where they are not all written."""
    if isinstance(value, str):
        inner = value.strip().removeprefix("[").removesuffix("]")
        if not inner.strip():
            return None
        value = [part.strip() for part in inner.split(",")]
    if not isinstance(value, list) or not value or len(value) > 10**6:
        return None
    whole = tuple(integer(part) for part in value)
    return whole if min(whole) >= 0 else None


def elements(shape: Any) -> int:
    """Elements of a recorded shape, or of all tensors in a nested list of shapes; -1 where it tells none."""
    total, waiting, seen = 0, [(shape, 0)], 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if not isinstance(part, list) or not part or depth > SHAPES_DEEP_MOST or seen > SHAPES_MOST:
            return -1
        if isinstance(part[0], list):
            waiting += [(inner, depth + 1) for inner in part[:SHAPES_MOST]]
            continue
        product = 1
        for size in part[:SIZES_MOST]:
            product = min(product * max(integer(size, 0), 0), 10**18)
        total += product
    return total
