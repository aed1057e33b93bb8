"""Runs of a cluster together on the page Measurements: weak nodes, weak links, what to swap first."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.units import GB
from core.verdict.acceptance import Acceptance, Member
from core.verdict.acceptance_text import acceptance_text
from pages.ui.shared import answer, tables
from pages.ui.shared.messages import plain

TABLE_HEIGHT = 360
FEW_ROWS = 8


def draw(acceptance: Acceptance, runs: int, unjudged: Sequence[str]) -> None:
    """
    The report on all runs.

    Args:
        acceptance: What their verdicts say together.
        runs: How many there are, judged or not.
        unjudged: Names of runs that have no verdict.
    """
    st.subheader("Acceptance of the cluster")
    answer.finding(counted(acceptance, runs))
    if acceptance.swap:
        st.markdown(
            "\n".join(f"{rank}. {plain(text)}." for rank, text in enumerate(acceptance.swap, start=1))
        )
    if findings := _findings(acceptance, unjudged):
        tables.show(
            pd.DataFrame(findings, columns=["finding", "what", "runs"]),
            "Weak nodes, weak links and what was not judged",
        )
    height = "auto" if len(acceptance.members) <= FEW_ROWS else TABLE_HEIGHT
    tables.show(_runs(acceptance.members), "Every run against those like it", height=height)
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


def _findings(acceptance: Acceptance, unjudged: Sequence[str]) -> list[tuple[str, str, str]]:
    rows = [("weak node", host, ", ".join(names)) for host, names in acceptance.weak_nodes.items()]
    rows += [("weak link", f"{first} to {second}", "") for first, second in acceptance.weak_links]
    rows += [("weak, no node or link stands out", name, "") for name in acceptance.unexplained]
    return rows + [("not judged", name, "") for name in unjudged]


def _runs(members: Sequence[Member]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "run": member.name,
            "hosts": ", ".join(member.hosts),
            "busbw (GB/s)": tables.cell(member.busbw_bytes_per_s, GB),
            "of runs like it (%)": tables.cell(member.peer_share, 0.01),
            "weak": member.weak,
            "verdict": str(member.status),
        }
        for member in members
    )
