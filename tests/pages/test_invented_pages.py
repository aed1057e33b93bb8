"""Every page takes hardware that does not exist from its catalog entries."""

import pytest

from pages.ui.shared.navigation import SECTIONS
from tests import invented
from tests.gpu_probe.formats import nccl_tests, text

SYSTEM_KEYS = {
    "nvl72": "rack",
    "check": "check_system",
    "my_cluster": "cluster_system",
    "measurements": "overlay_system",
}
"""Where a page calls the system something else in its address than ``system``."""

PAGES = [page.name for pages in SECTIONS.values() for page in pages]
SYSTEMS = (invented.SAME_LINK, invented.FASTER_LINK, invented.NEW_GENERATION)
PAIRS = [
    pytest.param(
        name,
        system_id,
        marks=() if system_id in (invented.NEW_GENERATION, SYSTEMS[place % 2]) else pytest.mark.slow,
    )
    for place, name in enumerate(PAGES)
    for system_id in SYSTEMS
]
"""Every page with the strangest hardware and, in turn, with one that is nearer to what exists; ``make soak`` has all."""


@pytest.fixture(autouse=True)
def _invented(monkeypatch):
    invented.add(monkeypatch)


@pytest.mark.parametrize(("name", "system_id"), PAIRS)
def test_every_page_answers_for_hardware_that_does_not_exist(visit, name, system_id):
    """No exception and no error box; a calculator has an answer for two domains of it."""
    key = SYSTEM_KEYS.get(name, "system")
    app = visit(name, **{key: system_id, "domains": 2})

    assert not app.exception
    assert not app.error
    assert not [box.value for box in app.warning if "The address asks" in box.value]


@pytest.mark.parametrize("name", ["collectives", "tensor_parallel", "training"])
def test_calculators_answer_for_a_new_part_of_a_measured_generation(visit, headline, name):
    """The page has its sentence for two domains of it."""
    app = visit(name, system=invented.FASTER_LINK, domains=2)

    assert not app.exception
    assert len(headline(app)) > 40


def test_a_log_is_checked_against_it(visit, headline):
    """Each size of a pasted log gets a verdict on the invented system."""
    app = visit("check", check_system=invented.FASTER_LINK, tab="Message sizes")
    app.text_area(key="_check_run_text").input(text(nccl_tests(ranks=8)).decode())
    app.run()

    assert not app.exception
    assert "pasted" in headline(app)
    assert set(app.dataframe[0].value["verdict"]) <= {"fine", "low", "high", "impossible"}


def test_a_custom_system_of_it_can_be_stated(visit, headline):
    """Its GPU stands in the form of a custom system, joined through switches as its entry says."""
    app = visit("collectives", system="yours", own_gpu="f100")

    assert not app.exception
    assert len(headline(app)) > 40
    assert any("(switch)" in caption.value for caption in app.caption)
