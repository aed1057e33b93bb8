"""The chapter of the documentation that belongs to a page, linked where the site has been built."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[3]
_FOLDERS = (ROOT / "site", ROOT / "build" / "site")
SITE = next((folder for folder in _FOLDERS if (folder / "index.html").is_file()), None)
"""The built site: beside the application in the image, in build/ in a checkout; None where there is none."""
CHAPTERS: Mapping[str, tuple[str, str]] = {
    "": ("tutorial.html", "Ten minutes with Wirespeed"),
    "bandwidth_hierarchy": ("howto/fabric.html#the-ladder", "Choose a fabric"),
    "collectives": ("MODEL-COLLECTIVES.html", "The model of collectives"),
    "tensor_parallel": ("MODEL-SERVING.html", "The model of serving"),
    "scenarios": ("howto/compare.html", "Compare two clusters"),
    "gradient_sync": ("howto/fabric.html#between-nodes-for-training", "Choose a fabric"),
    "training": ("MODEL-TRAINING.html", "The model of training"),
    "nvl72": ("howto/size.html", "Size a rack"),
    "kv_transfer": ("MODEL-SERVING.html", "The model of serving"),
    "layouts": ("howto/size.html#which-layout", "Size a rack: which layout"),
    "cost": ("howto/fabric.html", "Choose a fabric"),
    "measurements": ("PROBE.html", "Measure: the probe and the readers"),
    "check": ("howto/judge.html", "Judge my log"),
    "job": ("howto/job.html", "Where does my step's time go?"),
    "my_cluster": ("MY-CLUSTER.html", "Fits, comparisons, topology"),
    "compare": ("howto/compare.html#two-clusters-measured", "Compare two clusters, measured"),
    "topology": ("MY-CLUSTER.html#topology", "Topology"),
    "catalog": ("CATALOG.html", "The catalog"),
    "ledger": ("LEDGER.html", "Published claims"),
    "access": ("DEPLOY.html#tokens-for-programs", "Tokens, projects and the audit log"),
}
"""File of the built site and title, by the page's path."""
REFERENCE: Mapping[str, str] = {"Tutorial": "tutorial.html", "Glossary": "GLOSSARY.html"}
"""Files of the built site for newcomers, by title."""


def link(page: str, site: Path | None = None) -> None:
    """A line below the page that leads to its chapter; nothing without a built site or a chapter."""
    if (site or SITE) is None or page not in CHAPTERS:
        return
    file, title = CHAPTERS[page]
    st.caption(f":material/menu_book: Documentation: [{title}](docs/{file})")


def reference() -> None:
    """How a term is looked up, and where tutorial and glossary are read; without a built site, the first alone."""
    links = ", ".join(f"[{title}](docs/{file})" for title, file in REFERENCE.items())
    st.markdown(
        ":material/menu_book: A term typed here is explained, such as *TPOT* or *bus bandwidth*."
        + (f" Documentation: {links}." if SITE else "")
    )
