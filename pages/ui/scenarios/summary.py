"""A comparison of up to four answers in words, figures and tables."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.calculators.comparison import Comparison, Explanation, Figure, compare
from core.calculators.comparison.explanation import BYTES, SECONDS, Quantity
from core.calculators.comparison.memory import REQUESTS
from core.calculators.comparison.tensor_parallel import PER_TOKEN
from pages.ui.scenarios import shell_line
from pages.ui.scenarios.scale import Scale, scale
from pages.ui.scenarios.sides import Side
from pages.ui.scenarios.terms import because, label
from pages.ui.shared import answer, names, record, tables
from pages.ui.shared.answer import Headline
from pages.ui.shared.document import wording
from pages.ui.shared.messages import plain, strong

ROUND = 100
"""Totals from here on are told to one decimal, so that the terms add up as they are read."""
ONE_LINE, TWO_LINES, LONG_REASON = 36, 66, 72
"""Pixels of a row whose reason takes a line or two, and characters from which on it takes two."""
SAME = 1.005
"""Below this ratio two totals are the same to three digits."""
PER_GPU = "Tokens/s per GPU"


def against(base: Side, other: Side, quantity: str) -> Comparison:
    """A quantity of a side against that of the base."""
    return compare(base.explained, other.explained, quantity)


def common(sides: Sequence[Side]) -> list[str]:
    """The quantities that every side has, the main one first."""
    return [
        quantity.name
        for quantity in sides[0].explained.quantities
        if all(side.explained.quantity(quantity.name) is not None for side in sides)
    ]


def unit(sides: Sequence[Side], quantity: str) -> Scale:
    """The unit of a quantity that every side has."""
    items = [item for side in sides if (item := side.explained.quantity(quantity)) is not None]
    return scale(items[0].unit, [item.total for item in items])


def best(sides: Sequence[Side]) -> Side:
    """The side with the least of the main quantity."""
    name = common(sides)[0]
    return min(sides, key=lambda side: _of(side, name).total)


def headline(sides: Sequence[Side], other: Side | None) -> Headline:
    """Which of two sides is better and by how much, the term that makes most of it, and what costs least."""
    base = sides[0]
    if other is None:
        text = f"{base.explained.subject}: {base.explained.main.noun} {base.explained.main.text}."
        return Headline(text, "One scenario: choose another one to compare it with.")
    name = common(sides)[0]
    comparison = against(base, other, name)
    text = f"{_result(base, other, name)}: {_totals(sides, name)}."
    return Headline(text, _largest(comparison), _choices(sides))


def note(sides: Sequence[Side]) -> str:
    """The rates chosen, and that the numbers are of today's model."""
    rates = dict.fromkeys(side.explained.work["rates"] for side in sides if "rates" in side.explained.work)
    chosen = f"Rates chosen: {', '.join(rates)}. " if rates else ""
    return f"{chosen}Answered now, by the model of today."


def _of(side: Side, name: str) -> Quantity:
    """A quantity that the side has."""
    return next(item for item in side.explained.quantities if item.name == name)


def _result(base: Side, other: Side, name: str) -> str:
    """The other side against the base in a few words."""
    a, b = _of(base, name).total, _of(other, name).total
    if _same(a, b):
        return f"{other.letter} and {base.letter} are the same within 0.5 %"
    if min(a, b) <= 0:
        return f"{other.letter if b < a else base.letter} has none of it"
    unit = _of(base, name).unit
    if unit == SECONDS:
        if b < a:
            return f"{other.letter} is {a / b:.2f}× as fast as {base.letter}"
        return f"{other.letter} takes {b / a:.2f}× as long as {base.letter}"
    verb = "takes" if unit == BYTES else "costs"
    return f"{other.letter} {verb} {b / a:.2f}× as much as {base.letter}"


def _same(a: float, b: float) -> bool:
    """Whether two totals differ by less than three digits show."""
    low, high = sorted((abs(a), abs(b)))
    return high == low or (low > 0 and high / low < SAME)


def _totals(sides: Sequence[Side], name: str) -> str:
    texts = ", ".join(f"{side.letter} {_of(side, name).text}" for side in sides)
    return f"{_of(sides[0], name).noun} {texts}"


def _largest(comparison: Comparison) -> str:
    largest = comparison.differences[0] if comparison.differences else None
    if largest is None or largest.change == 0:
        return "No term differs."
    change = answer_text(comparison, largest.change)
    return f"Largest term: {strong(label(largest.name))}, {change}: {because(largest)}."


def answer_text(comparison: Comparison, change: float) -> str:
    """A change with its sign and unit."""
    text = Figure("", abs(change), comparison.base.unit).text
    return f"{'+' if change > 0 else '−'}{text}"


def _choices(sides: Sequence[Side]) -> str:
    """How many requests fit, which side is cheapest per token, and which has most tokens/s per GPU, of those that fit."""
    texts = []
    held = [(side.letter, _figure(side.explained, REQUESTS)) for side in sides]
    if all(figure is not None for _, figure in held):
        each = ", ".join(f"{letter} {figure.text}" for letter, figure in held if figure is not None)
        texts.append(f"concurrent requests that fit: {each}")
    fitting = [side for side in sides if side.explained.fits]
    among = (
        f" of {' and '.join(side.letter for side in fitting)}, which fit" if len(fitting) < len(sides) else ""
    )
    for name, words, sign in ((PER_TOKEN, "cheapest per token", 1), (PER_GPU, "most tokens/s per GPU", -1)):
        if len(fitting) > 1 and (best := _best(fitting, name, sign)):
            texts.append(f"{words}{among}: {best}")
    text = "; ".join(texts)
    return f"{names.sentence(text)}." if text else ""


def _best(sides: Sequence[Side], name: str, sign: int) -> str:
    """The side with the least of a figure times its sign, and the figure; empty where one has none."""
    values = {side.letter: figure for side in sides if (figure := _figure(side.explained, name))}
    if len(values) < len(sides):
        return ""
    letter = min(values, key=lambda letter: sign * values[letter].value)
    return f"{letter} ({values[letter].text})"


def _figure(explained: Explanation, name: str) -> Figure | None:
    return next((figure for figure in explained.figures if figure.name == name), None)


def show(side: Side, base: Side, name: str) -> None:
    """A side's card: what it is about, and its quantity of this name against that of the base."""
    main = _of(side, name)
    if side.link.name:
        st.caption(plain(side.explained.subject))
    a, b = _of(base, name).total, main.total
    if side is base or not a:
        st.metric(main.name, main.text)
    elif _same(a, b):
        st.metric(main.name, main.text, f"as {base.letter}", delta_color="off", delta_arrow="off")
    else:
        delta = f"{100 * (b / a - 1):+.1f} % against {base.letter}"
        st.metric(main.name, main.text, delta, delta_color="inverse")


def unlike(sides: Sequence[Side]) -> None:
    """Say where the questions themselves differ, for all sides in one place."""
    texts = [
        f"Unlike questions, {sides[0].letter} against {side.letter}: {'; '.join(lines)}."
        for side in sides[1:]
        if (lines := compare(sides[0].explained, side.explained).unlike)
    ]
    if texts:
        record.current().warnings.extend(texts)
        st.warning("  \n".join(map(plain, texts)), icon=":material/balance:")


def warnings(sides: Sequence[Side]) -> None:
    """What the questions ask for in vain and the answers warn of, each line with its sides."""
    lines: dict[str, list[str]] = {}
    for side in sides:
        for line in (*side.rejected, *side.explained.warnings):
            lines.setdefault(line, []).append(side.letter)
    for line, letters in lines.items():
        text = f"{', '.join(letters)}: {line}"
        record.current().warnings.append(text)
        st.warning(plain(text), icon=":material/warning:")


def terms(comparison: Comparison, shown: Scale, letters: tuple[str, str]) -> None:
    """Every term as a row; the last row is the sum."""
    a, b = letters
    totals = comparison.base.total / shown.size, comparison.other.total / shown.size
    digits = 3 if max(map(abs, totals)) < ROUND else 1
    rows = [
        (
            label(item.name),
            item.base / shown.size,
            item.other / shown.size,
            _change(item.change / shown.size, digits),
            because(item),
        )
        for item in comparison.differences
    ]
    total = _change(comparison.change / shown.size, digits)
    rows.append(("total", *totals, total, "sum of the terms above"))
    name = shown.unit
    columns = ["term", f"{a} ({name})", f"{b} ({name})", f"{b} − {a} ({name})", "because"]
    signs = ("", "", "+")
    formats: dict[str, object] = {
        name: st.column_config.NumberColumn(format=f"%{sign}.{digits}f", width=110)
        for name, sign in zip(columns[1:4], signs, strict=True)
    }
    formats |= {"term": st.column_config.TextColumn(width=180)}
    frame = pd.DataFrame(rows, columns=columns).astype({columns[3]: float})
    tables.show(
        frame,
        f"Terms of the difference in {comparison.base.noun}",
        formats,
        height="content",
        placeholder="same",
        row_height=TWO_LINES if frame["because"].str.len().max() > LONG_REASON else ONE_LINE,
    )


def _change(value: float, digits: int) -> float | None:
    """None where the digits shown would all be zero."""
    return value if round(value, digits) else None


def figures(sides: Sequence[Side]) -> None:
    """Quantities as rows, sides as columns, and the ratio of each side to the base."""
    base = sides[0]
    names = dict.fromkeys(figure.name for side in sides for figure in numbers(side.explained))
    rows = []
    for name in names:
        values = [
            next((item for item in numbers(side.explained) if item.name == name), None) for side in sides
        ]
        row: dict[str, object] = {"quantity": name}
        row |= {
            side.letter: "–" if value is None else value.text
            for side, value in zip(sides, values, strict=True)
        }
        row |= {
            f"{side.letter} / {base.letter}": _ratio(value, values[0])
            for side, value in zip(sides[1:], values[1:], strict=True)
        }
        rows.append(row)
    formats = {
        f"{side.letter} / {base.letter}": st.column_config.NumberColumn(format="%.3g") for side in sides[1:]
    }
    tables.show(pd.DataFrame(rows), "Figures of all sides", formats, height="content")


def numbers(explained: Explanation) -> list[Figure]:
    """The total of the main quantity, the other figures, then the totals of further quantities."""
    main, *further = (Figure(item.name, item.total, item.unit) for item in explained.quantities)
    return [main, *explained.figures, *further]


def _ratio(value: Figure | None, base: Figure | None) -> float | None:
    return value.value / base.value if value is not None and base is not None and base.value else None


def inputs(sides: Sequence[Side]) -> None:
    """The inputs that differ, then those of all sides."""
    labels = {item.key: item.label for side in sides for item in side.inputs}
    values = {
        key: [
            next((wording.value(item.value) for item in side.inputs if item.key == key), "–")
            for side in sides
        ]
        for key in labels
    }
    different = [key for key, texts in values.items() if len(set(texts)) > 1]
    if different:
        tables.show(_inputs(sides, labels, values, different), "Inputs that differ", height="content")
    elif len(sides) > 1:
        st.caption("No input differs.")
    same = [key for key in values if key not in different]
    with st.expander("Inputs that are the same", icon=":material/tune:"):
        tables.show(_inputs(sides[:1], labels, values, same), "Inputs that are the same", height="content")


def _inputs(
    sides: Sequence[Side], labels: dict[str, str], values: dict[str, list[str]], keys: Sequence[str]
) -> pd.DataFrame:
    header = [side.letter for side in sides] if len(sides) > 1 else ["value"]
    rows = [(labels[key], *values[key][: len(header)]) for key in keys]
    return pd.DataFrame(rows, columns=["input", *header])


def sources(sides: Sequence[Side]) -> None:
    """Assumptions and sources of all sides, and the shell commands of serving steps."""
    with st.expander("Assumptions and sources", icon=":material/functions:"):
        assumptions: dict[str, list[str]] = {}
        for side in sides:
            for line in side.explained.assumptions:
                assumptions.setdefault(line, []).append(side.letter)
        answer.assumptions(f"{', '.join(letters)}: {line}" for line, letters in assumptions.items())
        steps = [side.explained.main.step for side in sides]
        commands = [text for step in steps if step is not None and (text := shell_line.command(step))]
        if commands:
            st.markdown("**The same in a shell**")
            st.code("\n".join(commands), language="bash", wrap_lines=True)
        answer.sources(source for side in sides for source in side.explained.sources)
