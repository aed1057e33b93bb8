"""The audit log: filtered, and taken away as CSV."""

from datetime import UTC, datetime, timedelta

import pandas as pd
import streamlit as st

from db.audit import Action, as_csv
from db.errors import StoreError
from pages.ui.shared import bound, stored, tables

PERIODS = {"day": 1, "week": 7, "month": 31, "year": 366}
EVERY = "everything"
MOST_SHOWN = 2_000
TABLE_HEIGHT = 520


def draw() -> None:
    """Entries of a period, of someone, of one kind, on something."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        period = bound.choice("Of the last", "period", PERIODS, "month")
        actor = bound.text("Who", "actor", "", placeholder="ada@")
        action = bound.choice("Action", "action", [EVERY, *map(str, Action)])
        subject = bound.text("On what", "subject", "", placeholder="run 12")
    since = datetime.now(UTC) - timedelta(days=PERIODS[period])
    try:
        entries = stored.store().audit.entries(
            actor=actor.strip(),
            action="" if action == EVERY else action,
            subject=subject.strip(),
            since=since,
        )
    except StoreError as problem:
        stored.outage(problem)
        return
    if not entries:
        st.info("There is no such entry.")
        return
    columns = ("when", "who", "action", "on", "detail")
    rows = [(item.at, item.actor, item.action, item.subject, item.detail) for item in entries[:MOST_SHOWN]]
    moment = {"when": st.column_config.DatetimeColumn("when (UTC)", format="D MMM YYYY, HH:mm:ss")}
    frame = pd.DataFrame(rows, columns=columns)
    height = TABLE_HEIGHT if len(rows) > 12 else "auto"
    tables.show(frame, "Audit log, latest first", moment, height=height)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "CSV", as_csv(entries), "wirespeed-audit.csv", "text/csv", icon=":material/download:"
        )
        shown = f", {MOST_SHOWN:,} shown" if len(entries) > MOST_SHOWN else ""
        st.caption(f"{len(entries):,} entries{shown}. They cannot be changed, here or anywhere.")
