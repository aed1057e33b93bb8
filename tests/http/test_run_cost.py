"""What is remembered between runs says the same as Streamlit says anew."""

import pytest
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from pages.http.run_cost import VisibleState, holds, read, remembered


def test_a_theme_is_read_once_and_filled_in_each_time():
    """The second message of a section is like the first, and the configuration was read for the first alone."""
    read = []

    def populate(message, section="theme"):
        read.append(section)
        message.primary_color = f"#{len(read)}"
        message.heading_font_sizes.extend(["2rem", "1rem"])

    theme, messages = remembered(populate), [CustomThemeConfig() for _ in range(3)]
    theme(messages[0])
    theme(messages[1], "theme.dark")
    theme(messages[2])

    assert read == ["theme", "theme.dark"]
    assert messages[0] == messages[2]
    assert messages[1].primary_color == "#2"


def test_the_state_looked_up_key_by_key_is_the_whole_state():
    """Each key, and none of Streamlit's own, is there with the value of the dictionary that Streamlit builds."""
    state = SessionState()
    state["ranks"], state["size"] = 8, None
    state["$$STREAMLIT_INTERNAL_KEY_x"] = 1
    visible = VisibleState(SafeSessionState(state, lambda: None))

    assert dict(visible) == state.filtered_state == {"ranks": 8, "size": None}
    assert len(visible) == 2
    for unknown in ("tokens", "$$STREAMLIT_INTERNAL_KEY_x", "$$ID-abc-None"):
        assert unknown not in visible
        with pytest.raises(KeyError):
            visible[unknown]


def test_looking_a_value_up_gives_it_without_asking_whether_to_stop():
    """A value, a missing key and a key's presence are those of the state; the run's own question is not asked."""
    state, asked = SessionState(), []
    state["ranks"] = 8
    safe = SafeSessionState(state, lambda: asked.append(1))

    assert read(safe, "ranks") == 8
    assert holds(safe, "ranks")
    assert not holds(safe, "size")
    with pytest.raises(KeyError):
        read(safe, "size")
    assert not asked
