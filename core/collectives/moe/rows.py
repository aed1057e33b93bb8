"""MoE dispatches and combines as rows of ``predict``: cells in, the cells of their answers out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.catalog.calibrations.moe_kernels import CHANGED
from core.checks import Floats, InputError, choice, count, number
from core.collectives.cost_model import Point, Setting, predict
from core.collectives.cost_model.columns import ALGORITHM, ASKED_ALGORITHM, in_columns, row_setting
from core.collectives.cost_model.table import cells_of
from core.collectives.formulas.columns import FIGURES
from core.collectives.moe.price import AllToAll, formatted, priced_exchange
from core.collectives.moe.question import (
    ALL_TO_ALL,
    AUTO,
    COLLECTIVES,
    LIBRARIES,
    MoeExchange,
    checked_tokens,
)
from core.collectives.pricing import PricedSizes
from core.provenance import Source

SHORT_NAMES = {"dispatch": "moe_dispatch", "combine": "moe_combine"}
OTHERS = ("implementation", "dtype", ALGORITHM)
"""Columns that say something else of an exchange, or nothing: the all-to-all in its place takes the usual."""
SAME_SIZE = 0.05
"""Up to this difference a size says the same as the tokens beside it; scales of FP8 are 3 %."""
LOW_LATENCY = "low-latency"
FORMAT_NAMES = {
    **dict.fromkeys(("fp8", "e4m3", "float8"), "fp8"),
    **dict.fromkeys(("bf16", "fp16", "half", "bfloat16", "float16"), "bf16"),
    **dict.fromkeys(("nvfp4", "fp4"), "nvfp4"),
}
STAGED = {"": False, "kernel": False, "kernel only": False, "tensor": True, "torch": True}


@dataclass(frozen=True, slots=True)
class ExchangeRows:
    """The rows of ``predict`` that exchange tokens."""

    def answers(self, collective: str) -> bool:
        """Whether a cell of the column ``collective`` names a dispatch or combine."""
        return names_exchange(collective)

    def cells(self, row: Mapping[str, str], points: tuple[Point, ...]) -> list[str]:
        """The cells of the answer; all but the last empty where there is none."""
        try:
            prices = row_prices(row, points)
        except InputError as problem:
            return ["", "", "", "", f"error: {problem}"]
        time_s, low_s, high_s = (float(item[0]) for item in (prices.time_s, prices.low_s, prices.high_s))
        return cells_of(time_s, low_s, high_s, str(prices.algorithms[0]), prices.basis)


def names_exchange(collective: str) -> bool:
    """Whether a cell of the column ``collective`` names a dispatch or combine."""
    return collective.strip() in SHORT_NAMES or collective.strip() in COLLECTIVES


def row_prices(cells: Mapping[str, str], points: tuple[Point, ...] = ()) -> PricedSizes:
    """
    The price of one row.

    Raises:
        InputError: What is wrong with it, in the names of the columns.
    """
    said = {name: text.strip() for name, text in cells.items() if text and text.strip()}
    try:
        setting = row_setting({**said, **dict.fromkeys(OTHERS), "collective": "all_to_all"})
        exchange = formatted(setting, _exchange(said))
        tokens = np.array([_tokens(said, exchange)])
        return priced_exchange(setting, exchange, tokens, _all_to_all(setting, points)).prices
    except InputError as problem:
        raise InputError(in_columns(problem).replace("token_format", "dtype")) from None


def _all_to_all(setting: Setting, points: tuple[Point, ...]) -> AllToAll:
    def price(sizes: Floats) -> PricedSizes:
        answer = predict(setting, sizes, points)
        return PricedSizes(
            size_bytes=answer.size_bytes,
            **{name: getattr(answer, name) for name in FIGURES},
            algorithms=answer.labels(),
            basis=answer.basis,
            warnings=answer.warnings,
            sources=tuple(Source(text, text, "calibration of the cost model") for text in answer.sources),
        )

    return price


def _exchange(said: Mapping[str, str]) -> MoeExchange:
    name = said["collective"]
    if ASKED_ALGORITHM in said:
        message = f"{ASKED_ALGORITHM}: of other collectives, not of {name}"
        raise InputError(message)
    usual = MoeExchange(collective=SHORT_NAMES.get(name, name))
    library = library_named(said.get("library") or said.get("implementation", AUTO), said.get("mode", ""))
    return replace(
        usual,
        library=library,
        library_version=said.get("library_version") if library in (AUTO, *CHANGED) else None,
        hidden=_count(said, "hidden", usual.hidden),
        topk=_count(said, "topk", usual.topk),
        experts=_count(said, "experts", usual.experts),
        sms=_count(said, "sms", 1) if "sms" in said else None,
        routing=said.get("routing", usual.routing),
        token_format=_format(said),
        staged=STAGED[choice("api", said.get("api", ""), STAGED)],
    )


def library_named(text: str, mode: str = "") -> str:
    """
    A library by its own id or as papers write it, such as ``DeepEP V2``, ``low latency`` its mode.

    Raises:
        InputError: None of that name; the message lists those there are.
    """
    words = text.lower().partition("(")[0].split()
    name = "-".join(words).replace("-v1", "")
    if name in ("nccl", "rccl", "nccl-all-to-all"):
        name = ALL_TO_ALL
    if "-".join(mode.lower().split()) == LOW_LATENCY and f"{name}-{LOW_LATENCY}" in LIBRARIES:
        name = f"{name}-{LOW_LATENCY}"
    if name not in (AUTO, *LIBRARIES):
        message = f"library: one of {', '.join((AUTO, *LIBRARIES))}, not {text!r}"
        raise InputError(message)
    return name


def _format(said: Mapping[str, str]) -> str | None:
    if "dtype" not in said:
        return None
    return FORMAT_NAMES[choice("dtype", said["dtype"].lower(), FORMAT_NAMES)]


def _tokens(said: Mapping[str, str], exchange: MoeExchange) -> float:
    """Tokens of a GPU, or the size over what one takes."""
    sized = None
    if "size_bytes" in said:
        size = number("size_bytes", _real("size_bytes", said["size_bytes"]), least=0)
        sized = checked_tokens(size / exchange.token_bytes)
    if "tokens" in said:
        tokens = checked_tokens(_real("tokens", said["tokens"]))
        if sized is not None and abs(sized - tokens) > SAME_SIZE * tokens:
            message = f"tokens: or size_bytes of them all, not both: {sized:g} tokens are of that size"
            raise InputError(message)
        return tokens
    if sized is not None:
        return sized
    message = "tokens: of one GPU, or size_bytes of them all"
    raise InputError(message)


def _count(said: Mapping[str, str], name: str, usual: int) -> int:
    return count(name, _real(name, said[name])) if name in said else usual


def _real(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        message = f"{name}: a number, not {text!r}"
        raise InputError(message) from None
