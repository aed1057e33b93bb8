"""What a run draws reaches the event loop together, whole and in its order."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from pages.http import together
from pages.http.together import Waiting, presses


def test_elements_wake_the_loop_once_and_an_end_at_once():
    """Three elements ask for one visit of the loop, the end of the run for another without delay; all are made in order."""
    wakes, made = [], []
    waiting = Waiting(wakes.append)
    for name in ("title", "headline", "chart"):
        waiting.add(lambda name=name: made.append(name), at_once=False)
    waiting.add(lambda: made.append("end"), at_once=True)

    assert wakes == [False, True]
    waiting.run()
    waiting.run()
    assert made == ["title", "headline", "chart", "end"]

    waiting.add(lambda: made.append("next run"), at_once=False)
    assert wakes == [False, True, False]


def test_what_is_drawn_while_the_loop_wakes_waits_on():
    """The answer goes alone; a chart drawn before the loop came is sent with what follows it, and nothing twice."""
    wakes, made = [], []
    waiting = Waiting(wakes.append)
    waiting.add(lambda: made.append("answer"), at_once=True)
    waiting.add(lambda: made.append("chart"), at_once=False)

    waiting.run_due()
    assert (made, wakes) == (["answer"], [True, False])
    waiting.run_due()
    assert made == ["answer"]
    waiting.run()
    assert made == ["answer", "chart"]


def drawn(*path, key="", folded=False):
    """A message that draws at a path: a container of this key or an expander, else an element."""
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    if key:
        message.delta.add_block.id = f"flex_container-0-{key}"
    elif folded:
        message.delta.add_block.expandable.label = "Numbers"
    else:
        message.delta.new_element.markdown.body = "words"
    return message


def test_the_answer_of_a_page_is_sent_before_what_follows_it():
    """The first message behind the headline and all within it is the one that does not wait; later ones do again."""
    waiting = Waiting(lambda _: None)
    run = [
        drawn(0, 0),
        drawn(0, 1, key="headline"),
        drawn(0, 1, 0),
        drawn(0, 1, 2, 0),
        drawn(0, 2),
        drawn(0, 3),
    ]

    assert [waiting.part_ended(message) for message in run] == [False, False, False, False, True, False]


def test_the_beginning_of_a_run_waits_for_its_answer():
    """A run reaches the browser in three parts: up to the answer, the charts, the end of the page with that of the run."""
    waiting = Waiting(lambda _: None)
    start, element, end = (
        ScriptRunnerEvent.SCRIPT_STARTED,
        ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
        ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS,
    )
    run = [
        (start, None),
        (element, drawn(0, 0, key="headline")),
        (element, drawn(0, 0, 0)),
        (element, drawn(0, 1)),
        (element, drawn(0, 2)),
        (element, drawn(0, 3, folded=True)),
        (element, drawn(0, 3, 0)),
        (element, drawn(0, 4, key="page_end")),
        (end, None),
    ]
    pressing = [False, False, False, True, False, True, False, False, True]

    assert [presses(waiting, *event) for event in run] == pressing
    assert [presses(waiting, *event) for event in run] == pressing  # of the next run
    unfolded = run[:5] + run[7:]
    assert [presses(waiting, *event) for event in unfolded] == [False, False, False, True, False, True, True]


def test_what_is_folded_above_the_answer_ends_no_part():
    """An expander among the inputs waits with them."""
    waiting = Waiting(lambda _: None)
    assert not waiting.part_ended(drawn(0, 0, folded=True))


class Session:
    """What is asked of a session: its loop, on which calls are made when the clock is moved on."""

    def __init__(self):
        self.later = []
        self._event_loop = self

    def _call_soon_on_event_loop(self, call):
        call()

    def call_later(self, delay_s, call):
        self.later.append((delay_s, call))


def test_a_timer_of_an_earlier_visit_leaves_newer_elements_to_wait():
    """The timer of the run's beginning, due after the answer has gone, does not send half of the charts."""
    session, made = Session(), []
    waiting = together.of_session(session)
    waiting.add(lambda: made.append("start"), at_once=False)
    waiting.add(lambda: made.append("answer"), at_once=True)
    waiting.add(lambda: made.append("chart"), at_once=False)
    assert made == ["start", "answer"]

    (_, of_the_start), (delay_s, of_the_chart) = session.later
    of_the_start()
    assert made == ["start", "answer"]
    of_the_chart()
    assert (made, delay_s) == (["start", "answer", "chart"], together.DELAY_S)


def test_a_call_that_fails_leaves_the_others_to_be_made():
    """The loop hears of the failure, is woken again, and then makes what was behind it."""
    wakes, made = [], []
    waiting = Waiting(wakes.append)
    waiting.add(lambda: 1 / 0, at_once=False)
    waiting.add(lambda: made.append("after"), at_once=False)

    with pytest.raises(ZeroDivisionError):
        waiting.run()
    assert wakes == [False, True]
    waiting.run()
    assert made == ["after"]


def test_no_call_of_many_threads_is_lost():
    """Four threads hand over to a running loop at once: it makes every call, those of a thread in their order."""
    made = []

    async def collect():
        loop = asyncio.get_running_loop()
        waiting = Waiting(lambda _: loop.call_soon_threadsafe(waiting.run))
        with ThreadPoolExecutor(4) as threads:
            handed = [loop.run_in_executor(threads, hand_over, waiting, thread) for thread in range(4)]
            await asyncio.gather(*handed)
        done = asyncio.Event()
        waiting.add(done.set, at_once=True)
        await done.wait()

    def hand_over(waiting, thread):
        for number in range(500):
            waiting.add(lambda number=number: made.append((thread, number)), at_once=False)

    asyncio.run(collect())
    assert [[number for owner, number in made if owner == thread] for thread in range(4)] == 4 * [
        [*range(500)]
    ]
