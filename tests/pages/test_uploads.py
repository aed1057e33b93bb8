"""Uploads: named in the address by a short id that opens the same answer in any session, and says when not."""

import hashlib
import json

import pytest

from core.systems import CustomSystem, custom_system, system_json
from pages.ui.shared.stored import store
from tests.pages.test_config import LLAMA_8B, said

CONFIG = json.dumps(LLAMA_8B)
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


def test_too_large_a_file_is_refused(visit):
    """Its size limit is named, and nothing is kept."""
    app = upload(visit("tensor_parallel", system="file"), "system", " " * 100_001)

    assert any("at most 100,000 bytes" in box.value for box in (*app.warning, *app.error))
    with pytest.raises(LookupError):
        store().file(short(" " * 100_001))
