"""What a run draws reaches the event loop together, whole and in its order."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.http.together import Waiting


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


def drawn(*path, key=""):
    """A message that draws at a path: a container of this key, else an element."""
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    if key:
        message.delta.add_block.id = f"flex_container-0-{key}"
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

    assert [waiting.answered(message) for message in run] == [False, False, False, False, True, False]


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
