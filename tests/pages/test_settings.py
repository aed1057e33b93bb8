"""Settings of the server that keep a page alive."""

import tomllib
from pathlib import Path

SETTINGS = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"
RUNS_OF_A_HURRY = 20


def test_a_browser_keeps_what_quick_reruns_still_name():
    """Changes one after another race with the browser's clearing: it keeps charts for longer than a hurry lasts."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))

    assert settings["global"]["maxCachedMessageAge"] > RUNS_OF_A_HURRY
