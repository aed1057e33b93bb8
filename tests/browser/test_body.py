"""An edit of an input of a page's own runs the page without the bar; the bar follows where it has to."""

from contextlib import contextmanager
from urllib.parse import parse_qsl, urlsplit

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.bench.window import ENDED, Window
from tests.server import ANSWER_S, websocket


class Visitor:
    """A page as its websocket sees it."""

    def __init__(self, socket, page):
        self.socket, self.window = socket, Window(page)

    def ask(self, edited=None):
        """The texts of what the server draws in answer: labels, sentences and code."""
        self.socket.send(self.window.request(edited))
        texts, kind = [], ""
        while kind != ENDED:
            data = self.socket.recv(ANSWER_S)
            kind = self.window.read(data)
            texts += said(ForwardMsg.FromString(data))
        assert not self.window.failed
        return texts


def said(message):
    """The words of a message."""
    delta = message.delta
    element = delta.new_element
    return [
        text
        for text in (
            delta.add_block.popover.label,
            element.markdown.body,
            element.code.code_text,
            f"{element.button.label} {element.button.disabled}" if element.button.label else "",
        )
        if text
    ]


@contextmanager
def visiting(server, page):
    """Somebody who has the page open."""
    with websocket(server) as socket:
        yield Visitor(socket, page)


def link(texts):
    """The inputs that the full link holds."""
    return dict(parse_qsl(urlsplit(next(text for text in texts if "?v=" in text)).query))


def bar(texts):
    """The labels of the parts of the question."""
    return [text for text in texts if text.startswith(":gray[")]


def test_the_second_edit_of_a_pages_own_input_leaves_the_bar(server):
    """The first edit makes Undo possible; from the second on only the page is drawn, with all it says of the question."""
    with visiting(server, "collectives") as visitor:
        first = visitor.ask()
        second = visitor.ask({"ranks": 4.0})
        third = visitor.ask({"ranks": 6.0})

    assert len(bar(first)) == len(bar(second)) == 6
    assert "Undo True" in first
    assert "Undo False" in second
    assert not bar(third)
    assert any(text.startswith("## All-reduce of 1 GiB over 6 GPUs") for text in third)
    assert any("4 → 6" in text for text in third)
    assert link(third) == {**link(second), "ranks": "6"}


def test_an_input_of_the_page_that_the_bar_shows_draws_the_bar(server):
    """Layouts that serve are those of a serving engine: the goal is the page's, the software stands in the bar."""
    with visiting(server, "layouts") as visitor:
        visitor.ask()
        visitor.ask({"goal": ["throughput"]})
        training = visitor.ask({"goal": ["train"]})
        serving = visitor.ask({"goal": ["latency"]})

    assert any("Megatron-LM (auto)" in label for label in bar(training))
    assert any("vLLM (auto)" in label for label in bar(serving))
