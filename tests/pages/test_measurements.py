"""The measurements page: a log read, kept once, laid over the model, deleted and brought back."""

import json
import re
import resource
from itertools import combinations

import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement import Machine, Matrix, Run
from core.measurement.run_json import to_json
from core.systems import configure
from core.verdict import judge_run
from core.verdict.acceptance import Acceptance, Member
from core.verdict.log_network import network_of
from core.verdict.records import Status
from gpu_probe.parsers import read
from gpu_probe.parsers.worker import read_upload
from pages.ui.measurements import acceptance
from pages.ui.measurements.interval import as_judged
from pages.ui.shared import preview
from pages.ui.shared.document import spans
from pages.ui.shared.messages import plain
from tests.cluster import cluster, copies
from tests.cluster import name as node
from tests.core.test_acceptance import a_pair
from tests.gpu_probe.formats import nccl_tests, text


def log(**options):
    """A log as nccl-tests prints it, sixteen GPUs on two hosts."""
    return text(nccl_tests(ranks=16, **options))


def upload(app, *files):
    """Put files into the page's uploader."""
    for name, data in files:
        app.file_uploader(key="_logs").upload(name, data)
    return app.run()


def save(app):
    """Press the first save button."""
    next(button for button in app.button if button.label == "Save").click()
    return app.run()


def listed(app):
    """Rows of the list of stored runs."""
    return next(len(table.value) for table in app.dataframe if "run" in table.value)


def test_a_log_is_recognised_and_drawn(visit, headline):
    """An uploaded log names its ranks and stands over the model at once."""
    app = upload(visit("measurements"), ("a.log", log()))

    assert not app.exception
    assert any("16 ranks" in line.value and "2 hosts" in line.value for line in app.markdown)
    assert "a.log" in headline(app)
    assert app.get("vega_lite_chart")


def test_the_chart_has_the_interval_of_the_verdict():
    """At every measured size the curve is what the run was judged by; beyond them the model's, moved as far."""
    run = read("a.log", log())[0]
    verdict = judge_run(run, configure(SYSTEMS["dgx-h100"], domains=2))
    scenario = Scenario(configure(SYSTEMS["dgx-h100"], domains=2), "all_reduce", 16)
    sizes = sorted({size.size_bytes for size in verdict.sizes if size.expected_s})
    plain = sweep(scenario, sizes)
    told = {size.size_bytes: (size.expected_s, size.low_s, size.high_s) for size in verdict.sizes}
    curve = as_judged(plain, verdict)

    for place, size in enumerate(sizes):
        times = curve.time_s[place], curve.low_s[place], curve.high_s[place]
        assert times == pytest.approx(told[size])
    wider = as_judged(sweep(scenario, [*sizes, 2 * sizes[-1]]), verdict)
    assert wider.low_s[-1] < wider.time_s[-1] < wider.high_s[-1]
    assert as_judged(plain, None) is plain


def test_a_log_that_is_stored_too_is_one_run(visit, headline):
    """The link of a page whose logs were saved holds both: in another session each is judged once."""
    files = [
        (f"{name}.log", log(sizes=(1024, size)))
        for name, size in zip("abcd", (2**20, 2**22, 2**25, 2**30), strict=True)
    ]
    app = upload(visit("measurements"), *files)
    said = headline(app)
    assert "4 runs together" in said
    link = {"logs": app.query_params["logs"]}
    app.button(key="_save_all").click().run()

    again = visit("measurements", **link, runs=app.query_params["runs"])
    assert len(app.query_params["runs"]) == 4
    assert headline(again).split("together")[0] == said.split("together")[0]


def test_the_same_file_twice_is_one_run(visit):
    """Saving again says so, and the list still holds one run."""
    first = save(upload(visit("measurements"), ("a.log", log())))
    assert any("stored as a.log · 16 × H100 · " in line.value for line in first.markdown)
    again = save(upload(visit("measurements"), ("again.log", log())))

    assert any("already stored as a.log · 16 × H100" in line.value for line in again.markdown)
    assert listed(again) == 1


def test_a_deleted_run_comes_back(visit):
    """Delete hides the chosen runs, undo brings them back whole."""
    app = save(upload(visit("measurements"), ("a.log", log())))
    app.button(key="_delete").click().run()
    assert any("No run is stored" in box.value for box in app.info)
    app.button(key="_undo").click().run()

    assert listed(app) == 1
    assert app.multiselect(key="runs").value == ["1"]


def test_a_log_without_a_name_asks_and_proposes(visit):
    """Where the log does not name its collective the page proposes what the rates fit."""
    app = upload(visit("measurements"), ("old.log", log(named=False)))

    assert not app.exception
    assert any(box.value == "all_reduce" for box in app.selectbox)


def test_a_file_that_is_no_log_is_refused_in_one_line(visit):
    """Nonsense is one error line on the page, never a traceback."""
    app = upload(visit("measurements"), ("photo.log", b"\x00\x01nonsense"))

    assert not app.exception
    assert len(app.error) == 1


def test_wrong_results_are_kept_but_not_drawn(visit):
    """Samples whose values the tool found wrong are counted as dropped, with the reason."""
    app = upload(visit("measurements"), ("wrong.log", log(inside="12")))

    assert any("wrong results" in line.value for line in app.caption)


def test_two_stored_runs_are_compared(visit):
    """Two runs of one collective are set against each other size by size."""
    fast, slow = log(), log(sizes=(1024, 1048576, 33554432))
    app = save(upload(visit("measurements"), ("fast.log", fast)))
    app = save(upload(app, ("slow.log", slow)))

    assert app.multiselect(key="runs").value == ["1", "2"]
    assert any("is as fast as" in line.value for line in app.markdown)


def test_runs_that_are_not_judged_are_counted():
    """Of fifty runs the first forty are judged together, and the sentence says of how many."""
    fine = Member("a.log", ("n1", "n2"), Status.FINE, "as expected", 4e11, None, weak=False)
    forty = Acceptance((fine,) * 40, {}, (), (), ("n1: take it out",))

    assert acceptance.counted(forty, 50) == "40 runs (of 50) together: 40 fine."
    assert acceptance.counted(forty, 40).startswith("40 runs together: ")


def test_two_generations_have_a_model_and_a_word_each(visit, headline):
    """Two machines on one overlay: the second is judged by its own model too, not by the first one's."""
    other = log().replace(b"NVIDIA H100 80GB HBM3", b"NVIDIA A100-SXM4-80GB")
    app = upload(visit("measurements"), ("h100.log", log()), ("a100.log", other))

    assert "h100.log · 16 × H100: " in headline(app)
    assert any(line.value.startswith("**a100.log · 16 × A100-SXM4**: ") for line in app.markdown)
    models = [line.value for line in app.caption if line.value.startswith("Model: ")]
    assert ["DGX H100" in models[0], "DGX A100" in models[1], len(models)] == [True, True, 2]


def test_a_link_to_stored_runs_opens_them(visit, headline):
    """The runs on the chart are in the address."""
    save(upload(visit("measurements"), ("a.log", log())))
    app = visit("measurements", runs=["1"])

    assert "a.log · 16 × H100 · " in headline(app)
    assert app.multiselect(key="runs").value == ["1"]


def test_many_headers_of_one_kind_are_one_series(visit, headline):
    """A file with a header for every size asks its question once and is drawn as one series."""
    pieces = b"".join(log(named=False, sizes=(size,)) for size in (1024, 1048576, 33554432))
    app = upload(visit("measurements"), ("pieces.log", pieces))

    assert not app.exception
    assert len([box for box in app.selectbox if "Which collective" in box.label]) == 1
    assert "pieces.log · 16 × H100: " in headline(app)


def test_an_unknown_gpu_is_drawn_without_a_model(visit):
    """Measured points stand alone where the log's GPU is not in the catalog, and the page says so."""
    strange = log().replace(b"NVIDIA H100 80GB HBM3", b"NVIDIA Q990 Prototype")
    app = upload(visit("measurements"), ("spark.log", strange))

    assert not app.exception
    assert app.get("vega_lite_chart")
    assert any("choose a system" in line.value for line in app.caption)


def test_names_from_a_log_are_never_markdown(visit, headline):
    """A hostile name of a GPU or a file is shown as it is: no image, no link, no formatting."""
    lure = b"NVIDIA H100 ![x](https://example.org/x.png)"
    app = upload(visit("measurements"), ("[a](b)*.log", log().replace(b"NVIDIA H100 80GB HBM3", lure)))

    shown = " ".join(line.value for line in app.markdown)
    assert "![x](https" not in shown
    assert r"!\[x\]" in shown
    assert r"\[a\](b)\*.log" in headline(app)


def test_a_run_deleted_in_another_window_can_be_saved_again(visit):
    """What one window deletes, the other no longer calls saved."""
    first = save(upload(visit("measurements"), ("a.log", log())))
    assert not any(button.label == "Save" for button in first.button)
    second = visit("measurements", runs=["1"])
    second.button(key="_delete").click().run()

    assert any(button.label == "Save" for button in first.run().button)


def test_a_link_to_a_run_that_is_gone_says_so(visit):
    """The address of a run nobody has is named, beside the list."""
    app = visit("measurements", runs=["99"])

    assert any("asks for 99" in box.value for box in app.warning)


def test_nvls_on_and_off_are_two_series(visit):
    """Two runs of a file that differ in a setting which changes the algorithm are never one series."""
    on = b"NCCL_NVLS_ENABLE=1 ./all_reduce_perf -b 8\n" + log()
    off = b"NCCL_NVLS_ENABLE=0 ./all_reduce_perf -b 8\n" + log(sizes=(1024, 1048576))
    app = upload(visit("measurements"), ("both.log", on + off))

    assert not app.exception
    assert any("Two runs compared" in part.value for part in app.subheader)


def test_the_same_log_twice_is_shown_once(visit):
    """Uploaded again, under another name and pasted: named as the same content, and nothing breaks."""
    app = upload(visit("measurements"), ("a.log", log()), ("a.log", log()), ("b.log", log()))
    app.text_area(key="_logs_text").input(log().decode()).run()

    assert not app.exception
    assert sum("the same content as a.log" in line.value for line in app.caption) == 3
    assert len([button for button in app.button if button.label == "Save"]) == 1


def test_a_pasted_log_is_as_good_as_a_file(visit, headline):
    """A log pasted as text is read, drawn and saved."""
    app = visit("measurements")
    app.text_area(key="_logs_text").input(log().decode()).run()

    assert "pasted · 16 × H100" in headline(app)
    assert any("stored as pasted" in line.value for line in save(app).markdown)


def test_two_logs_of_one_name_are_two_series(visit):
    """Two files of one name and machine keep apart on the chart."""
    app = upload(visit("measurements"), ("a.log", log()), ("a.log", log(sizes=(1024, 1048576))))

    assert not app.exception
    assert any("a.log · 16 × H100 #2" in line.value for line in app.markdown)


def test_a_matrix_may_have_a_column_named_from():
    """Names of a tool's columns never clash with our own."""
    cells = ((1e9, 2e9), (3e9, None))
    matrix = Matrix("copies", "bandwidth", "one_way", True, ("0", "1"), ("from", "from"), cells)

    assert list(preview.matrix_table(matrix, 1e9).columns) == ["from", "from #2", "from #3"]


def test_an_address_in_a_log_is_no_link():
    """A bare URL, a www name, an e-mail address and the name of an icon stay text."""
    shown = plain("http://evil.example/x.png https://a.b www.evil.example me@evil.example :material/check:")

    assert not re.search(r"https?://|www\.|\w@\w|(?<!\\):material/check:", shown)
    assert shown.replace("\u2060", "") == (
        r"http://evil.example/x.png https://a.b www.evil.example me@evil.example \:material/check:"
    )
    assert plain("11:09:30 on node_1") == "11:09:30 on node_1"


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        (":red[x]", r"\:red\[x\]"),
        ("&copy;", r"\&copy;"),
        ("# x", r"\# x"),
        ("1. x", r"1\. x"),
        ("- x", r"\- x"),
    ],
)
def test_a_name_is_no_colour_character_reference_or_block(name, escaped):
    """What would colour, replace or indent a name is escaped, and a document reads the name again."""
    assert plain(name) == escaped
    assert spans.plain(escaped) == name


def test_a_small_upload_is_read_at_once():
    """Two kilobytes are read in this process: no other is started for them, as it is for a large file."""

    def children():
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt

    before = children()
    assert len(read_upload("a.log", log(sizes=(1024, 1048576)))) == 1
    assert children() == before
    read_upload("large.log", log(sizes=range(8, 80_008, 8)))
    assert children() > before


@pytest.mark.parametrize(
    ("instance", "network"),
    [
        ("p3dn.24xl", "efa-100"),
        ("p4d-24xl", "efa-400"),
        ("p4de-24xl", "efa-400"),
        ("p5en.48xl", "efa-3200"),
        ("p6-b200.48xlarge", "efa-v4-b200"),
        ("p6-b300.48xlarge", "efa-6400"),
        ("p6-b400.48xlarge", None),
    ],
)
def test_an_instance_type_in_the_settings_names_the_network(instance, network):
    """The path of a topology file says which instance ran the log."""
    env = {"NCCL_TOPO_FILE": f"/opt/share/xml/{instance}-topo.xml"}

    assert network_of(Run("a.log", "nccl-tests", None, None, Machine(env=env))) == network


def test_logs_of_a_cluster_are_one_acceptance_report(visit, headline):
    """Six pairs of four nodes dropped at once: the node slow in its three is the answer, every log and run has a row."""
    files = []
    for first, second in combinations(("n1", "n2", "n3", "n4"), 2):
        run = a_pair(first, second, 3.0 if "n2" in (first, second) else 1.0)
        files.append((f"{first}-{second}.json", json.dumps(to_json(run)).encode()))
    app = upload(visit("measurements", system="dgx-h100", domains=2), *files)

    assert not app.exception
    assert "6 runs together: 3 low, 3 fine. Weak node: n2." in headline(app)
    assert any("n2: take it out" in line.value for line in app.markdown)
    logs, findings, runs = (
        table.value for table in app.dataframe if {"log", "finding", "weak"} & set(table.value)
    )
    assert len(logs) == 6
    assert list(findings["what"]) == ["n2"]
    assert list(runs["weak"]) == [True] * 3 + [False] * 3
    assert [item.label for item in app.get("download_button") if "report" in item.proto.label] == [
        "Download the report"
    ]
    saved = app.button(key="_save_all").click().run()
    assert listed(saved) == 6
    assert "Weak node: n2." in headline(saved)
    assert any("6 logs stored" in line.value for line in saved.markdown)


def test_every_log_of_a_cluster_counts_on_the_page(visit, headline):
    """Pairs, a run over all and the copies of each node dropped at once: one report, a row for each log, no card each."""
    logs = cluster(5, weak_links=((0, 3),), weak_nodes=(2,), weak_gpus=(4,))
    app = upload(visit("measurements"), *((file, text.encode()) for file, text in logs.items()))
    shown = " ".join(line.value for line in app.markdown)

    assert not app.exception
    assert "16 runs together" in headline(app)
    assert f"Weak link: {node(0)} to {node(3)}" in headline(app)
    assert f"{node(4)}: all pairs of GPU3 are slow" in shown
    assert f"{node(2)}: take it out" in shown
    (table,) = (item.value for item in app.dataframe if "log" in item.value)
    assert list(table["operation"]).count("by pair") == 5


def test_the_tables_of_one_log_are_no_cluster(visit, headline):
    """A collective, a topology and copies in one file: the answer is that of the run."""
    text_of = log().decode() + copies()
    app = upload(visit("measurements"), ("node.log", text_of.encode()))

    assert not app.exception
    assert "runs together" not in headline(app)
