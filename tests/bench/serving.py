"""The serving calculators against published runs, with the simplest models beside them."""

import csv
import json
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.calculators.serving import engine_of, offline
from core.calculators.tensor_parallel import Scenario, sweep
from core.calculators.tensor_parallel.terms import terms
from core.catalog import MODELS as MODELS_ALL
from core.catalog import model, precision, system
from core.catalog.calibrations.moe_alltoall import FITTED_EP
from core.catalog.software import PRESETS
from core.collectives.moe.exchange import balanced_bytes, measured_time
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from core.workload.config import read_config
from core.workload.transformer import parameters
from tests.bench import serving_latency
from tests.figures import serving_overview

MODELS = {
    "llama3-70b": "llama-3.1-70b",
    "llama3-8b": "llama-3.1-8b",
    "llama3-405b": "llama-3.1-405b",
    "mixtral-8x22b": "mixtral-8x22b",
    "llama2-70b": "llama-2-70b",
}
SYSTEMS = {
    "a100-sxm-80gb": "dgx-a100",
    "h100-sxm": "dgx-h100",
    "h200-sxm": "dgx-h200",
    "b200-sxm": "dgx-b200",
    "l40s": "l40s-x8",
    "rtx-pro-6000-server": "rtx-pro-6000-x8",
}
QWEN3_30B = read_config(
    json.dumps(
        {
            "model_type": "qwen3_moe",
            "hidden_size": 2048,
            "num_hidden_layers": 48,
            "num_attention_heads": 32,
            "num_key_value_heads": 4,
            "head_dim": 128,
            "intermediate_size": 6144,
            "moe_intermediate_size": 768,
            "num_experts": 128,
            "num_experts_per_tok": 8,
            "vocab_size": 151936,
        }
    ),
    "qwen3-30b-a3b",
).model
BYTES = {"bfloat16": 2.0, "fp8": 1.0, "nvfp4": 0.5625}
SIMPLEST = {
    "bytes / 900 GB/s": Rates(Origin.SPEC, latency_s=0.0, bytes_per_s=900e9),
    "ring at 450 GB/s one way": Rates(Origin.SPEC, latency_s=0.0, bytes_per_s=450e9),
}


def rows(data_dir, table):
    """Published rows of one table, without those that their note drops."""
    path = Path(data_dir) / "published" / "inference.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [
            row
            for row in csv.DictReader(file)
            if row["table"].startswith(table) and "drop" not in row["note"]
        ]


def line(question, figure, target):
    """One printed line."""
    print(f"  {question:<58} {figure:<42} {target}")


def cell(scenario):
    """The terms of a scenario's own cell."""
    return terms(
        scenario, np.array([float(scenario.tokens)]), np.array([float(scenario.cached)]), scenario.tp
    )


def median(values):
    """Median of absolute values."""
    return float(np.median(np.abs(values)))


def prefill(data_dir):
    """Prefill on 8x H100 with and without its all-reduce (TokenWeave)."""
    runs = defaultdict(dict)
    for row in rows(data_dir, "tokenweave-prefill"):
        runs[row["model"], int(row["input_len"])][row["metric"]] = float(row["value"])
    jobs = {
        key: Scenario(
            model=model(MODELS[key[0]]),
            system=system("dgx-h100"),
            phase="prefill",
            tokens=key[1],
            tp=8,
            implementation="nvls-multimem",
            engine="vllm",
        )
        for key in runs
    }
    published = {key: 1 - run["latency_no_allreduce_ms"] / run["latency_ms"] for key, run in runs.items()}
    ours = {key: cell(job) for key, job in jobs.items()}
    compute = [float(ours[k].compute.total_s[0]) * 1e3 / runs[k]["latency_no_allreduce_ms"] - 1 for k in runs]
    line("prefill without all-reduce, 8x H100", f"median {median(compute):.1%}", "target 10 %")
    _shares("share in all-reduce, TP8 prefill: ours", ours, published, "target 3 mean, 5 worst (points)")
    nccl = {key: cell(replace(job, implementation="nccl")) for key, job in jobs.items()}
    _shares("  same, NCCL curve", nccl, published, "")
    for name, rates in SIMPLEST.items():
        simplest = {
            k: cell(replace(job, rates=rates, algorithm="ring", implementation="nccl"))
            for k, job in jobs.items()
        }
        _shares(f"  same, {name}", simplest, published, "")
    figure = rows(data_dir, "tokenweave-fig1")
    keys = [(row["model"], int(row["input_len"])) for row in figure]
    printed = dict(zip(keys, (float(row["value"]) / 100 for row in figure), strict=True))
    shared = {key: ours[key] for key in printed if key in ours}
    _shares("  same, shares as printed in the paper's figure", shared, printed, "")


def _shares(name, cells, published, target):
    off = np.array([100 * (float(parts.share[0]) - published[key]) for key, parts in cells.items()])
    line(
        name, f"mean {np.abs(off).mean():.1f}, worst {np.abs(off).max():.1f}, bias {off.mean():+.1f}", target
    )


def offline_runs(data_dir):
    """
    TensorRT-LLM tables: the answer and the published tokens/s of each run, then answers without its engine.

    MoE models run with DP attention, as in its benchmark.
    """
    runs, without = {}, []
    for row in rows(data_dir, "trtllm"):
        in_catalog = row["model"] in MODELS or row["model"] == "qwen3-30b-a3b"
        if row["gpu"] not in SYSTEMS or not in_catalog or row["PP"] not in ("", "1"):
            continue
        job = Scenario(
            model=QWEN3_30B if row["model"] == "qwen3-30b-a3b" else model(MODELS[row["model"]]),
            system=system(SYSTEMS[row["gpu"]]),
            tp=int(row["TP"]),
            weights=precision(row["precision"]),
            kv=precision("bf16" if row["precision"] in ("bf16", "fp16") else "fp8"),
            launch="graph",
        )
        if job.model.moe:
            job = replace(job, tp=1, ep=job.tp, dispatch=job.weights)
        lengths = int(row["input_len"]), int(row["output_len"])
        key = (row["table"], row["model"], row["gpu"], row["precision"], lengths, int(row["TP"]))
        answer = offline(job, *lengths, engine=engine_of(PRESETS["trtllm-0"]))
        runs[key] = answer, float(row["value"])
        without.append(offline(job, *lengths))
    return runs, without


def throughput(data_dir):
    """TensorRT-LLM tables: TP8 over TP4, level, and how much of it the intervals hold."""
    runs, without = offline_runs(data_dir)
    off, perfect = defaultdict(list), []
    for key, (eight, measured) in runs.items():
        half = runs.get((*key[:-1], 4))
        if key[-1] != 8 or half is None or eight is None or half[0] is None:
            continue
        ratio = eight.output_tokens_per_s / half[0].output_tokens_per_s
        off[key[2]].append(ratio / (measured / half[1]) - 1)
        perfect.append(2 / (measured / half[1]) - 1)
    every = [value for values in off.values() for value in values]
    line("throughput TP8 / TP4 (TensorRT-LLM)", f"median {median(every):.1%}", "target 10 %")
    for name, values in off.items():
        line(
            f"  on {name}",
            f"median {median(values):.1%}, bias {np.mean(values):+.1%}",
            f"{len(values)} pairs",
        )
    line("  same, perfect scaling", f"median {median(perfect):.1%}", "")
    pairs = [(answer, value) for answer, value in runs.values() if answer]
    level = [answer.output_tokens_per_s / value - 1 for answer, value in pairs]
    _level("level of output tokens/s, engine trtllm", level, "target 8 % median, 30 worst")
    _level("  one GPU, TensorRT-LLM 1.0 (40 runs), never fitted", serving_overview.errors(), "")
    values = [value for _, value in runs.values()]
    plain = [a.output_tokens_per_s / value - 1 for a, value in zip(without, values, strict=True) if a]
    _level("  same, prompts by themselves and requests at their mean length", plain, "")
    line("  inside the interval", "", "75 to 90 %")
    for gpu, every in held(runs).items():
        line(f"    {gpu}", f"{np.mean(every):.0%} of {len(every)}", "")


def held(runs):
    """Whether the interval holds each published rate, by GPU and of all."""
    inside = defaultdict(list)
    for key, (result, published) in runs.items():
        if result is not None:
            ends = result.output_tokens_per_s_low, result.output_tokens_per_s_high
            inside[key[2]].append(ends[0] <= published <= ends[1])
    return dict(inside) | {"all": [each for values in inside.values() for each in values]}


def _level(name, off, target):
    figures = (
        f"median {median(off):.1%}, p90 {np.percentile(np.abs(off), 90):.0%}, worst {max(map(abs, off)):.0%}"
    )
    line(name, figures, target or f"{len(off)} runs")


def chunked_prefill(data_dir):
    """TokenWeave's vLLM at TP8 with mixed batches of 2,048 tokens; the host times were fitted here."""
    for name, host in (
        ("vllm, chunk 2,048", {}),
        ("  same without host time", {"host_step_s": 0.0, "host_sequence_s": 0.0}),
    ):
        engine, off = engine_of(PRESETS["vllm-0.8"], prefill_chunk=2048, **host), []
        for row in rows(data_dir, "tokenweave-serving"):
            if row["metric"] != "tokens_per_s_total" or not row["input_len"].isdigit():
                continue
            job = Scenario(
                system("dgx-h100"), model(MODELS[row["model"]]), implementation="nvls-multimem", engine="vllm"
            )
            lengths = int(row["input_len"]), int(row["output_len"])
            rate = offline(job, *lengths, engine=engine).requests_per_s * sum(lengths)
            off.append(rate / float(row["value"]) - 1)
        _level(f"tokens/s at TP8, {name}", off, "target 8 %")


def decode(data_dir):
    """gpt-fast: batch-1 decode on A100s without NVSwitch."""
    base = {}
    off, perfect = [], []
    llama_7b = replace(
        model("llama-2-70b"),
        id="llama-2-7b",
        name="Llama 2 7B",
        layers=32,
        dense_layers=32,
        hidden=4096,
        heads=32,
        kv_heads=32,
        ffn=11008,
    )
    for row in rows(data_dir, "gptfast"):
        degree = int(row["TP"])
        job = Scenario(
            model=llama_7b if "7b" in row["model"] else model("llama-2-70b"),
            system=system("dgx-a100"),
            tokens=1,
            context=105,
            tp=degree,
            weights=precision(row["precision"]),
            launch="graph",
        )
        rate, measured = float(cell(job).tokens_per_s[0]), float(row["value"])
        key = row["model"], row["precision"]
        if key not in base:
            base[key] = degree, rate, measured
            continue
        least, first_rate, first_measured = base[key]
        scaled = measured / first_measured
        off.append(rate / first_rate / scaled - 1)
        perfect.append(degree / least / scaled - 1)
    line(
        "batch-1 decode TP scaling (gpt-fast)",
        f"median {median(off):.1%}, worst {max(map(abs, off)):.1%}",
        "target 15 %",
    )
    line("  same, perfect scaling", f"median {median(perfect):.1%}, worst {max(map(abs, perfect)):.1%}", "")


def latency(data_dir):
    """Engines that nothing was fitted on: NIM on two H100, vLLM on one to four H200."""
    ttft, tpot = serving_latency.nim(rows(data_dir, "nim-70b"))
    latency_of_all = serving_latency.vllm(rows(data_dir, "vllm-ci"))
    for name, off in (
        ("TTFT at ISL 5,000 (NIM, TP2), never fitted", ttft),
        (
            "TTFT at 1 to 250 clients, queue and all (NIM), never fitted",
            serving_latency.nim_under_load(rows(data_dir, "nim-70b")),
        ),
        ("TPOT, 1 to 50 concurrent requests (NIM), never fitted", tpot),
        ("128 tokens for 8 requests (vLLM, TP1, 2, 4), never fitted", latency_of_all),
    ):
        figures = f"median {median(off):.1%}, worst {max(map(abs, off)):.1%}, bias {np.mean(off):+.1%}"
        line(name, figures, f"{len(off)} runs")


def dispatch(data_dir):
    """MoE dispatch and combine on GB200 NVL72, by size of the group."""
    path = Path(data_dir) / "moe_alltoall_gb200.csv"
    with path.open(encoding="utf-8", newline="") as file:
        table = [row for row in csv.DictReader(file) if row["op_name"].endswith(("dispatch", "combine"))]
    groups = defaultdict(list)
    for row in table:
        kind = row["op_name"].removeprefix("alltoall_")
        style = "one-sided" if "One" in row["kernel_source"] else "two-sided"
        value = BYTES[row["moe_dtype"]] if kind == "dispatch" else 2.0
        ep, tokens = int(row["moe_ep_size"]), float(row["num_tokens"])
        sent = float(balanced_bytes(tokens, int(row["hidden_size"]), value, ep, int(row["topk"])))
        groups[style, kind, ep].append((sent, float(row["latency"]) * 1e-3, tokens))
    for (style, kind, ep), pairs in sorted(groups.items()):
        sent, measured, tokens = np.array(pairs).T
        off = measured_time(kind, ep, sent, tokens, style).time_s / measured - 1
        transfer = sent / 900e9 / measured - 1
        line_fit = _alpha_beta(groups, style, kind)
        alpha_beta = (line_fit[0] + sent * line_fit[1]) / measured - 1
        fit = "fitted" if ep in FITTED_EP[style] else "outside the fit"
        line(
            f"{style} {kind}, EP{ep} ({fit})",
            f"median {median(off):.1%}, worst {np.abs(off).max():.0%}",
            f"alpha-beta of EP8/16 {median(alpha_beta):.0%}, {np.abs(alpha_beta).max():.0%}; bytes/900 {median(transfer):.0%}",
        )


def _alpha_beta(groups, style, kind):
    """Alpha and beta by least squares of relative error on EP8 and EP16."""
    pairs = np.array(groups[style, kind, 8] + groups[style, kind, 16])
    scaled = np.stack([1 / pairs[:, 1], pairs[:, 0] / pairs[:, 1]], axis=1)
    return np.linalg.lstsq(scaled, np.ones(len(pairs)), rcond=None)[0]


def speed():
    """4,000 cells of TP x batch x context x system."""
    job = Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"))
    systems = [
        system("dgx-a100"),
        configure(system("dgx-h100"), domains=2),
        system("dgx-b200"),
        system("gb200-nvl72"),
    ]
    grid = (job, systems, (1, 2, 4, 8, 16), tuple(range(1, 41, 2)), tuple(range(1024, 11264, 1024)))
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        cells = sweep(*grid).cells
        seconds.append(time.perf_counter() - start)
    line(
        f"sweep of {cells:,} cells",
        f"{min(seconds) * 1e3:.0f} ms ({seconds[0] * 1e3:.0f} ms the first time)",
        "target 100 ms",
    )


def counts():
    """Parameters recounted from shapes, where the publisher gives three digits."""
    published = {
        shape.id: shape.published_params.split()[0].strip("~")
        for shape in MODELS_ALL.values()
        if shape.hidden
    }
    off = {
        key: parameters(MODELS_ALL[key]).total / 1e9 / float(text) - 1
        for key, text in published.items()
        if len(text.replace(".", "")) >= 3 and text != "1000"
    }
    worst = max(off, key=lambda key: abs(off[key]))
    line(f"parameters of {len(off)} models", f"worst {off[worst]:+.2%} ({worst})", "target 0.5 %")


def main(data_dir):
    """Print every figure with its target and the simplest models."""
    print("serving")
    counts()
    if not (Path(data_dir) / "published" / "inference.csv").is_file():
        print("  no published runs here")
        speed()
        return
    prefill(data_dir)
    throughput(data_dir)
    chunked_prefill(data_dir)
    decode(data_dir)
    latency(data_dir)
    dispatch(data_dir)
    speed()


if __name__ == "__main__":
    main(Path(__file__).parents[2].parent / "shared" / "data")
