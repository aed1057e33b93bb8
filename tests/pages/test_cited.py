"""What a source or an assumption says is text: a name that came with an address is never a link."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from core.provenance import Source
from pages.ui.shared import answer, folded
from pages.ui.shared.document.spans import cited, spans
from pages.ui.shared.stored import store
from tests.pages.test_config import LLAMA_8B
from tests.pages.test_document import parsed, recorded

HOSTILE = "[Sign in](http://evil.example) <b>x</b>"


@pytest.mark.usefixtures("one_drawing")
def test_a_config_s_name_is_never_a_link(visit):
    """The name comes with the address: neither the page's sources nor those of its document link to it."""
    file = store().keep_file(json.dumps(LLAMA_8B).encode(), name="config.json", kind="config")
    app = visit("tensor_parallel", model="config.json", config=file.id, config_name=HOSTILE)
    app.session_state[folded.KEY] = True
    app.run()
    listed = next(item.value for item in app.markdown if item.value.startswith("**Sources**"))
    targets = [attributes.get("href", "") for tag, attributes in parsed(recorded(app)).tags if tag == "a"]

    assert r"\[Sign in\](" in listed
    assert targets
    assert not [target for target in targets if target.startswith("http://evil.example")]


def test_the_words_of_a_source_are_text():
    """Title, place, date and bare lines are escaped; an address that could end its link early is none."""
    hostile = (
        Source("a", HOSTILE, "https://a.example/b"),
        Source("b", "b", f"https://a.example/) {HOSTILE}", HOSTILE),
        HOSTILE,
    )
    lines = [answer.cited(source) for source in hostile]

    assert [[span.link for span in spans(line) if span.link] for line in lines] == [
        ["https://a.example/b"],
        [],
        [],
    ]
    assert not [line for line in lines if "<b>" in line.replace(r"\<", "")]


def test_a_document_names_a_revision_as_its_source_does():
    """What keeps a browser from linking an address is not printed."""
    line = answer.cited(Source("a", "nccl-tests", "github.com/argonne-lcf/alcf-nccl-tests@385be33604"))

    assert [(span.text, span.link) for span in cited(line)] == [
        ("nccl-tests: ", ""),
        (
            "github.com/argonne-lcf/alcf-nccl-tests@385be33604",
            "https://github.com/argonne-lcf/alcf-nccl-tests",
        ),
    ]


def _assume(line):
    """A page with one assumption."""
    from pages.ui.shared import answer, record

    record.start("check", "Check a result")
    answer.assumptions([line])


def test_an_assumption_is_text():
    """On the page and in its document."""
    app = AppTest.from_function(_assume, args=(HOSTILE,)).run()

    assert r"\[Sign in\](" in app.markdown[0].value
    assert not [span.link for span in spans(recorded(app).assumptions[0]) if span.link]
