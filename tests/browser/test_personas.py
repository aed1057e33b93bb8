"""Four kinds of users at their work: an inference engineer, a cluster's admin, a capacity planner, a newcomer by keyboard."""

import re

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.systems import configure
from tests.browser.opened import TITLES
from tests.gpu_probe.formats import FACTORS, rank_lines

PASTE = "... or paste its text"
SIZES = tuple(2**power for power in range(10, 34))
RANKS = 16
SLOWER = 1.08
"""How much longer than predicted this cluster takes: what a fit finds out."""
NEWEST = 1
"""Place of the newest run in a list that begins with "Select all"."""


def sweep_log(most_bytes_per_s):
    """A log of nccl-tests on two DGX H100, as predicted, yet with no more bus bandwidth than this."""
    times = (
        SLOWER * sweep(Scenario(configure(SYSTEMS["dgx-h100"], domains=2), "all_reduce", RANKS), SIZES).time_s
    )
    factor = FACTORS["all_reduce"](RANKS)
    lines = [
        "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902",
        "# Collective test starting: all_reduce_perf",
        "# nThread 1 nGpus 1 minBytes 1024 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20",
        "# Using devices",
        *rank_lines(RANKS),
        "#       size         count      type   redop    root     time   algbw   busbw #wrong",
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)       ",
    ]
    for size, predicted_s in zip(SIZES, times.tolist(), strict=True):
        time_s = max(predicted_s, factor * size / most_bytes_per_s)
        rate = size / time_s / 1e9
        lead = f"{size:12d} {size // 4:13d}     float     sum      -1"
        lines.append(f"{lead} {time_s * 1e6:8.2f} {rate:7.2f} {factor * rate:7.2f}      0")
    return "\n".join([*lines, "# Out of bounds values : 0 OK", ""])


def test_an_inference_engineer_chooses_a_degree(visit):
    """TP4 or TP8 for Llama 70B at 64 requests on H200, what PCIe would change, the largest batch within 40 ms."""
    visitor = visit()
    page = visitor.page
    page.get_by_role("link", name="TP4 or TP8 for Llama 3.1 70B?").click()
    page.wait_for_url("**/tensor_parallel?*")
    visitor.settle()
    visitor.part("load")
    visitor.enter("requests", "64")
    page.keyboard.press("Escape")
    verdict = visitor.headline.inner_text()
    assert re.search(r"TP8 for latency, [\d.]+(x|×| times)", verdict)
    assert re.search(r"TP4 for tokens/s per GPU, \d+ against \d+", verdict)

    page.get_by_role("radio", name="What if PCIe?").click()
    page.get_by_text("so the link is needed").wait_for()
    visitor.settle()
    page.get_by_text("Latency target and price").click()
    visitor.enter("tpot_ms", "40")
    largest = re.search(
        r"Largest batch within a TPOT of 40 ms: ([\d,]+) concurrent requests", visitor.headline.inner_text()
    )
    assert int(largest[1].replace(",", "")) > 64

    visitor.part("system")
    visitor.choose("system", "dgx-h200")
    assert "DGX H200" in page.locator(".st-key-_question_system").inner_text()
    more = re.search(r"TPOT of 40 ms: ([\d,]+) concurrent", visitor.headline.inner_text())
    assert int(more[1].replace(",", "")) > int(largest[1].replace(",", ""))


def test_an_admin_judges_a_slow_cluster(visit_fresh):
    """
    A pasted log of one NIC in eight: the number, one click to store, against the repaired run, then my cluster.

    The first session of a fresh server may ask for any page, and gets that page at once.
    """
    visitor = visit_fresh("check")
    page = visitor.page
    assert page.locator("h1").first.inner_text() == TITLES["check"]
    assert page.get_by_text("Page not found").count() == 0
    for rate, verdict in (
        (46e9, r"46 GB/s busbw at 8 GiB, expected \d+-\d+ GB/s: low, because 1 of 8 NICs"),
        (500e9, "fine"),
    ):
        page.get_by_label(PASTE).fill(sweep_log(rate))
        page.keyboard.press("Control+Enter")
        page.get_by_role("button", name="Store this run").wait_for()
        visitor.settle()
        assert re.search(verdict, visitor.headline.inner_text())
        page.get_by_role("button", name="Store this run").click()
        page.get_by_text("stored as").wait_for()
        visitor.settle()

    visitor.go("compare")
    for side, position in (("first", 2), ("second", 1)):
        visitor.pick(side, position)
    assert re.search(r"[\d.]+ times as fast", visitor.headline.inner_text())

    visitor.go("my_cluster")
    visitor.pick("cluster_runs", NEWEST)
    assert "predicted within" in visitor.headline.inner_text()
    page.get_by_role("button", name="Store fit").click()
    page.get_by_text("is saved: Rates, yours now means it").wait_for()
    visitor.go("collectives")
    visitor.part("rates")
    page.get_by_role("radio", name="yours").click()
    visitor.settle()
    assert "my cluster" in page.locator(".st-key-_question_rates").inner_text()
    page.keyboard.press("Escape")
    visitor.part("system")
    visitor.enter("domains", "2")
    assert "over 16 GPUs" in visitor.headline.inner_text()
    assert "your cluster" in visitor.headline.inner_text()


def test_a_planner_weighs_a_rack_against_nodes(visit):
    """DeepSeek-V3 on NVL72 or 9 x HGX H200: requests, step and dollars per million tokens; a document; kept by name."""
    visitor = visit("nvl72")
    page = visitor.page
    page.get_by_text("Latency target and price").click()
    visitor.enter("serving_usd", "8")
    visitor.enter("usd_dgx-h200", "4")
    said = page.locator(".stMain").inner_text()
    compared = r"72 GPUs of GB200 NVL72 make [\d,]+ tokens/s per GPU, [\d.]+× the [\d,]+ of 72 GPUs of DGX H200 \(9 domains of 8\)"
    assert re.search(compared, said)
    frame = visitor.page.locator('[data-testid="stDataFrame"]').first
    assert frame.is_visible()

    page.get_by_role("button", name="Document").first.click()
    page.get_by_role("button", name="HTML").first.wait_for()
    with page.expect_download() as started:
        page.get_by_role("button", name="HTML").first.click()
    document = started.value.path().read_text(encoding="utf-8")
    assert re.search(compared, document)
    assert "$ per M tokens" in document

    page.keyboard.press("Escape")
    visitor.save("rack or nodes")
    visitor.go("scenarios")
    page.locator(".stMain").get_by_text("Saved scenarios").first.wait_for()
    assert page.get_by_text("Saved scenarios (0)").count() == 0


def test_a_newcomer_asks_by_keyboard_alone(visit):
    """From the question box of Home by Tab and Enter to a page; an edit is announced, and Undo takes it back."""
    visitor = visit()
    page = visitor.page
    visitor.tab_to(page.get_by_label("What do you want to know?"))
    page.keyboard.type("should I use tp4 or tp8?")
    page.keyboard.press("Enter")
    results = page.locator(".st-key-results")
    results.wait_for()
    visitor.settle()
    visitor.tab_to(results.get_by_role("link", name="Tensor parallelism"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/tensor_parallel*")
    visitor.settle()

    visitor.tab_to(visitor.field("tokens"))
    page.keyboard.type("64")
    page.keyboard.press("Enter")
    page.wait_for_url("**tokens=64")
    announced = "document.getElementById('announcement').textContent.includes('Communication takes')"
    page.wait_for_function(announced)
    visitor.settle()
    edited = visitor.headline.inner_text()
    assert "Batched tokens per step empty → 64" in page.locator(".st-key-changes").inner_text()
    visitor.tab_to(page.get_by_role("button", name="Undo", exact=True), key="Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "tokens" not in url)
    visitor.settle()
    assert visitor.headline.inner_text() != edited
    assert visitor.field("tokens").input_value() == ""
