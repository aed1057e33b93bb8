"""The buttons that hand out an answer: the decision document, and every chart and table of a page."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from importlib import import_module
from typing import NamedTuple

import streamlit as st

from pages.ui.shared import record
from pages.ui.shared.document import wording
from pages.ui.shared.messages import plain
from pages.ui.shared.record import Record

TITLE_WIDTH = 420
_HERE = __name__.rpartition(".")[0]


class Kind(NamedTuple):
    """A kind of file: its ending, media type, and the module and function that make it."""

    ending: str
    media_type: str
    module: str
    function: str

    def make(self, *items: object) -> bytes:
        """The file; what draws it is imported now, not with the page."""
        made: bytes = getattr(import_module(f"{_HERE}.{self.module}"), self.function)(*items)
        return made


DOCUMENTS = (
    Kind("pdf", "application/pdf", "pdf", "document"),
    Kind("html", "text/html", "html", "document"),
)
PICTURES = (Kind("svg", "image/svg+xml", "picture", "svg"), Kind("png", "image/png", "picture", "png"))
DATA = (
    Kind("csv", "text/csv", "data", "csv"),
    Kind("parquet", "application/vnd.apache.parquet", "data", "parquet"),
)


def today() -> date:
    """The date that a file bears."""
    return datetime.now(UTC).date()


def document(place: str) -> None:
    """The decision document of this page in each format; made on a click, when the page is complete."""
    run = record.current()
    with st.popover(
        "Document", icon=":material/description:", type="tertiary" if place == "top" else "secondary"
    ):
        st.caption("Question, answer, charts, tables, assumptions and sources on a few pages.")
        with st.container(horizontal=True):
            for kind in DOCUMENTS:
                name = wording.file_name((run,), kind.ending, today())
                _download(kind, name, f"document_{place}", partial(_documented, kind, run))


def document_of_no_answer() -> None:
    """The document at the end of a page without a headline, which would have offered it, where there is anything to put in."""
    run = record.current()
    if not run.text and (run.charts or run.tables):
        document("end")


def _documented(kind: Kind, run: Record) -> bytes:
    return kind.make((run,), today())


def export() -> None:
    """Charts and tables of this page as files, listed when the list is opened."""
    run = record.current()
    if run.charts or run.tables:
        _export(run)


@st.fragment
def _export(run: Record) -> None:
    popover = st.popover("Export", icon=":material/download:", on_change="rerun", key="_export_list")
    if not popover.open:
        return
    with popover:
        st.caption("Pictures with title, system, model, rates, date and link; tables at full precision.")
        for number, chart in enumerate(run.charts):
            _offer(run, number, chart.alt, PICTURES, (run, chart, today()))
        for number, table in enumerate(run.tables):
            _offer(run, number, table.alt, DATA, (table,))


def _offer(run: Record, number: int, title: str, kinds: tuple[Kind, ...], items: tuple[object, ...]) -> None:
    """A line of the list: the title, and a button for each kind of file, made of these items."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(plain(title), width=TITLE_WIDTH)
        for kind in kinds:
            part = wording.slug(title)[:40].rstrip("-.")
            name = wording.file_name((run,), kind.ending, today(), part=part)
            _download(kind, name, f"{kind.module}_{number}", partial(kind.make, *items))


def _download(kind: Kind, name: str, key: str, make: Callable[[], bytes]) -> None:
    st.download_button(
        kind.ending.upper() if kind.ending != "parquet" else "Parquet",
        make,
        name,
        kind.media_type,
        key=f"_{key}_{kind.ending}",
        on_click="ignore",
    )
