"""A decision document names what answered, and says it once."""

from pages.ui.shared.document import wording
from pages.ui.shared.document.spans import plain
from pages.ui.shared.record import Input, Record


def test_a_document_names_the_rates_that_answered():
    """Calibrated rates were chosen and the datasheet answered: the line under the title says spec, as the box does."""
    record = Record("nvl72", "NVL72 capacity", origin="spec")
    record.inputs["rates"] = Input("rates", "Rates", "calibrated", "calibrated")

    assert wording.subject_line(record) == "spec rates"


def test_a_document_says_a_verdict_once(visit):
    """The comparison with the H200 is in the box of the answer; it is not said again below it."""
    app = visit("nvl72", system="gb200-nvl72", model="deepseek-v3-r1", weights="fp8", requests=32)
    text = plain(
        " ".join((app.session_state["_page_record"].crossovers, *app.session_state["_page_record"].findings))
    )

    assert text.count("tokens/s per GPU, 1.") == 1
