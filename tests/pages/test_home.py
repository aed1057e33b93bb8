"""Home: typed questions lead to the right page, five scenarios are answered now, every page can be opened."""

import ast
import re
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from core import catalog
from pages.ui.home import generations, keywords, scenarios
from pages.ui.home.glossary import entries
from pages.ui.home.search import search
from pages.ui.shared import chapters, told
from pages.ui.shared.navigation import SECTIONS
from tests.pages.charts import drawn

PAGES = [page for pages in SECTIONS.values() for page in pages]
ROOT = Path(__file__).resolve().parents[2]
EVERYDAY = " AI AM API CI CSV HTML HTTP ID JSON KB LOG MB OK PDF PNG RED SVG TB UI URL UTC HH MMM YYYY "
"""Abbreviations that are nobody's term of the field."""


def found(question):
    """Names of the pages that a question leads to."""
    return [page.name for page in search(question).pages]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("tp4 or tp8", "tensor_parallel"),
        ("is my busbw ok?", "check"),
        ("nvl72", "nvl72"),
        ("DeepSeek-V3 on NVL72 or 9x HGX H200?", "nvl72"),
        ("do I need NVLink for my 4x RTX 4090?", "layouts"),
        ("InfiniBand or RoCE", "gradient_sync"),
        ("how many requests fit", "nvl72"),
        ("allreduce 1 GiB", "collectives"),
        ("All-Reduce latency", "collectives"),
        ("upload a log", "measurements"),
        ("h100 vs b200", "scenarios"),
        ("MFU of 405B", "training"),
        ("offload the KV cache", "kv_transfer"),
        ("dollars per month", "cost"),
        ("nvidia-smi topo -m", "topology"),
        ("calibrate to my cluster", "my_cluster"),
        ("does the system drift", "compare"),
        ("datasheet of a GPU", "catalog"),
        ("published claims", "ledger"),
        ("how fast is PCIe", "bandwidth_hierarchy"),
    ],
)
def test_a_question_in_free_text_leads_to_its_page(question, page):
    """The page that answers a question is among the first two."""
    assert page in found(question)[:2]


def test_what_if_pcie_leads_to_the_pages_that_answer_it():
    """A change of the link is asked of a serving step and of the layouts."""
    assert {"tensor_parallel", "layouts"} <= set(found("what if pcie"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_is_found_by_its_title_and_has_words(page):
    """Typing a page's title finds it first, and each page has further words."""
    assert found(page.title)[0] == page.name
    assert page.name in keywords.KEYWORDS


@pytest.mark.parametrize("question", ["", "   ", "?", "zzzz", "the of and", "<script>", "*" * 5000])
def test_words_that_mean_nothing_here_find_nothing(question):
    """Empty, unknown and hostile texts lead nowhere and break nothing."""
    assert search(question).pages == ()


@pytest.mark.parametrize(
    "term", ["busbw", "TTFT", "MFU", "NVLS", "oversubscription", "KV cache", "prediction interval"]
)
def test_a_term_shows_its_entry_of_the_glossary(term):
    """A term typed alone shows the glossary's sentence about it."""
    assert any(term.lower() in " ".join(entry.terms).lower() for entry in search(term).terms)


def test_every_term_of_the_glossary_is_read():
    """Every word in bold of the glossary is a term of one entry, and no entry lacks one."""
    text = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
    terms = [term for entry in entries() for term in entry.terms]

    assert len(terms) == text.count("**") // 2
    assert all(entry.terms for entry in entries())


def test_no_term_of_the_glossary_stands_twice():
    """One term, one entry: names that share a bold passage count each."""
    terms = [term.strip() for entry in entries() for names in entry.terms for term in names.split(",")]

    assert [term for term, times in Counter(terms).items() if times > 1] == []


def test_every_abbreviation_of_the_pages_is_in_the_glossary():
    """A capital abbreviation in a text of a page is a term of docs/GLOSSARY.md or a product of the catalog."""
    named = {
        *catalog.GPUS.values(),
        *catalog.SYSTEMS.values(),
        *catalog.MODELS.values(),
        *catalog.LINKS.values(),
    }
    known = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
    known += " ".join(entry.name for entry in named) + EVERYDAY
    used = {
        word
        for path in (*(ROOT / "pages").glob("*.py"), *(ROOT / "pages" / "ui").rglob("*.py"))
        for text in texts(ast.parse(path.read_text(encoding="utf-8")))
        for word in re.findall(r"\b[A-Z]{2,}\b", text)
    }

    assert {word for word in used if not re.search(rf"\b{word}", known)} == set()


def texts(tree):
    """Strings of more than one word that are no docstring."""
    functions = (ast.Module, ast.FunctionDef, ast.ClassDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, functions)]
    silent = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in silent)
    return [node.value for node in constants if isinstance(node.value, str) and " " in node.value]


def test_home_opens_with_answers_links_and_a_chart(visit):
    """Five scenarios with numbers, a link to every page, one chart whose alternative says its finding."""
    app = visit("home")

    assert not app.exception
    texts = " ".join(item.value for item in app.markdown)
    assert all(answer in texts for answer in map(_plain, scenarios.answers()))
    links = [item.proto.page for item in app.get("page_link")]
    assert {page.name for page in PAGES} <= set(links)
    (chart,) = drawn(app)
    assert "88 % on H100/H200" in chart.words


def test_a_typed_question_shows_its_pages_and_stays_in_the_address(visit):
    """A question in the address is searched at once; the page that answers it stands first."""
    app = visit("home", q="tp4 or tp8")
    links = [item.proto.page for item in app.get("page_link")]

    assert links[:2] == ["scenarios", "tensor_parallel"]
    assert app.text_input(key="q").value == "tp4 or tp8"
    lost = visit("home", q="zzzz")
    assert any("No page or term" in item.value for item in lost.markdown)


def test_who_asks_for_the_glossary_is_led_to_it(visit, monkeypatch, tmp_path):
    """Without a built site the box says how a term is looked up; with one it links tutorial and glossary."""
    for site in (None, tmp_path):
        monkeypatch.setattr(chapters, "SITE", site)
        texts = [item.value for item in visit("home", q="glossary").markdown]

        assert any("A term typed here is explained" in text for text in texts)
        assert any("](docs/GLOSSARY.html)" in text for text in texts) == (site is not None)
        assert not any("No page or term" in text for text in texts)


def test_a_verb_or_a_number_is_no_term():
    """Whether a model runs on 2 A100 explains neither a benchmark's run nor ZeRO-2; the word alone does."""
    assert search("does llama 70b run on 2 a100").terms == ()
    assert any("FSDP" in term for entry in search("zero 2").terms for term in entry.terms)
    assert any("Run" in entry.terms for entry in search("what is a run").terms)


def test_a_question_with_markup_is_shown_as_it_was_typed(visit):
    """A link in a question does not become a link."""
    app = visit("home", q="zzzz[x](http://y)")

    assert not any("[x](http" in item.value for item in app.markdown)


@pytest.mark.parametrize("worked", scenarios.WORKED, ids=lambda worked: worked.page.name)
def test_the_link_of_a_scenario_opens_its_question(visit, worked):
    """The page takes every input of the link, under whatever name it has today, keeps a result told, and answers."""
    app = visit(worked.page.name, **worked.inputs)
    record = app.session_state["_page_record"]
    used = {str(item.value) for item in record.inputs.values()}

    assert not app.exception
    assert record.text
    assert {value for key, value in worked.inputs.items() if key != told.TOLD} <= used
    assert (told.TOLD in worked.inputs) == ("check_run_log" in app.query_params)
    assert not any("not an option" in box.value for box in app.warning)


def test_links_of_home_carry_the_inputs_of_their_scenario(visit):
    """Each scenario's link holds the inputs that its answer was computed for."""
    queries = [
        parse_qs(item.proto.query_string)
        for item in visit("home").get("page_link")
        if item.proto.query_string
    ]

    assert queries == [{key: [value] for key, value in worked.inputs.items()} for worked in scenarios.WORKED]


@pytest.mark.parametrize(
    ("page", "figure"),
    [
        ("tensor_parallel", r"as fast \((.+?) against"),
        ("nvl72", r"room for ([\d,]+) concurrent"),
        ("gradient_sync", r"compute: (.+?) against"),
        ("collectives", r"GiB takes (.+?) over"),
        ("check", r"NDR shows ([\d-]+ GB/s)"),
    ],
)
def test_a_scenario_and_its_page_agree(visit, headline, page, figure):
    """The number that Home gives is the number on the page that its link opens."""
    worked = next(item for item in scenarios.WORKED if item.page.name == page)

    assert re.search(figure, worked.ask())[1] in headline(visit(page, **worked.inputs))


def test_measured_is_below_the_datasheet():
    """On every generation of the chart less is measured than the datasheet says, and it has a row."""
    frame = generations.frame()

    assert len(frame) == len(generations.SHOWN)
    assert ((frame["measured"] / frame["spec"]).between(0.5, 1.0)).all()


def _plain(text):
    from pages.ui.shared.messages import plain

    return plain(text)


def test_the_document_of_home_holds_every_scenario(visit):
    """Questions and answers of today, to be forwarded; the page itself has no headline."""
    run = visit("home").session_state["_page_record"]

    assert run.text
    assert len(run.findings) == len(scenarios.WORKED)
    assert all(
        worked.question in finding for worked, finding in zip(scenarios.WORKED, run.findings, strict=True)
    )
