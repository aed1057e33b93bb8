"""People who have signed in, with the role that they have today."""

import pandas as pd
import streamlit as st

from db.administration import role_today
from db.errors import StoreError
from pages.ui.shared import stored, tables


def draw() -> None:
    """Everyone who has signed in, the latest first."""
    try:
        listed = stored.store().people.listed()
    except StoreError as problem:
        stored.outage(problem)
        return
    if not listed:
        st.info("Nobody has signed in yet. Roles are set by WIRESPEED_ADMINS, _UPLOADERS and _VIEWERS.")
        return
    frame = pd.DataFrame(
        {
            "name": seen.name,
            "role today": str(role_today(seen.name, frozenset(seen.groups)) or "none"),
            "groups": ", ".join(seen.groups),
            "first sign-in": seen.first_seen_at,
            "last sign-in": seen.seen_at,
        }
        for seen in listed
    )
    moments = tables.moments("first sign-in", "last sign-in")
    tables.show(frame, "People who have signed in, latest first", moments)
    st.caption("Roles are settings of the server; groups are those of the last sign-in.")
