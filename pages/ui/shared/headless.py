"""A page's inputs read from an address and its answer computed, with nothing drawn."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState

from pages.ui.shared import bound, record
from pages.ui.shared.question import bar

Answer = TypeVar("Answer")


class _Outcome(Generic[Answer]):
    """What the thread of a headless page came to."""

    answer: Answer
    problem: BaseException | None = None


def answer(page: str, query: str, calculate: Callable[[], Answer]) -> Answer:
    """
    What ``calculate`` makes of a page's widgets where the address holds ``query``.

    The widgets are those of the page, in a session of their own whose messages nobody receives: every
    input means what it means on the page, former names included.

    Args:
        page: Name of the page in the address.
        query: The address behind the question mark.
        calculate: Draws the page's own widgets and computes; the shared question stands before.

    Raises:
        InputError: The inputs have no answer.
    """
    outcome: _Outcome[Answer] = _Outcome()

    def run() -> None:
        try:
            bound.start()
            record.start(page, page)
            bar.start(page)
            outcome.answer = calculate()
        except BaseException as problem:  # noqa: BLE001 (raised again where the page waits)
            outcome.problem = problem

    thread = threading.Thread(target=run, name=f"headless {page}", daemon=True)
    add_script_run_ctx(thread, _session(query))
    thread.start()
    thread.join()
    if outcome.problem is not None:
        raise outcome.problem
    return outcome.answer


def _session(query: str) -> ScriptRunContext:
    """A session of its own with this address, beside that of the page that asks."""
    visible = get_script_run_ctx()
    if visible is None:
        message = "a page is answered from within a page"
        raise RuntimeError(message)
    context = ScriptRunContext(
        session_id=f"{visible.session_id} headless",
        _enqueue=lambda _: None,
        query_string=query,
        session_state=SafeSessionState(SessionState(), lambda: None),
        uploaded_file_mgr=visible.uploaded_file_mgr,
        main_script_path=visible.main_script_path,
        user_info=visible.user_info,
        fragment_storage=MemoryFragmentStorage(),
        pages_manager=visible.pages_manager,
        context_info=visible.context_info,
    )
    with context.session_state.query_params() as parameters:
        parameters.populate_from_query_string(query)
        parameters.set_initial_query_params(query)
    return context
