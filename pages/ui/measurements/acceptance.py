"""Runs of a cluster together on the page Measurements: weak nodes, weak links, what to swap first."""

from collections.abc import Collection, Sequence

import pandas as pd
import streamlit as st

from core.units import GB, format_rate
from core.verdict.acceptance import Acceptance, Member
from core.verdict.acceptance_text import acceptance_text, few
from pages.ui.shared import answer, tables
from pages.ui.shared.answer import Headline
from pages.ui.shared.messages import plain

TABLE_HEIGHT = 360
FEW_ROWS = 8
CLUSTER_RUNS = 3
"""From so many judged runs on, the answer of the page is about all of them."""
MOST_NAMED = 5
ICONS = {True: ":orange[:material/trending_down:]", False: ":green[:material/check_circle:]"}


def headline(acceptance: Acceptance, runs: int) -> None:
    """
    The answer of the page: how many runs are fine, and what is weak.

    Args:
        acceptance: What their verdicts say together.
        runs: How many there are, judged or not.
    """
    swap = acceptance.swap
    reason = f"{swap[0]}." if swap else "No weak node or link stands out."
    if len(swap) > 1:
        reason += f" {len(swap) - 1} more below."
    weak = [member for member in acceptance.members if member.weak]
    answer.headline(
        Headline(f"{counted(acceptance, runs)}{_culprits(acceptance)}", reason, icon=ICONS[bool(weak)]),
        note=_reached(weak, [member for member in acceptance.members if not member.weak]),
        origin="measured",
    )


def _reached(weak: Sequence[Member], others: Sequence[Member]) -> str:
    """The bus bandwidth of weak runs beside that of the others."""
    parts = [
        f"{name} reach {span}"
        for name, members in (("Weak runs", weak), ("the others" if weak else "The runs", others))
        if (span := _span([member.busbw_bytes_per_s for member in members]))
    ]
    return f"{', '.join(parts)} busbw." if parts else ""


def _span(rates: Sequence[float | None]) -> str:
    known = [rate for rate in rates if rate]
    if not known:
        return ""
    low, high = format_rate(min(known)), format_rate(max(known))
    return low if low == high else f"{low} to {high}"


def draw(acceptance: Acceptance, runs: int, unjudged: Sequence[str]) -> None:
    """
    The report on all runs, below an answer about one of them or about all.

    Args:
        acceptance: What their verdicts say together.
        runs: How many there are, judged or not.
        unjudged: Names of runs that have no verdict.
    """
    st.subheader("Acceptance of the cluster")
    is_answer = len(acceptance.members) >= CLUSTER_RUNS
    if not is_answer:
        answer.finding(counted(acceptance, runs))
    if len(acceptance.swap) > is_answer:
        st.markdown(
            "\n".join(f"{rank}. {plain(text)}." for rank, text in enumerate(acceptance.swap, start=1))
        )
    if findings := _findings(acceptance, unjudged):
        tables.show(
            pd.DataFrame(findings, columns=["finding", "what", "runs"]),
            "Weak nodes, weak links and what was not judged",
        )
    height = "auto" if len(acceptance.members) <= FEW_ROWS else TABLE_HEIGHT
    weak_first = sorted(acceptance.members, key=lambda member: not member.weak)
    frame = _runs(weak_first)
    tables.show(frame, "Every run against those like it", tables.widths(frame, "answer"), height=height)
    st.download_button(
        "Download the report",
        acceptance_text(acceptance) + "\n",
        "acceptance.txt",
        "text/plain",
        icon=":material/download:",
        on_click="ignore",
    )


def counted(acceptance: Acceptance, runs: int) -> str:
    """How many of all runs were judged, and how many have which verdict."""
    counts = ", ".join(f"{number} {status}" for status, number in acceptance.counts.items())
    members = len(acceptance.members)
    judged = f"{members} runs" if members == runs else f"{members} runs (of {runs})"
    return f"{judged} together: {counts}."


def _culprits(acceptance: Acceptance) -> str:
    """The weak nodes and links, and nodes with another GPU, by name; empty where there is none."""
    nodes = list(acceptance.weak_nodes)
    links = [f"{first} to {second}" for first, second in acceptance.weak_links]
    others = list(acceptance.other_gpus)
    parts = [
        f"{kind}{'' if len(names) == 1 else 's'}: {_listed(names)}"
        for kind, names in (("Weak node", nodes), ("Weak link", links), ("Another GPU in node", others))
        if names
    ]
    return "".join(f" {part}." for part in parts)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _findings(acceptance: Acceptance, unjudged: Sequence[str]) -> list[tuple[str, str, str]]:
    rows = [("another GPU", f"{host}: {gpu}", "") for host, gpu in acceptance.other_gpus.items()]
    rows += [("weak node", host, few(names)) for host, names in acceptance.weak_nodes.items()]
    rows += [
        ("weak link", f"{first} to {second}", ", ".join(_runs_of(acceptance, {first, second})))
        for first, second in acceptance.weak_links
    ]
    rows += [("weak, no node or link stands out", name, "") for name in acceptance.unexplained]
    return rows + [("not judged", name, "") for name in unjudged]


def _runs_of(acceptance: Acceptance, hosts: Collection[str]) -> list[str]:
    """The weak runs between these hosts."""
    return [member.name for member in acceptance.members if member.weak and set(member.hosts) == set(hosts)]


def _runs(members: Sequence[Member]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "run": member.name,
            "verdict": str(member.status),
            "busbw (GB/s)": tables.cell(member.busbw_bytes_per_s, GB),
            "of runs like it (%)": tables.cell(member.peer_share, 0.01),
            "weak": member.weak,
            "hosts": ", ".join(member.hosts),
            "answer": member.headline,
        }
        for member in members
    )
