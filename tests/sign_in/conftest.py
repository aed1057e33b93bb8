"""Pages in process, as somebody who has signed in."""

import shutil
import time

import pytest
from streamlit.testing.v1 import AppTest

from db.store import Store, shared
from pages.http.sign_in.session import Session
from pages.ui.shared.person import SESSION
from tests.pages.conftest import PAGES
from tests.sign_in.forger import environment

LISTS = {
    "WIRESPEED_ADMINS": "root@example.com",
    "WIRESPEED_UPLOADERS": "ada@example.com,bob@example.com",
    "WIRESPEED_VIEWERS": "vera@example.com",
}


@pytest.fixture
def store(tmp_path, monkeypatch, prepared_file) -> Store:
    """The store of a server whose people sign in."""
    monkeypatch.setenv("WIRESPEED_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("WIRESPEED_DATABASE_URL", raising=False)
    for name, value in environment("https://id.example.com", **LISTS).items():
        monkeypatch.setenv(name, value)
    shutil.copy(prepared_file, tmp_path)
    kept = shared()
    kept.prepare()
    return kept


@pytest.fixture
def visit(store):
    """Open a page as somebody, through the place where production hands the checked session to the pages."""

    def opened(name, email="", *, seconds=1e6, **query):
        app = AppTest.from_file(str(PAGES / "shell.py"), default_timeout=120)
        session = Session(email, frozenset(), time.time() + seconds)
        app.user = {SESSION: session.text() if email else None}
        if name != "home":
            app.switch_page(str(PAGES / f"{name}.py"))
        for key, value in query.items():
            app.query_params[key] = str(value)
        app.run()
        return app

    return opened
