"""The frame around every page: import path, navigation, shared sidebar. Runs first in every rerun."""

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
FAVICON = PAGES / "ui" / "assets" / "favicon.png"
TOUR = (
    ("home", "Wirespeed", "bolt", "Start here: which page answers which question."),
    (
        "bandwidth_hierarchy",
        "Hierarchy",
        "stairs",
        "Rate and latency of every level, from memory to the network.",
    ),
    ("collectives", "Collectives", "hub", "Time and bus bandwidth of a collective over message size."),
    (
        "tensor_parallel",
        "TP overhead",
        "view_column",
        "What tensor parallelism costs, and where it stops paying.",
    ),
    ("gradient_sync", "Gradient sync", "sync_alt", "What data parallelism costs a training step."),
    ("nvl72", "NVL72 capacity", "dns", "Does a model fit a rack-scale domain, and how fast can it decode?"),
    ("catalog", "Catalog", "menu_book", "Every GPU, link, switch and model with its source."),
    ("measurements", "Measurements", "monitoring", "Upload a log and lay it over the model."),
    ("check", "Check", "fact_check", "Is my number OK? A verdict per size and the likely reason."),
    ("my_cluster", "My cluster", "tune", "Fit the model to your own sweep and use it everywhere."),
    ("compare", "Compare", "compare_arrows", "Two runs side by side, and one machine over time."),
    ("topology", "Topology", "device_hub", "What topo -m promises, and the machine made from it."),
)

# The icon stands before the navigation: a page's own icon would be fetched from another host.
st.set_page_config("Wirespeed", str(FAVICON), layout="wide", initial_sidebar_state=330)
bound.start()
page = st.navigation(
    [
        st.Page(
            PAGES / f"{name}.py", title=title, icon=f":material/{icon}:", help=words, default=name == "home"
        )
        for name, title, icon, words in TOUR
    ],
    position="top",
)
if page.title != "Wirespeed":
    st.set_page_config(page_title=f"{page.title} · Wirespeed")
sidebar.start(page.url_path)
page.run()
