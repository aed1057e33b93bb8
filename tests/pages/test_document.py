"""An answer as a file: the decision document of every page, its charts as pictures, its tables as data."""

import csv
import io
import re
from datetime import date
from html.parser import HTMLParser

import pandas as pd
import pytest
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth

from pages.ui.shared.document import button, cells, data, drawer, html, pdf, picture, wording
from pages.ui.shared.document.fonts import BOLD, register
from pages.ui.shared.document.links import short_link
from pages.ui.shared.document.pdf_columns import PADDING, fitting, font_size
from pages.ui.shared.document.spans import cited, plain, spans
from pages.ui.shared.navigation import SECTIONS
from pages.ui.shared.record import DrawnChart, DrawnTable, Input, Record
from tests.pages.drawing import ONE_EACH

pytestmark = pytest.mark.usefixtures("one_drawing")
NAMES = [page.name for pages in SECTIONS.values() for page in pages]
DAY = date(2026, 11, 22)
HOSTILE = "\"'><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)></para><b>\x00\U0001f600中я"
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """A parsed page: its tags in order, its text, and whether every tag is closed where it should be."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.words, self.open = [], [], []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.words.append(text)

    @property
    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def recorded(app):
    """What the page has shown."""
    return app.session_state["_page_record"]


def parsed(*records):
    """The HTML document of these records, checked to stand alone."""
    source = html.document(records, DAY).decode()
    page = Page(source)
    assert not page.open
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "iframe", "img", "link", "object", "embed", "form", "image", "use"}
    for tag, attributes in page.tags:
        assert not {key for key in attributes if key.startswith("on")}
        assert "src" not in attributes
        if tag == "a":
            assert attributes["href"].startswith(("http://", "https://"))
        else:
            assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"@import|url\((?!\"?#)", source)
    return page


def words(text):
    """A text without its spaces, as a PDF may break it anywhere."""
    return re.sub(r"\s", "", text)


def printed(record):
    """The text of the PDF of a record, and that of each page."""
    from pypdf import PdfReader  # half a second

    file = pdf.document((record,), DAY)
    assert file.startswith(b"%PDF")
    pages = [words(page.extract_text()) for page in PdfReader(io.BytesIO(file)).pages]
    return "".join(pages), pages


def small(**changes):
    """A record of a chart and a table about two hosts."""
    rows = pd.DataFrame({"host": ["node-1", "node-2"], "rate": [46.2, 391.0]})
    spec = {
        "data": {"name": "rows"},
        "height": 120,
        "mark": "bar",
        "encoding": {
            "x": {"field": "rate", "type": "quantitative"},
            "y": {"field": "host", "type": "nominal"},
        },
    }
    record = Record("check", "Check a result")
    record.text, record.link = "Busbw is low.", "http://localhost:8501/check?v=1.2.0&system=dgx-h100&nics=1"
    record.inputs = {
        "system": Input("system", "System", "dgx-h100", "dgx-h100"),
        "nics": Input("nics", "NICs per domain", 1, None),
    }
    record.charts = [DrawnChart("Rate by host", spec, {"rows": rows})]
    record.tables = [
        DrawnTable("Hosts", rows, {"rate": {"label": "rate (GB/s)", "type_config": {"format": "%.1f"}}})
    ]
    for key, value in changes.items():
        setattr(record, key, value)
    return record


def test_every_page_is_in_a_document_that_stands_alone(visit):
    """Every page gives its answer, inputs, charts and tables to one file with nothing from elsewhere."""
    records = [recorded(visit(name)) for name in NAMES]
    page = parsed(*records)
    text = words(page.text)

    for record in records:
        assert words(plain(record.text)) in text
        assert words(record.link) in text
        assert all(words(item.label) in text for item in record.question())
    assert sum(tag == "figure" for tag, _ in page.tags) == sum(len(record.charts) for record in records)
    assert sum(tag == "svg" for tag, _ in page.tags) == sum(len(record.charts) for record in records)
    assert len(page.ids) == len(set(page.ids))


@pytest.mark.parametrize("name", ["tensor_parallel", "nvl72", "cost"])
def test_the_pdf_says_what_the_page_says(visit, name):
    """The PDF of a page has its headline, its figures and its inputs, on four pages at most and none nearly empty."""
    record = recorded(visit(name))
    text, pages = printed(record)

    assert words(record.text) in text
    assert all(words(value) in text for _, value in record.figures)
    assert words(record.title) in text
    assert len(pages) <= 4
    assert min(map(len, pages)) > 600


def test_inputs_that_differ_come_first(visit):
    """What the reader chose stands in a table with its default; the rest is listed."""
    page = parsed(recorded(visit("tensor_parallel", tp=4)))

    assert page.text.index("Tensor-parallel degree (TP) 4 8") < page.text.index("At their defaults")


def test_inputs_that_a_page_does_not_use_are_not_its_question(visit):
    """Training jobs and serving loads stay out of a document about a collective."""
    page = parsed(recorded(visit("collectives", gpus=512)))

    assert "Ranks (GPUs)" in page.text
    assert "Global batch size" not in page.text


def test_a_question_without_an_answer_says_why(visit):
    """A combination that cannot be is documented with its reason."""
    page = parsed(recorded(visit("tensor_parallel", tp=7)))

    assert "No answer for this combination" in page.text


def test_names_from_outside_stay_text():
    """A name from a log is never markup, neither in the page nor in the PDF nor in a picture."""
    rows = pd.DataFrame({"host": [HOSTILE, "node-2"], "rate": [1.0, 2.0]})
    record = small(
        title=HOSTILE,
        text=HOSTILE,
        reason=f"**{HOSTILE}** [click](javascript:alert(1))",
        figures=[(HOSTILE, HOSTILE)],
        warnings=[HOSTILE],
        assumptions=[HOSTILE],
        sources=[HOSTILE, '[x](https://a.example/"onclick=alert(1))'],
        link=f"javascript:alert(1)//{HOSTILE}",
        inputs={"a": Input("a", HOSTILE, HOSTILE, "")},
        tables=[DrawnTable(HOSTILE, rows)],
    )
    record.charts = [DrawnChart(HOSTILE, record.charts[0].spec, {"rows": rows})]
    page = parsed(record)
    text, _ = printed(record)
    drawn = picture.svg(record, record.charts[0], DAY).decode()

    assert page.text.count("<script>alert(1)</script>") > 8
    assert "<script>alert(1)</script>" in text
    assert "<script" not in drawn
    assert picture.png(record, record.charts[0], DAY)


def test_two_questions_in_one_document():
    """Two records become one document with a section each, no id used twice."""
    page = parsed(small(), small(title="Collectives"))

    assert "1. Check a result" in page.text
    assert "2. Collectives" in page.text
    assert len(page.ids) == len(set(page.ids))


def test_a_picture_says_what_it_shows():
    """A chart leaves with its title, system, date and link inside, at twice the size of its SVG."""
    record = small()
    drawn = picture.svg(record, record.charts[0], DAY).decode()
    image = Image.open(io.BytesIO(picture.png(record, record.charts[0], DAY)))
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', drawn)

    for expected in (
        "Rate by host",
        "DGX H100",
        "22 November 2026",
        "localhost:8501/check?v=1.2.0&amp;nics=1",
        "node-1",
    ):
        assert expected in drawn
    assert image.size == pytest.approx([2 * float(side) for side in size.groups()], abs=2)


def test_words_keep_their_width_in_any_font():
    """Each label of a picture has the width at which it was laid out; in a wider font none is cut off."""
    record = small()
    drawn = picture.svg(record, record.charts[0], DAY).decode()
    page = html.document([record], DAY).decode()
    for made in (drawn, page):
        (label,) = re.findall(r"<text ([^>]*)>node-1</text>", made)
        assert 20 < float(re.search(r'textLength="([\d.]+)"', label)[1]) < 40


def test_a_short_link_leaves_the_defaults_out():
    """A picture's link holds the model version and what differs."""
    assert short_link(small()) == "http://localhost:8501/check?v=1.2.0&nics=1"


def test_files_have_telling_names(visit):
    """A file's name says page, model, system and date."""
    record = recorded(visit("tensor_parallel"))
    name = wording.file_name((record,), "pdf", DAY)

    assert name == "wirespeed-tensor-parallelism-llama-3.1-70b-dgx-h100-2026-11-22.pdf"
    assert "/" not in wording.file_name((small(title="../../etc"),), "pdf", DAY)


def test_tables_leave_at_full_precision():
    """CSV and Parquet hold the numbers as computed, and no text that a spreadsheet would run."""
    frame = pd.DataFrame({"host": ["=cmd()", "b"], "rate": [1 / 3, None], "mixed": [1, "x"]})
    hostile = pd.DataFrame(
        {"=cmd()": [["=1", "b"], ("@a",)], "-x": pd.Categorical(["\uff1d1", " +1"]), "\n@": [None, "\t=1"]}
    )
    table = DrawnTable("Hosts", frame)
    back = pd.read_parquet(io.BytesIO(data.parquet(table)))

    assert data.csv(table).decode().splitlines()[1].startswith("'=cmd(),0.3333333333333333")
    cells = csv.reader(io.StringIO(data.csv(DrawnTable("x", hostile)).decode(), newline=""))
    assert [text for row in cells for text in row if text and text[0] != "'"] == []
    assert back["rate"][0] == 1 / 3
    assert list(back["mixed"]) == ["1", "x"]


def test_cells_are_written_as_the_page_writes_them():
    """Formats and labels of the page hold in the document; what is missing is a dash."""
    table = small().tables[0]

    assert cells.header(table) == ["host", "rate (GB/s)"]
    assert cells.rows(table, 1) == [["node-1", "46.2"]]
    assert [cells.cell(value) for value in (None, float("nan"), True, 1234567, 0.123456)] == [
        "–",
        "–",
        "yes",
        "1,234,567",
        "0.1235",
    ]


def test_the_markdown_of_an_answer_is_read():
    """Bold, links and escapes are understood, icons dropped, addresses of other kinds left as text."""
    assert plain(":material/swap_horiz: **HBM** at \\$3 `x`") == "HBM at $3 x"
    assert spans("a **b**")[1].bold
    assert cited("Paper: arXiv:2505.11329 (2025)")[1].link == "https://arxiv.org/abs/2505.11329"
    assert cited("Tables: github.com/a/b@095f58a51c: systems")[1].link == "https://github.com/a/b"
    assert not any(span.link for span in spans("[x](javascript:alert)"))


def test_wide_tables_fit_the_paper():
    """Columns share the width of a page; those that would break their words are left out."""
    register()
    many = fitting(["exposed communication"] * 30, [["0.123456789"] * 30], 500)
    few = fitting(["term", "because"], [["a", "word " * 40]], 500)

    assert sum(many) <= 500
    assert 3 < len(many) < 30
    assert few[1] > few[0]
    assert fitting(["memory"], [["1"]], 500)[0] > stringWidth("memory", BOLD, font_size(1)) + PADDING


def test_buttons_make_files_on_demand(visit, monkeypatch):
    """A page offers its document once, at its headline or else at its end, and its charts and tables in a list."""
    monkeypatch.setattr(drawer, "_drawn", ONE_EACH)
    app = visit("ledger")
    assert len(app.get("download_button")) == 2
    app.session_state["_export_list"] = True
    app.run()
    offered = {item.proto.id.rsplit("-", 1)[-1] for item in app.get("download_button")}
    record = small()

    assert {"_document_top_pdf", "_document_top_html"} <= offered
    assert not {"_document_end_pdf", "_document_end_html"} & offered
    end = {item.proto.id.rsplit("-", 1)[-1] for item in visit("measurements").get("download_button")}
    assert {"_document_end_pdf", "_document_end_html"} <= end
    assert {"_picture_1_png", "_picture_0_svg", "_data_0_csv", "_data_1_parquet"} <= offered
    assert button.DOCUMENTS[1].make((record,), DAY).startswith(b"<!doctype html>")
    assert button.PICTURES[1].make(record, record.charts[0], DAY).startswith(b"\x89PNG")
    assert button.DATA[1].make(record.tables[0]).startswith(b"PAR1")


def test_a_chart_that_cannot_be_drawn_is_left_out(monkeypatch):
    """A chart that Vega rejects costs its picture, never the document."""
    monkeypatch.setattr(drawer, "_drawn", ONE_EACH)
    record = small()
    record.charts = [DrawnChart("Broken", {"mark": "no such mark", "height": 100}, {})]

    assert "could not be drawn" in parsed(record).text
    assert words("could not be drawn") in printed(record)[0]
