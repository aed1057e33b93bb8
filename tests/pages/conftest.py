"""Pages in process: the real shell script, one page switched to, the URL seeded."""

import shutil
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.ui.shared.document import drawer
from tests.pages.drawing import Drawing

PAGES = Path(__file__).resolve().parents[2] / "pages"


@pytest.fixture(scope="session", autouse=True)
def _read_once():
    """Each run of a page would read the metadata of every installed package and compile the page again."""
    components, code = manifest_scanner.scan_component_manifests(), ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: components)
        patch.setattr(local_script_runner, "ScriptCache", lambda: code)
        yield


@pytest.fixture
def visit(tmp_path, monkeypatch, prepared_file):
    """Open a page by its file's name with these query parameters; a data folder and an empty store of its own."""
    if not (tmp_path / prepared_file.name).exists():
        shutil.copy(prepared_file, tmp_path)
    monkeypatch.setenv("WIRESPEED_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("WIRESPEED_DATABASE_URL", raising=False)

    def opened(name, **query):
        app = AppTest.from_file(str(PAGES / "shell.py"), default_timeout=120)
        if name != "home":
            app.switch_page(str(PAGES / f"{name}.py"))
        for key, value in query.items():
            app.query_params[key] = [str(item) for item in value] if isinstance(value, list) else str(value)
        app.run()
        return app

    return opened


@pytest.fixture(scope="module")
def _drawing():
    """The process that draws all pictures of a file of tests."""
    process = Drawing()
    yield process
    process.close()


@pytest.fixture
def one_drawing(_drawing, monkeypatch):
    """Pictures are drawn as on the server, yet in one process for all of a file."""
    monkeypatch.setattr(drawer, "_drawn", _drawing.drawn)


@pytest.fixture
def headline():
    """The text of the answer at the top of a page."""
    return lambda app: " ".join(part.value for part in app.container(key="headline").markdown)
