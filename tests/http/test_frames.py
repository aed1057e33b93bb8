"""Hostile websocket frames and many reruns at the real server: it stays up, others go on, its memory is bounded."""

import random
from contextlib import contextmanager, suppress

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import WebSocketException

from tests.bench import memory
from tests.bench.processes import resident_bytes
from tests.bench.ui import servers
from tests.bench.window import ENDED, Window
from tests.server import ANSWER_S, Server

SHORT, LONG = 60, 3000
MOST_GROWTH_BYTES = 120e6
HUGE_BYTES = 40_000_000
FLOOD = 60
RERUNS, RERUNS_MOST_BYTES = 96, 12e6
CAMPAIGN_MOST_BYTES = 64e6


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of its own: what is thrown at it concerns no other test."""
    with Server(tmp_path_factory.mktemp("frames")) as running:
        yield running


@contextmanager
def visiting(server):
    """Somebody with a page open."""
    with server.websocket() as socket:
        visitor = Visitor(socket)
        visitor.ask()
        yield visitor


class Visitor:
    """Somebody with a page open who edits it."""

    def __init__(self, socket, page="kv_transfer"):
        self.window = Window(page)
        self.socket = socket

    def ask(self, edited=None):
        """Ask for a run and read all of it: whether it answered, and what failed."""
        self.socket.send(self.window.request(edited))
        while self.window.read(self.socket.recv(ANSWER_S)) != ENDED:
            pass
        return self.window.headline, self.window.failed


def question(rng):
    """A valid wish to run a page, with fields that nobody checked."""
    message = BackMsg()
    run = message.rerun_script
    run.query_string = "".join(rng.choices("ab=&%\x00\u2028é?", k=rng.randrange(200)))
    run.page_script_hash = rng.choice(["", "nothing", "../../etc/passwd", "\x00" * 50])
    run.page_name = rng.choice(["", "collectives", "no such page", "\x00", "a" * 10_000])
    run.cached_message_hashes.extend(f"{rng.random()}" for _ in range(rng.randrange(50)))
    for _ in range(rng.randrange(30)):
        run.widget_states.widgets.add(
            id=rng.choice(["", "$$ID-none-x", "$$STREAMLIT_INTERNAL_KEY", "\x00", f"{rng.random()}"]),
            **rng.choice(
                [
                    {"string_value": "x" * rng.randrange(9)},
                    {"double_value": float("nan")},
                    {"int_value": -(2**63)},
                ]
            ),
        )
    run.fragment_id = rng.choice(["", "no such fragment"])
    return message.SerializeToString()


def frame(rng):
    """Noise, a part of a message, a whole one with strange fields, one of another kind, a text, or nothing."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 2000))
    if kind == 1:
        whole = question(rng)
        return whole[: rng.randrange(len(whole) + 1)]
    if kind == 2:
        return question(rng)
    if kind == 3:
        whole = bytearray(question(rng))
        for _ in range(5):
            whole[rng.randrange(len(whole))] = rng.randrange(256)
        return bytes(whole)
    if kind == 4:
        message = BackMsg()
        setattr(
            message,
            rng.choice(["stop_script", "clear_cache", "load_git_info", "debug_shutdown_runtime"]),
            True,
        )
        return message.SerializeToString()
    return rng.choice(["", "text", b""])


def throw(server, count, seed=1):
    """So many frames over connections that the server may close at any time."""
    rng, sent = random.Random(seed), 0  # noqa: S311 - the same frames each time
    while sent < count:
        with suppress(WebSocketException, OSError), server.websocket() as socket:
            for _ in range(rng.randrange(1, 12)):
                sent += 1
                socket.send(frame(rng))
            with suppress(TimeoutError):
                socket.recv(0.05)


def test_noise_and_strange_messages_harm_nobody(server):
    """A visitor edits before and after; the process is the same and has grown little."""
    with visiting(server) as visitor:
        assert visitor.ask({"context": 8192.0}) == (True, "")
        before = resident_bytes([server.process.pid])
        throw(server, SHORT)

        assert visitor.ask({"context": 16384.0}) == (True, "")
    assert server.process.poll() is None
    assert resident_bytes([server.process.pid]) - before < MOST_GROWTH_BYTES


def test_a_huge_frame_closes_the_connection_that_sent_it(server):
    """It is refused unread; whoever has a page open notices nothing."""
    with visiting(server) as visitor:
        before = resident_bytes([server.process.pid])
        with suppress(WebSocketException, OSError), server.websocket() as huge:
            huge.send(bytes(HUGE_BYTES))
            huge.recv(ANSWER_S)
            pytest.fail("a frame of that size was answered")

        assert visitor.ask({"context": 20480.0}) == (True, "")
    assert resident_bytes([server.process.pid]) - before < MOST_GROWTH_BYTES


def test_of_a_flood_of_wishes_the_last_is_answered(server):
    """Sixty at once, of a session that there never was: one answer at the end, and others go on."""
    flooding = Window("kv_transfer")
    with visiting(server) as visitor, server.websocket("no-token", "no-such-session") as socket:
        for _ in range(FLOOD):
            socket.send(flooding.request())
        assert visitor.ask({"context": 24576.0}) == (True, "")
        while flooding.read(socket.recv(ANSWER_S)) != ENDED or not flooding.headline:
            pass

    assert server.process.poll() is None


@pytest.mark.parametrize("query", ["", "?frames=joined"])
def test_a_visitor_who_never_reads_waits_alone(server, query):
    """Answers that nobody takes do not fill the memory."""
    with server.websocket() as reader:
        Visitor(reader, "collectives").ask()
    before = resident_bytes([server.process.pid])
    window = Window("collectives")
    never = {"max_queue": 16, "close_timeout": 0}  # nor is the end of the channel waited for
    with suppress(WebSocketException, OSError), server.websocket(query=query, **never) as deaf:
        for _ in range(FLOOD):
            deaf.send(window.request())
        with visiting(server) as visitor:
            assert visitor.ask({"context": 32768.0}) == (True, "")
    assert resident_bytes([server.process.pid]) - before < MOST_GROWTH_BYTES


def test_reruns_leave_the_memory_as_it_was(server):
    """Eight questions in turn, all answered before: the second half of the runs keeps next to nothing."""
    sizes = []
    with visiting(server) as visitor:
        for number in range(RERUNS):
            assert visitor.ask({"context": 4096.0 * (2 + number % 8)}) == (True, "")
            sizes.append(resident_bytes([server.process.pid]))

    assert sizes[-1] - sizes[RERUNS // 2] < RERUNS_MOST_BYTES


@pytest.mark.slow
def test_ten_thousand_reruns_of_all_calculators_leave_the_memory_flat(record_property):
    """Every edit another value: once the remembered answers are full, ten thousand more add little."""
    with servers.application() as application:
        sizes = memory.readings(application, 10_000)

    growth = 10_000 * memory.growth_bytes(sizes, 10_000)
    record_property(
        "figures", f"{[round(size / 2**20) for size in sizes]} MiB, {growth / 2**20:.1f} MiB in 10,000 more"
    )
    assert growth < CAMPAIGN_MOST_BYTES


@pytest.mark.slow
def test_thousands_of_frames_leave_the_server_as_it_was(server):
    """The long campaign: other seeds, and the second half of the frames adds next to nothing to the memory."""
    sizes = []
    with visiting(server) as visitor:
        for seed in range(2, 8):
            throw(server, LONG // 6, seed)
            assert visitor.ask({"context": 8192.0 + 64 * seed}) == (True, "")
            sizes.append(resident_bytes([server.process.pid]))

    assert sizes[-1] - sizes[2] < MOST_GROWTH_BYTES / 4
