"""A question about serving has one answer: in Python, in the shell, over HTTP and on the page."""

import json
from dataclasses import asdict, dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.calculators.serving import EngineQuestion, engine_answer, engine_of
from core.calculators.serving.arrivals import arrivals_json
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.terms import step
from core.catalog import model, precision, system
from core.catalog.software import PRESETS
from core.units import format_time
from pages.http.ask.routes import PATH, Ask, Rate
from pages.http.ask.workers import Workers
from tests.pages.test_calculators import metric
from tests.shell.commands import answer

SATURATION, ENGINE = "Throughput at saturation", "Serving engine"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: fields of ``tp``, the page's spelling where it differs, formats, and what Python is told."""

    fields: dict
    page: dict = field(default_factory=dict)
    engine: dict = field(default_factory=dict)

    @property
    def options(self):
        """Options of the shell."""
        return [
            part
            for name, value in self.fields.items()
            for part in (f"--{name.replace('_', '-')}", str(value))
        ]

    def scenario(self):
        """The step, as Python asks it."""
        preset, given = PRESETS[self.fields["software"]], self.fields
        formats = {name: precision(given[name]) for name in ("weights", "kv") if name in given}
        numbers = {
            name: given[name] for name in ("tokens", "context", "tp", "ep", "routing") if name in given
        }
        return Scenario(
            system(given["system"]), model(given["model"]), **numbers, **formats, launch=preset.launch,
            implementation=preset.implementation, engine=preset.engine,
        )  # fmt: skip


CHAT = {"tokens": 64, "context": 2300, "input_tokens": 2048, "output_tokens": 256}
QUESTIONS = {
    "chunked prefill in vLLM": Asked(
        {"system": "dgx-h100", "model": "llama-3.1-70b", "tp": 4, "weights": "fp8", "kv": "fp8", "software": "vllm",
         "prefill_chunk": 2048, **CHAT}, engine={"prefill_chunk": 2048}),
    "experts over a node in SGLang": Asked(
        {"system": "dgx-h200", "model": "deepseek-v3-r1", "tp": 8, "weights": "fp8", "software": "sglang", **CHAT}),
    "FP4 with drafts in TensorRT-LLM": Asked(
        {"system": "dgx-b200", "model": "deepseek-v3-r1", "tp": 8, "weights": "nvfp4", "kv": "fp8",
         "software": "trtllm", "draft_tokens": 3, "acceptance": 0.8, **CHAT},
        engine={"draft_tokens": 3, "acceptance": 0.8}),
    "states in pools": Asked(
        {"system": "dgx-h100", "model": "qwen3-next-80b-a3b", "tp": 4, "software": "sglang",
         "mamba_memory_ratio": 0.5, **CHAT}, engine={"state_ratio": 0.5}),
    "weight-only INT4 on Ampere": Asked(
        {"system": "dgx-a100", "model": "llama-3.1-70b", "tp": 2, "weights": "w4a16", "software": "vllm-0.8", **CHAT}),
    "prefix hits and balanced experts": Asked(
        {"system": "dgx-h100", "model": "gpt-oss-120b", "tp": 2, "weights": "mxfp4", "routing": "balanced",
         "software": "vllm", "prefix_hit": 0.5, **CHAT}, engine={"prefix_hit": 0.5}),
    "conversations at a rate": Asked(
        {"system": "dgx-h100", "model": "llama-3.1-70b", "tp": 4, "weights": "fp8", "software": "vllm",
         "request_rate": 4.0, "dataset": "sharegpt", **CHAT}),
    "more than a node of experts answers": Asked(
        {"system": "dgx-h200", "model": "deepseek-v3-r1", "tp": 8, "weights": "fp8", "software": "sglang",
         "request_rate": 40.0, **CHAT}),
}  # fmt: skip


@pytest.fixture(scope="module")
def client():
    """The routes of the calculators, asked over HTTP."""
    workers = Workers(most=1, limit_s=60)
    with TestClient(Starlette(routes=Ask(workers, Rate(100)).routes())) as visitor:
        yield visitor
    workers.close()


def python_figures(asked):
    """Step, saturated throughput, chunks and queue as Python computes them."""
    scenario, given = asked.scenario(), asked.fields
    engine = engine_of(PRESETS[given["software"]], **asked.engine)
    lengths = EngineQuestion(
        input_tokens=given["input_tokens"],
        output_tokens=given["output_tokens"],
        request_rate=given.get("request_rate"),
        equal=given.get("dataset") != "sharegpt",
    )
    runs = engine_answer(scenario, engine, lengths)
    return {
        "step_s": float(step(scenario, scenario.tp).step_s[0]),
        "offline": asdict(runs.saturated),
        "chunked_prefill": runs.chunked and asdict(runs.chunked),
        "speculative": runs.speculative and asdict(runs.speculative),
        "queue": asdict(runs.queue),
        "arrivals": runs.arrivals and arrivals_json(runs.arrivals),
    }


def agree(ours, reply):
    """Every figure that Python has, in a reply's JSON."""
    if isinstance(ours, dict):
        for name, value in ours.items():
            agree(value, reply[name])
    else:
        assert reply == (pytest.approx(ours, rel=1e-12) if isinstance(ours, float) else ours)


@pytest.mark.parametrize("name", QUESTIONS)
def test_shell_http_and_python_have_one_answer(capsys, client, name):
    """The shell's JSON is that of HTTP, key by key, and holds the figures that Python computes."""
    asked = QUESTIONS[name]
    shell = answer(capsys, "tp", *asked.options)
    web = client.post(f"{PATH}/tp", json=asked.fields)

    assert web.status_code == 200, web.text
    assert json.loads(json.dumps(shell)) == web.json()
    agree(python_figures(asked), shell)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_page_has_it_too(visit, capsys, name):
    """TPOT, requests and tokens/s at saturation, chunks, drafts and TTFT under load stand on the page."""
    asked = QUESTIONS[name]
    reply = answer(capsys, "tp", *asked.options)
    renamed = {"tokens": "requests", "input_tokens": "full_prompt", "output_tokens": "full_output"}
    query = {renamed.get(key, key): value for key, value in asked.fields.items()} | asked.page
    full = visit("tensor_parallel", **query, prompt=asked.fields["input_tokens"], tab=SATURATION)
    rows = next(table.value for table in full.dataframe if "decode step" in table.value).set_index("degree")
    row, said = rows.loc[f"TP{asked.fields['tp']}"], " ".join(part.value for part in full.markdown)

    assert metric(full, "TPOT") == format_time(reply["step_s"])
    assert row["concurrent requests"] == f"{reply['offline']['sequences']:,}"
    assert row["output tokens/s"] == f"{reply['offline']['output_tokens_per_s']:,.0f}"
    for mean in ("ttft_s", "equal_ttft_s", "burst_ttft_s"):
        assert format_time(reply["queue"][mean]) in said
    if reply["arrivals"] is not None:
        shown = next(table.value for table in full.dataframe if "latency" in table.value).set_index("latency")
        assert format_time(reply["arrivals"]["ttft"]["p99_s"]) in shown.loc["TTFT", "p99"]
        assert (
            format_time(reply["arrivals"]["itl"]["high"]["p50_s"])
            in shown.loc["inter-token latency", "median"]
        )
    engine = visit("tensor_parallel", **query, prompt=asked.fields["input_tokens"], tab=ENGINE)
    figures = " ".join(str(table.value) for table in engine.dataframe)
    for part, figure in (
        ("chunked_prefill", "mixed_step_s"),
        ("speculative", "tpot_s"),
        ("prefix_cache", "ttft_s"),
    ):
        if reply[part] is not None:
            assert format_time(reply[part][figure]) in figures
