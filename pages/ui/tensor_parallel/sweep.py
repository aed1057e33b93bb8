"""TP page: the sweep over degree, batch, context and system, its question and its grid."""

from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.tensor_parallel import sweep, valid_degrees
from core.catalog import SYSTEMS, visible
from core.checks import InputError
from core.systems import configure
from pages.ui.shared import bound
from pages.ui.shared.messages import plain
from pages.ui.tensor_parallel import small_multiples as multiples

GENERATIONS = ("dgx-a100", "dgx-h100", "dgx-b200", "gb200-nvl72")
DECODE, PREFILL = (1, 4, 16, 64, 256, 1024, 4096), (128, 512, 2048, 8192, 32768)
CONTEXTS = ("1024", "4096", "16384", "32768", "65536", "131072", "1048576")
SHOWN = ("share", "step", "tokens/s per GPU")
MOST_SYSTEMS, MOST_TP = 5, 64
BEST = {
    "share": "the shortest step",
    "step": "the shortest step",
    "tokens/s per GPU": "the most tokens/s per GPU",
}


def question(asked):
    """Which systems and contexts, and what each cell tells."""
    known = visible(SYSTEMS, bool(st.session_state.get("unverified")))
    left, middle, right = st.columns([5, 4, 4])
    with left:
        others = [name for name in GENERATIONS if name != asked.system.id][:3]
        systems = bound.several(
            "Beside this machine",
            "sweep_systems",
            known,
            others,
            help="Link generations: NVLink 3, 4, 5 as shipped.",
        )
    with middle:
        contexts = bound.several("Contexts", "sweep_contexts", CONTEXTS, ["4096", "32768", "131072"])
    with right:
        shown = bound.switch("In each cell", "sweep_shown", SHOWN)
    return tuple(systems)[: MOST_SYSTEMS - 1], tuple(int(one) for one in contexts) or (asked.cached,), shown


def draw(asked, told):
    """The grid with its legend in words."""
    systems, contexts, shown = told
    machines, left_out = _machines(asked, systems)
    tokens = DECODE if asked.phase == "decode" else PREFILL
    grid = _swept(asked, machines, tokens, contexts)
    names = [one.name for one in machines]
    frame = _frame(grid, names, shown)
    if frame.empty:
        st.info("No degree of these machines has an answer.")
        return
    columns = [key for n in range(len(machines)) for key in (*(_column(n, t) for t in tokens), f"gap{n}")][
        :-1
    ]
    degrees = [tp for tp in grid.tp if tp in set(frame["tp"])]
    lines = [key for n in range(len(contexts)) for key in (f"head{n}", *(_line(n, tp) for tp in degrees))]
    titles = _titles(names, tokens, contexts)
    words = f"{_decides(frame)} Cells: TP degree by tokens in a step, a panel for every system and context."
    what = "Sequences in a step" if asked.phase == "decode" else "Prompt tokens in a step"
    multiples.draw(frame, titles, tuple(columns), ("names", *lines), what, words)
    _legend(frame, shown, left_out, grid)


def _machines(asked, systems):
    """This machine first, then the others with as many domains; those that cannot be are named."""
    found, left_out = [asked.system], []
    for name in systems:
        try:
            one = configure(SYSTEMS[name], domains=asked.system.domains)
        except InputError as problem:
            left_out.append(str(problem))
            continue
        if one.id != asked.system.id:
            found.append(one)
    return tuple(found), left_out


@lru_cache(maxsize=32)
def _swept(asked, machines, tokens, contexts):
    most = min(MOST_TP, max(one.gpus for one in machines))
    heads = asked.model.heads or most
    degrees = [n for n in valid_degrees(heads, most) if n & (n - 1) == 0 or n == asked.tp]
    return sweep(asked, machines, degrees, tokens, contexts)


def _frame(grid, names, shown):
    """Every cell that has an answer."""
    shape = grid.step_s.shape
    place = np.indices(shape).reshape(4, -1)
    system, degree, batch, length = place
    frame = pd.DataFrame(
        {
            "column": [_column(n, grid.tokens[t]) for n, t in zip(system, batch, strict=True)],
            "row": [_line(n, grid.tp[d]) for n, d in zip(length, degree, strict=True)],
            "system": [names[n] for n in system],
            "tp": [grid.tp[n] for n in degree],
            "tokens": [grid.tokens[n] for n in batch],
            "context": [grid.context[n] for n in length],
            "binding": grid.binding.ravel(),
            "share": grid.share.ravel(),
            "step_s": grid.step_s.ravel(),
            "per_gpu": grid.tokens_per_s_per_gpu.ravel(),
            "fits": np.where(grid.fits.ravel() > 0, "fits", "does not fit"),
        }
    ).dropna(subset=["step_s"])
    frame["degree"] = "TP" + frame["tp"].astype(str)
    frame["best"] = _best(frame, shown)
    frame["label"] = [_label(row, shown) for row in frame.itertuples()]
    return frame


def _best(frame, shown):
    """The best degree of every column of a panel, among those that fit."""
    able = frame[frame["fits"] == "fits"]
    value = able["per_gpu"] if shown == SHOWN[2] else -able["step_s"]
    keys = [able["system"], able["tokens"], able["context"]]
    chosen = value.groupby(keys).idxmax() if len(able) else []
    return np.where(frame.index.isin(chosen), "yes", "no")


def _label(row, shown):
    if shown == "share":
        return f"{100 * row.share:.0f}"
    return _short(row.per_gpu) if shown == SHOWN[2] else _time(row.step_s)


def _time(seconds):
    for scale, unit in ((1, "s"), (1e-3, "m"), (1e-6, "µ")):
        if seconds >= scale:
            return f"{_digits(seconds / scale)}{unit}"
    return "0"


def _short(value):
    for scale, unit in ((1e6, "M"), (1e3, "k"), (1, "")):
        if value >= scale:
            return f"{_digits(value / scale)}{unit}"
    return f"{value:.1g}"


def _digits(value):
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def _column(number, tokens):
    return f"{number}|{tokens // 1024}k" if tokens >= 1024 else f"{number}|{tokens}"


def _line(number, tp):
    return f"{number}|TP{tp}"


def _titles(names, tokens, contexts):
    rows = [(_column(n, tokens[0]), "names", name) for n, name in enumerate(names)]
    first = _column(0, tokens[0])
    rows += [(first, f"head{n}", f"{value:,} tokens of context") for n, value in enumerate(contexts)]
    return pd.DataFrame(rows, columns=["column", "row", "text"])


def _decides(frame):
    """How often each term decides."""
    counts = frame["binding"].value_counts()
    (first, most), *others = ((name, f"{100 * many / len(frame):.0f} %") for name, many in counts.items())
    rest = "".join(f", {name} {share}" for name, share in others)
    return f"Of {len(frame):,} cells {first} decides {most}{rest}."


def _legend(frame, shown, left_out, grid):
    unit = {
        "share": "percent of a step that communicates",
        "step": "time of a step (m: ms, µ: µs)",
        SHOWN[2]: SHOWN[2],
    }
    st.caption(
        f"Number: {unit[shown]}. Colour: the term that decides. Framed: the degree with {BEST[shown]} that fits. "
        f"Pale: weights and cache do not fit. {_decides(frame)}"
    )
    why = list(
        dict.fromkeys(
            (*left_out, *(text for text in grid.reasons.values() if not text.startswith("tp: at most")))
        )
    )
    if any(text.startswith("tp: at most") for text in grid.reasons.values()):
        why.append(
            "cells without a figure: the machine has fewer GPUs than the degree; more domains add some"
        )
    for line in why[:4]:
        st.caption(f":material/info: {plain(line)}.")
