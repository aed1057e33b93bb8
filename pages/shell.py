"""The frame around every page: import path, navigation, favicon. Runs first in every rerun."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if sys.path[0] != str(ROOT):
    # Streamlit puts this folder first; beside it `ui` and `pages.ui` would be two modules.
    own = {str(ROOT), str(ROOT / "pages"), ""}
    sys.path[:] = [str(ROOT), *(entry for entry in sys.path if entry not in own)]

import streamlit as st

from pages.ui import bound, sidebar

PAGES = ROOT / "pages"

st.set_page_config(
    page_title="Wirespeed",
    page_icon=str(PAGES / "ui" / "assets" / "favicon.png"),
    layout="wide",
    initial_sidebar_state=330,
)
bound.start()
page = st.navigation(
    [
        st.Page(
            PAGES / "home.py",
            title="Wirespeed",
            icon=":material/bolt:",
            default=True,
            help="Start here: which page answers which question.",
        ),
        st.Page(
            PAGES / "bandwidth_hierarchy.py",
            title="Hierarchy",
            icon=":material/stairs:",
            help="Bandwidth and latency of every level, from on-chip memory to the network.",
        ),
        st.Page(
            PAGES / "collectives.py",
            title="Collectives",
            icon=":material/hub:",
            help="Time and bus bandwidth of a collective over message size.",
        ),
        st.Page(
            PAGES / "tensor_parallel.py",
            title="TP overhead",
            icon=":material/view_column:",
            help="What tensor parallelism costs in communication, and where it stops paying.",
        ),
        st.Page(
            PAGES / "gradient_sync.py",
            title="Gradient sync",
            icon=":material/sync_alt:",
            help="What data parallelism costs a training step, in time and money.",
        ),
        st.Page(
            PAGES / "nvl72.py",
            title="NVL72 capacity",
            icon=":material/dns:",
            help="Does a model fit a rack-scale domain, and how fast can it decode there?",
        ),
        st.Page(
            PAGES / "catalog.py",
            title="Catalog",
            icon=":material/menu_book:",
            help="Every GPU, link, switch and model with its source and confidence.",
        ),
        st.Page(
            PAGES / "measurements.py",
            title="Measurements",
            icon=":material/monitoring:",
            help="Upload a log and lay it over the model.",
        ),
    ],
    position="top",
)
sidebar.start(page.url_path)
page.run()
