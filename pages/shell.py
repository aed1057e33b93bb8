"""The frame around every page: import path, navigation, shared question. Runs first in every rerun."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if sys.path[0] != str(ROOT):
    # Streamlit puts this folder first; beside it `ui` and `pages.ui` would be two modules.
    own = {str(ROOT), str(ROOT / "pages"), ""}
    sys.path[:] = [str(ROOT), *(entry for entry in sys.path if entry not in own)]

import streamlit as st

from pages.ui.shared import body, bound, identity, menu, person, record, undo
from pages.ui.shared.navigation import HOME
from pages.ui.shared.question import bar

ASSETS = ROOT / "pages" / "ui" / "assets"
FAVICON = ASSETS / "favicon.png"

# The icon stands before the navigation: a page's own icon would be fetched from another host.
st.set_page_config("Wirespeed", str(FAVICON), layout="wide")
identity.install()
person.gate()
bound.start()
sections = menu.sections()
page = st.navigation(sections, position="top")
if page.title != HOME.title:
    st.set_page_config(page_title=f"{page.title} · Wirespeed")
st.html(ASSETS / "style.css")
undo.start({listed.url_path: listed for pages in sections.values() for listed in pages})
record.start(page.url_path, page.title)
person.line()
bar.start(page.url_path)
body.draw(page)
