"""Uploads: named in the address by a short id that opens the same answer in any session, and says when not."""

import hashlib
import json
import re

import pytest

from core.catalog import SYSTEMS
from core.systems import CustomSystem, custom_system, system_json
from db.store import shared
from pages.ui.shared.stored import store
from tests.gpu_probe.formats import nccl_tests, text
from tests.pages.test_badges import badges
from tests.pages.test_config import LLAMA_8B, said

CONFIG = json.dumps(LLAMA_8B)
LOG, OTHER_LOG = (text(nccl_tests(ranks=ranks)).decode() for ranks in (16, 8))
SYSTEM = json.dumps(system_json(custom_system(CustomSystem("b200-sxm", 4, name="my box"))))


def short(text):
    """The id of a file with this text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def upload(app, widget, text):
    """Upload a file of this text."""
    app.file_uploader(key=f"_{widget}_file").upload(f"{widget}.json", text.encode())
    return app.run()


def test_a_link_opens_an_uploaded_config_in_another_session(visit, headline):
    """The address holds an id and the name that the reader gave; a cold session gives the same sentence."""
    app = upload(visit("tensor_parallel", model="config.json"), "model", CONFIG)
    app.text_input(key="config_name").input("My <b>8B</b>").run()
    again = visit("tensor_parallel", **dict(app.query_params))

    assert app.query_params["config"] == short(CONFIG)
    assert "My" in headline(app)
    assert "<b>" not in headline(app).replace("\\<b", "")
    assert headline(again) == headline(app)
    assert "8.03 B parameters" in said(again)


NAMED = "*zz* [zz](http://b) <b>zz $zz$ :red[zz] `zz`"


@pytest.mark.parametrize("name", ["bandwidth_hierarchy", "tensor_parallel", "training", "nvl72", "cost"])
def test_a_name_is_shown_as_it_is_written(visit, name):
    """A system or model named in Markdown's own signs is neither italic nor a link, a formula or a colour."""
    system = system_json(SYSTEMS["dgx-h100"]) | {"name": NAMED}
    files = {"system": json.dumps(system), "config": CONFIG}
    ids = {kind: store().keep_file(text.encode(), name=kind, kind=kind).id for kind, text in files.items()}
    question = {"system": "file", "system_file": ids["system"], "model": "config.json"}
    app = visit(name, **question, config=ids["config"], config_name=NAMED)
    parts = [part.value for kind in (app.markdown, app.caption, app.info, app.warning) for part in kind]
    named = [part for part in parts if "zz" in part]

    assert not app.exception
    assert named
    for part in named:
        assert not re.search(r"(?<!\\)(\*zz|\[zz|<b|\$zz|:red|`zz)", part), part


def test_an_uploaded_system_goes_from_page_to_page_and_into_a_link(visit, headline):
    """A system file is the machine of the next page, and of whoever opens its link."""
    app = upload(visit("collectives", system="file"), "system", SYSTEM)
    app.switch_page("tensor_parallel.py")
    app.run()

    assert any("my box" in item.value for item in app.caption)
    assert "over 4 GPUs" in headline(visit("collectives", system="file", system_file=short(SYSTEM)))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"model": "config.json", "config": "0123456789ab"}, "no file 0123456789ab is stored here"),
        ({"model": "config.json", "config": "<script>"}, "an id is 12 hexadecimal digits"),
        ({"system": "file", "system_file": "0123456789ab"}, "system file: no file 0123456789ab"),
        ({"system": "file"}, "system file: none yet"),
    ],
)
def test_an_unknown_id_says_what_to_do(visit, query, words):
    """Expired, mistyped or missing: one line, and the widgets to upload it again."""
    app = visit("tensor_parallel", **query)

    assert not app.exception
    assert any(words in box.value.replace("\\", "") for box in (*app.warning, *app.error))
    assert len(app.get("file_uploader")) == 1


@pytest.mark.parametrize(
    ("query", "widget", "words"),
    [
        ({"system": "file", "system_file": short(CONFIG)}, "system file", "a config, not a system"),
        (
            {"rates": "yours", "fit": "uploaded file", "fit_file": short(CONFIG)},
            "fit file",
            "a config, not a fit",
        ),
    ],
)
def test_a_file_of_another_kind_is_named_once(visit, query, widget, words):
    """A link that names a model's file as a system or as a fit: one line says what it is."""
    store().keep_file(CONFIG.encode(), name="config.json", kind="config")
    app = visit("tensor_parallel", **query)
    lines = [box.value for box in (*app.error, *app.warning) if short(CONFIG) in box.value]

    assert lines == [f"{widget}: {short(CONFIG)} is {words}"]


def test_a_fit_that_cannot_be_read_does_not_answer_in_silence(visit):
    """Calibrated rates answer in its place, and the badge says why."""
    app = visit("tensor_parallel", rates="yours", fit="uploaded file", fit_file="0123456789ab")
    reasons = [item.value for item in app.container(key="headline").caption]

    assert badges(app) == ["calibrated rates"]
    assert any("the fit could not be read" in line for line in reasons)


def test_a_refused_file_is_forgotten_with_the_next_input(visit):
    """A stored id typed after a refusal is read; an emptied field complains of nothing that is gone."""
    store().keep_file(SYSTEM.encode(), name="box.json", kind="system")
    app = upload(visit("collectives", system="file"), "system", " " * 100_001)
    assert any("at most 100,000 bytes" in box.value for box in app.error)

    app.text_input(key="system_file").input(short(SYSTEM)).run()
    assert not app.error
    app.text_input(key="system_file").input("").run()
    assert not any("at most" in box.value for box in app.error)


def test_a_cleared_field_forgets_what_was_refused(visit):
    """A text that was too long is deleted again: none is there yet."""
    app = visit("tensor_parallel", model="config.json")
    app.text_area(key="_model_text").input("é" * 600_000).run()
    assert any("at most 1,000,000 bytes" in box.value for box in app.warning)

    app.text_area(key="_model_text").input("").run()
    assert any("none yet" in box.value for box in app.warning)


def test_undo_brings_the_former_file_back(visit, headline):
    """Two files one after the other: the first is the model again."""
    app = upload(visit("tensor_parallel", model="config.json"), "model", CONFIG)
    first = headline(app)
    upload(app, "model", json.dumps(LLAMA_8B | {"num_hidden_layers": 16}))
    assert headline(app) != first

    app.button(key="_undo_edit").click()
    app.run()
    assert headline(app) == first


def test_without_a_store_a_file_lasts_for_the_session(visit, monkeypatch):
    """The database does not answer: the model is the file all the same, and the reader is told."""
    app = visit("tensor_parallel", model="config.json")
    monkeypatch.setenv("WIRESPEED_DATABASE_URL", "sqlite:////dev/null/none.db")
    upload(app, "model", CONFIG)

    assert "8.03 B parameters" in said(app)
    assert any("this session only" in item.value for item in app.toast)


def test_a_viewers_own_file_lasts_for_the_session_and_is_no_refused_act(visit, monkeypatch):
    """They look at their own model; nobody finds in the audit log that it was refused."""
    monkeypatch.setenv("WIRESPEED_OPEN", "read")
    app = upload(visit("tensor_parallel", model="config.json"), "model", CONFIG)

    assert "8.03 B parameters" in said(app)
    assert any("this session only: This needs the role of an uploader" in item.value for item in app.toast)
    assert shared().audit.entries(action="refused") == []


def test_too_large_a_file_is_refused(visit):
    """Its size limit is named, and nothing is kept."""
    app = upload(visit("tensor_parallel", system="file"), "system", " " * 100_001)

    assert any("at most 100,000 bytes" in box.value for box in (*app.warning, *app.error))
    with pytest.raises(LookupError):
        store().file(short(" " * 100_001))


def test_a_link_opens_a_pasted_log_in_another_session(visit, headline):
    """The address holds the id of the log; a cold session reads it from the store and says the same."""
    app = visit("check", system_from="of the question")
    app.text_area(key="_check_run_text").input(LOG).run()
    again = visit("check", system_from="of the question", check_run_log=short(LOG))

    assert app.session_state["check_run_log"] == short(LOG)
    assert headline(app).startswith("## pasted")
    assert headline(again) == headline(app)


def test_logs_of_a_link_stand_beside_those_of_the_session(visit):
    """Measurements reads what the address names and what is uploaded; what is taken out again leaves the address."""
    visit("check").text_area(key="_check_run_text").input(LOG).run()
    app = visit("measurements", logs=short(LOG))
    app.text_area(key="_logs_text").input(OTHER_LOG).run()
    assert app.session_state["logs"] == f"{short(LOG)},{short(OTHER_LOG)}"
    assert sum(": 1 run" in item.value for item in app.markdown) == 2

    app.text_area(key="_logs_text").input("").run()
    assert app.session_state["logs"] == short(LOG)


@pytest.mark.parametrize(
    ("ids", "words"),
    [("0123456789ab", "no file 0123456789ab is stored here"), ("nonsense", "12 hexadecimal digits")],
)
def test_a_log_that_is_not_here_is_said(visit, ids, words):
    """One line in its place; the page stays."""
    app = visit("measurements", logs=ids)

    assert not app.exception
    assert any(words in box.value for box in app.error)


def test_a_config_is_no_log(visit):
    """An id of another kind of file says what it is."""
    upload(visit("tensor_parallel", model="config.json"), "model", CONFIG)
    app = visit("check", check_run_log=short(CONFIG))

    assert any("is a config, not a log" in box.value for box in app.error)


def test_a_log_too_large_to_keep_is_read_all_the_same(visit, monkeypatch):
    """It is judged in this session, and the page says that a link does not open it."""
    monkeypatch.setattr("pages.ui.shared.documents.MOST_BYTES", 100)
    app = visit("measurements")
    app.text_area(key="_logs_text").input(LOG).run()

    assert any("a link does not open it" in item.value for item in app.caption)
    assert any(": 1 run" in item.value for item in app.markdown)
    assert app.session_state["logs"] == ""
