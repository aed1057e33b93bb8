"""The page Check: a log gets its verdict, on the machine it names or the one that was chosen."""

import re
from datetime import date
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from db.errors import UnknownRunError
from pages.http.counts import OF_PROCESS
from pages.ui.home.understood.link import link
from pages.ui.home.understood.question import read as understood
from pages.ui.home.understood.unread import unread
from pages.ui.shared import stored
from pages.ui.shared.document import wording
from tests.figures.threads_2026_11_outputs import SECOND as FIGURES
from tests.gpu_probe.formats import nccl as nccl_formats
from tests.gpu_probe.formats import nccl_tests, text, topology
from tests.gpu_probe.thread_logs import log_of
from tests.pages.charts import drawn

SLOW = Path(__file__).parents[2] / "docs" / "examples" / "two-nodes-slow.log"


def paste(app, words):
    """Put a log's text into the page."""
    app.text_area(key="_check_run_text").input(words)
    return app.run()


def log(**options):
    """A log of nccl-tests as text."""
    return text(nccl_tests(**options)).decode()


def evenly_slow(times):
    """A log of one node of H100 that takes so many times as long as predicted at every size."""
    sizes = [2**power for power in range(10, 34)]
    predicted_s = sweep(Scenario(SYSTEMS["dgx-h100"], "all_reduce", 8), sizes).time_s.tolist()
    head, rows = log(ranks=8).split("#        (B)")[0], []
    for size, time_s in zip(sizes, predicted_s, strict=True):
        algbw = size / (times * time_s) / 1e9
        printed = f"{times * time_s * 1e6:.2f} {algbw:.2f} {1.75 * algbw:.2f} 0"
        rows.append(f"{size} {size // 4} float sum -1 {printed} {printed}")
    return "\n".join([head, *rows])


def test_before_a_log_the_verdicts_are_explained(visit):
    """An empty page asks for a log and says what each verdict means."""
    app = visit("check")

    assert not app.exception
    assert any("No log yet" in box.value for box in app.info)
    assert "impossible" in list(app.dataframe[0].value["verdict"])


def test_a_pasted_log_gets_a_verdict_per_size(visit, headline):
    """Every sample of the log stands in the table with a verdict and a reason."""
    app = paste(visit("check", check_system="dgx-h100"), log(ranks=16))

    assert not app.exception
    assert "pasted" in headline(app)
    table = app.dataframe[0].value
    assert len(table) >= 4
    assert set(table["verdict"]) <= {"fine", "low", "high", "impossible", "wrong", "unknown"}
    assert all(table["reason"])
    assert app.get("vega_lite_chart")


def test_a_text_of_no_tool_is_told_what_can_be_read(visit):
    """The tools that the reader knows stand below the refusal, those of a NIC and of AMD too."""
    captions = " ".join(box.value for box in paste(visit("check"), "hello world").caption)

    assert all(name in captions for name in ("nccl-tests", "perftest", "TransferBench"))


def test_an_emptied_paste_leaves_nothing_to_complain_of(visit):
    """Whoever clears the field has asked for no log: the address forgets the one it named, and says nothing of it."""
    app = paste(visit("check"), log(ranks=16))
    assert app.query_params["check_run_log"]
    app = paste(app, "")

    assert not app.warning
    assert "check_run_log" not in app.query_params
    assert any("No log yet" in box.value for box in app.info)


def test_a_link_may_tell_a_result(visit, headline):
    """What Home reads in a question is judged as if it were pasted; opening the link writes nothing to the store."""
    question = "Is 46 GB/s right for two DGX H100?"
    read = understood(question)
    carried = link("check", read)
    app = visit("check", **carried.inputs)

    assert re.search(
        r"46 GB/s busbw at 8 GiB, expected \d+-\d+ GB/s: low, because 1 of 8 NICs", headline(app)
    )
    assert "1 of 1 sample is low." in headline(app)
    short = app.session_state["check_run_log"]
    with pytest.raises(UnknownRunError):
        stored.store().file(short)
    shared = dict(parse_qsl(urlsplit(app.session_state["_page_record"].link).query))
    assert shared["check_run_told"] == carried.inputs["check_run_told"]
    assert "1 of 1 sample is low." in headline(visit("check", **shared))
    assert "check_run_told" not in paste(app, SLOW.read_text()).query_params
    assert "1 of 1 sample" not in headline(app)
    assert unread(read, [carried]) == ()
    alone = understood("Is 46 GB/s right?")
    assert "check_run_told" not in link("check", alone).inputs
    assert unread(alone, [link("check", alone)]) == ()


def test_the_first_section_stays_the_first(visit):
    """A log with other causes opens on them whatever log was there before; a section that was opened stays open."""
    fine = SLOW.with_name("two-nodes.log").read_text()
    app = paste(visit("check"), fine)
    assert app.session_state["tab"] == "Message sizes"
    app = paste(app, SLOW.read_text())
    assert app.session_state["tab"] == "Other causes"
    assert "tab" not in app.query_params

    app.segmented_control(key="tab").set_value("CI pipeline").run()
    for log_text in (fine, SLOW.read_text()):
        app = paste(app, log_text)
        assert app.session_state["tab"] == "CI pipeline"


def test_wrong_results_are_the_verdict(visit, headline):
    """Where the tool found wrong values the time does not matter."""
    app = paste(visit("check", check_system="dgx-h100"), log(ranks=16, inside="12"))

    assert ": wrong" in headline(app)


def test_the_document_is_about_the_system_of_the_log(visit):
    """A log of H100 on a question about A100: document and file name the machine that was judged."""
    app = paste(visit("check", system="dgx-a100"), SLOW.read_text())
    shown = app.session_state["_page_record"]
    assert wording.subject_line(shown) == "DGX H100 · measured rates"
    assert "dgx-h100-2026" in wording.file_name((shown,), "pdf", date(2026, 11, 27))


def test_the_system_decides(visit, headline):
    """The same log on a machine with a hundredth of the wire is impossible there."""
    app = paste(visit("check", check_system="rtx-4090-x8", network="ib-sdr", nics=1), log(ranks=16))

    assert not app.exception
    assert "impossible" in headline(app)


def test_a_log_of_other_gpus_is_judged_by_them(visit, headline):
    """A log of H800 on the chosen DGX H100 is that of a board of H800, and the page says so."""
    (thread,) = (item for item in FIGURES if item.id == "nccl-1374, H800")
    app = paste(visit("check", system="dgx-h100", system_from="of the question"), log_of(thread))

    assert not app.exception
    assert "215 GB/s" in headline(app)
    assert "fine" in headline(app)
    assert any("not the H100 SXM5 80GB" in item.value for item in app.caption)


def test_a_verdict_is_counted_once_while_it_stands(visit):
    """/metrics tells how many runs got which verdict; drawing the page again is no other verdict."""
    before = dict(OF_PROCESS.counts().verdicts)
    app = paste(visit("check", check_system="dgx-h100"), log(ranks=16, inside="12")).run()
    after = dict(OF_PROCESS.counts().verdicts)

    assert not app.exception
    assert after == before | {"wrong": before.get("wrong", 0) + 1}
    assert f'wirespeed_verdicts_total{{verdict="wrong"}} {after["wrong"]}' in OF_PROCESS.lines()


def test_words_of_a_log_are_no_markdown(visit, headline):
    """A GPU name with a link in it is shown as it is."""
    words = log(ranks=16).replace("NVIDIA H100 80GB HBM3", "NVIDIA H100 [click](http://x)")
    app = paste(visit("check", check_system="dgx-h100"), words)

    assert not app.exception
    assert not any("[click](http" in part.value for part in (*app.markdown, *app.caption))


def test_a_file_that_is_no_log_is_one_line(visit):
    """Nonsense is refused in a line."""
    app = paste(visit("check"), "lorem ipsum")

    assert not app.exception
    assert len(app.error) == 1


def test_a_stored_run_opens_from_the_address(visit, headline):
    """A link to a stored run asks the same question again."""
    app = visit("measurements")
    app.file_uploader(key="_logs").upload("a.log", text(nccl_tests(ranks=16)))
    app.run()
    next(button for button in app.button if button.label == "Save").click()
    app.run()

    again = visit("check", check_run="1", check_system="dgx-h100")
    assert not again.exception
    assert "a.log · 16 × H100 · " in headline(again)
    assert not any(button.label == "Store this run" for button in again.button)


def test_the_headline_holds_the_number(visit, headline):
    """Rate, size, expected range and verdict stand in the first line; the reason is said once."""
    app = paste(visit("check", check_system="dgx-h100"), log(ranks=16))

    assert re.search(
        r"GB/s busbw at [\d.]+ [KMG]iB, expected [\d.]+-[\d.]+ GB/s: (low|fine|high)", headline(app)
    )


def test_a_reason_is_said_once(visit, headline):
    """Of a run on one of eight NICs the cause stands below the headline with its weight, and nowhere else in full."""
    app = visit("check", check_system="dgx-h100", domains=2)
    app.file_uploader(key="_check_run_file").upload("slow.log", SLOW.read_bytes())
    app.run()
    shown = " ".join(part.value for part in (*app.markdown, *app.caption))

    assert not app.exception
    assert ": low, because 1 of 8 NICs" in headline(app)
    assert shown.count("arge sizes run as if 1 of 8 NICs") == 1
    assert app.segmented_control(key="tab").options == ["Other causes", "Message sizes", "CI pipeline"]


def test_a_run_that_nothing_explains_is_told_what_it_may_be(visit, headline):
    """A node four times as slow at every size: the headline tells what it may be; below it stands what to run."""
    app = paste(visit("check"), evenly_slow(4))
    shown = " ".join(part.value for part in (*app.markdown, *app.caption))

    assert not app.exception
    assert "low, perhaps one slow GPU or link, or " in headline(app)
    assert "no known cause" not in shown
    assert "Possible cause, and what to run next" in [box.value for box in app.subheader]


def test_candidates_are_not_told_as_the_reason(visit):
    """A rate alone tells no cause: what is possible is named with its share, and not as what the log says."""
    app = paste(visit("check"), "all_reduce on 2 nodes of 8x H100: 130 GB/s busbw at 8 GiB")
    shown = " ".join(part.value for part in (*app.markdown, *app.caption))

    assert "nothing in the log names one cause: PCIe path" in shown


def test_a_click_stores_the_run_that_was_checked(visit):
    """The pasted run goes to the store under its name; checked and stored again it is the same run."""
    app = paste(visit("check", check_system="dgx-h100"), log(ranks=16))
    next(button for button in app.button if button.label == "Store this run").click()
    app.run()
    assert any(":green-badge" in line.value and "stored as pasted" in line.value for line in app.markdown)

    again = paste(visit("check", check_system="dgx-h100"), log(ranks=16))
    next(button for button in again.button if button.label == "Store this run").click()
    again.run()
    assert any("already stored as pasted" in line.value for line in again.markdown)
    names = visit("check").selectbox(key="check_run").options
    assert len(names) == 2


def test_rates_of_ones_own_are_judged_by(visit):
    """Datasheet rates and typed figures judge as well as calibrated ones, without an error."""
    for query in ({"rates": "spec"}, {"rates": "yours", "measured_1g_ms": 4.0}):
        app = paste(visit("check", check_system="dgx-h100", **query), log(ranks=16))

        assert not app.exception
        assert not app.error


def test_the_other_runs_of_a_file_count(visit, headline, monkeypatch):
    """Six NVLinks to each of three peers in the same paste: 125 GB/s between two GPUs is as expected, as the shell says."""
    monkeypatch.setattr(nccl_formats, "time_us", lambda size: 10.0 + size / 125e3)
    words = text([*topology(4, nics=0, path="NV6"), "", *nccl_tests(ranks=2)]).decode()
    alone = paste(visit("check", check_system="dgx-h100"), text(nccl_tests(ranks=2)).decode())
    together = paste(visit("check", check_system="dgx-h100"), words)

    assert not together.exception
    assert (": low" in headline(alone), ": fine" in headline(together)) == (True, True)


def test_one_size_has_its_interval_drawn(visit):
    """A result of one message size stands beside its interval, on an axis with a label for that size alone."""
    paths = {}
    for name, app in (
        ("told", visit("check", check_run_told="all_reduce on 8x H100: 400 GB/s busbw at 1 GiB")),
        ("log", paste(visit("check"), SLOW.read_text())),
    ):
        spec = drawn(app)[0].spec
        paths[name] = [layer["mark"]["type"] for layer in spec["layer"]]
        told_axis = spec["layer"][0]["encoding"]["x"]
        assert (told_axis["axis"]["values"] == [2**30]) == (name == "told")
        assert ("domain" in told_axis["scale"]) == (name == "told")

    assert paths == {"told": ["bar", "tick", "point"], "log": ["area", "line", "point"]}
