"""MoE dispatch and combine against published measurements: as `predict` answers, and with a library or GPU left out."""

import csv
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.catalog.calibrations.moe_kernels import BULK, LOW_LATENCY_KERNELS
from core.collectives.cost_model import Setting
from core.collectives.cost_model.communicator import resolve
from core.collectives.moe.libraries import bulk_parts, copies_of, generation, low_latency_parts
from core.collectives.moe.question import MoeExchange
from core.collectives.moe.rows import library_named, row_prices
from core.collectives.refit.moe_fit import Calls, fitted

NICS = {"efa 16x400G": ("efa-v4-b300", 100), "efa 8x400G": ("efa-v4-b200", 50), "efa 16x200G": ("efa-v3", 50)}
OTHER_NIC = ("ib-ndr", 50)
LINKS = {"mi300x": "if-mi300x", "h100-sxm": "nvlink4", "h200-sxm": "nvlink4"}
RELATIVES = {
    "hybridep": "deepep-v2",
    "deepep-v2": "hybridep",
    "uccl-ep": "deepep",
    "deepep": "uccl-ep",
    "uccl-ep-low-latency": "deepep-low-latency",
    "deepep-low-latency": "uccl-ep-low-latency",
}
"""Whose constants answer for a library that is left out: those of the nearest design."""
STANDS_IN = {"mi300x": {"gpu": "h100-sxm", "scale_up_link": "nvlink4"}}
"""DeepEP runs on NVIDIA's GPUs alone; what UCCL-EP shares with it are channels over the NICs."""
GPUS = {"h100_sxm": "h100-sxm", "h200_sxm": "h200-sxm", "b200_sxm": "b200-sxm", "b300_sxm": "b300-sxm"}
BULK_FREE = ("start_s", "value_s", "token_s", "copy_s", "sm_bytes_per_s", "scale_up_share")
DECODE_FREE = ("start_s", "doubling_s", "expert_s", "token_s", "value_s", "scale_up_share")
SAMPLE = 3


def report(data_dir):
    """Print every table whose data is there."""
    print("MoE dispatch and combine, as `predict` answers")
    data = Path(data_dir)
    for name, table in (
        ("moe_alltoall_gb200.csv", rack),
        ("moe_rows.csv", libraries),
        ("kernels/wideep_deepep_normal_perf.parquet", deepep),
    ):
        if (data / name).is_file():
            table(data)
        else:
            print(f"  skipped: no {name} here")


def line(question, off, inside=None):
    """Median, 90th percentile and share inside the interval of one group."""
    share = "" if inside is None else f", {np.mean(inside):.0%} in the interval"
    ninety = np.quantile(np.abs(off), 0.9)
    print(f"  {question:<58} median {np.median(np.abs(off)):.1%}, p90 {ninety:.0%}{share}, {len(off)} rows")


def rack(data):
    """GB200 NVL72: TensorRT-LLM's kernels by the size of the group."""
    groups = defaultdict(list)
    with (data / "moe_alltoall_gb200.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kind, style = row["op_name"].removeprefix("alltoall_"), row["kernel_source"]
            if kind not in ("dispatch", "combine"):
                continue
            cells = {
                "gpu": "gb200",
                "scale_up_link": "nvlink5",
                "domain_gpus": row["moe_ep_size"],
                "domains": "1",
                "collective": f"moe_{kind}",
                "tokens": row["num_tokens"],
                "library": "trtllm-one-sided" if "One" in style else "trtllm-two-sided",
                "routing": "balanced",
                "dtype": row["moe_dtype"] if kind == "dispatch" else "bf16",
            }
            measured = float(row["latency"]) * 1e-3
            groups[cells["library"], kind, int(row["moe_ep_size"])].append(
                (float(row["num_tokens"]), *judged(cells, measured))
            )
    for (library, kind, ep), rows in sorted(groups.items()):
        tokens, off, inside = np.array(rows).T
        line(f"{library} {kind}, EP{ep}", off, inside)
        if ep == 64:
            line("  below 256 tokens", off[tokens < 256], inside[tokens < 256])
    for ep in (32, 64):
        every = np.concatenate([np.array(rows)[:, 1:] for key, rows in groups.items() if key[2] == ep])
        line(f"all of EP{ep}", *every.T)


def judged(cells, measured_s):
    """Error of one row, and whether its interval holds the measured time."""
    prices = row_prices(cells)
    low, time, high = (float(item[0]) for item in (prices.low_s, prices.time_s, prices.high_s))
    return time / measured_s - 1, low <= measured_s <= high


def libraries(data):
    """Tables of HybridEP, UCCL-EP and DeepEP: with the library's own constants, and without."""
    own, without = defaultdict(list), defaultdict(list)
    with (data / "moe_rows.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells = published_cells(row)
            measured = published_seconds(row, cells)
            library = library_named(row["library"], row["mode"])
            own[library].append(judged(cells, measured))
            without[library].append(
                judged(cells | STANDS_IN.get(row["gpu"], {}) | {"library": RELATIVES[library]}, measured)
            )
    for title, groups in (("", own), (", left out", without)):
        for library, rows in groups.items():
            line(f"{library}{title}", *np.array(rows).T)
        line(f"all of moe_rows.csv{title}", *np.concatenate([np.array(rows) for rows in groups.values()]).T)


def published_cells(row):
    """A row of moe_rows.csv as `predict` takes it."""
    ranks, nodes = int(row["ranks"]), int(row["nodes"])
    one = row["network"].startswith("(one")
    link, rate = NICS.get(row["network"], OTHER_NIC)
    return {
        "gpu": row["gpu"],
        "scale_up_link": LINKS.get(row["gpu"], "nvlink5"),
        "domain_gpus": str(ranks if one else ranks // nodes),
        "domains": str(1 if one else nodes),
        "scale_out_link": "" if one else link,
        "scale_out_GBps_per_gpu": "" if one else str(rate),
        "collective": f"moe_{row['op']}",
        "tokens": row["tokens_per_rank"] or "4096",
        "hidden": row["hidden"],
        "topk": row["topk"],
        "experts": row["experts"],
        "library": row["library"],
        "mode": row["mode"],
        "dtype": row["dtype"],
        "sms": row["sms"],
        "api": row["api"],
    }


def published_seconds(row, cells):
    """The time as printed, else from the printed bandwidth and the bytes that it counts."""
    if row["latency_us"]:
        return float(row["latency_us"]) * 1e-6
    setting = Setting(
        cells["gpu"],
        cells["scale_up_link"],
        int(cells["domain_gpus"]),
        int(cells["domains"]),
        cells["scale_out_link"] or None,
        float(cells["scale_out_GBps_per_gpu"] or 1) * 1e9,
        collective="all_to_all",
    )
    exchange = MoeExchange(
        collective=cells["collective"], experts=int(cells["experts"] or 256), token_format=row["dtype"]
    )
    copies = copies_of(resolve(setting), exchange)
    counted = copies.gpus if cells["domains"] == "1" else copies.domains
    return float(cells["tokens"]) * exchange.token_bytes * counted / (float(row["bandwidth_GBps"]) * 1e9)


def deepep(data):
    """DeepEP on one node: with the constants of the catalog, and fitted without the GPU that is judged."""
    import pandas as pd

    for file, kernels, free, parts in (
        ("normal", BULK["deepep"], BULK_FREE, bulk_parts),
        ("ll", LOW_LATENCY_KERNELS["deepep-low-latency"], DECODE_FREE, low_latency_parts),
    ):
        table = pd.read_parquet(data / "kernels" / f"wideep_deepep_{file}_perf.parquet")
        for kind in ("dispatch", "combine"):
            machines = {gpu: calls(rows, file, kind) for gpu, rows in table.groupby("gpu")}
            out, own = [], []
            for gpu, judged_calls in machines.items():
                newer = generation(judged_calls[0].comm)
                others = [
                    call
                    for name, items in machines.items()
                    if name != gpu and generation(items[0].comm) == newer
                    for call in items[::SAMPLE]
                ]
                start = (
                    replace(kernels[kind, newer], copy_s=1e-9) if file == "normal" else kernels[kind, newer]
                )
                kernel = fitted(start, free, parts, others)
                out += [pair for call in judged_calls for pair in pairs(call, kernel, parts)]
                own += [pair for call in judged_calls for pair in pairs(call, kernels[kind, newer], parts)]
            line(f"deepep {file} {kind}, six GPUs", *np.array(own).T)
            line(f"deepep {file} {kind}, fitted without the GPU judged", *np.array(out).T)


def pairs(call, kernel, parts):
    """Error and whether the interval holds, of every call."""
    ratio = parts(call.comm, call.exchange, call.tokens, kernel).time_s / call.time_s
    return [(value - 1, value * kernel.low <= 1 <= value * kernel.high) for value in ratio]


def calls(rows, file, kind):
    """The measured calls of one GPU, grouped by layer and SMs."""
    gpu = rows["gpu"].iloc[0]
    rack_gpu = gpu.startswith("gb")
    setting = Setting(
        GPUS.get(gpu, gpu),
        "nvlink4" if gpu.startswith("h") else "nvlink5",
        4 if rack_gpu else 8,
        collective="all_to_all",
    )
    comm = resolve(setting)
    layer = ["hidden_size", "num_topk", "num_experts", *([f"{kind}_sms"] if file == "normal" else [])]
    column = f"{kind}_transmit_us" if file == "normal" else f"{kind}_avg_t_us"
    return [
        Calls(
            comm,
            MoeExchange(
                collective=f"moe_{kind}",
                hidden=int(shape[0]),
                topk=int(shape[1]),
                experts=int(shape[2]),
                sms=int(shape[3]) if len(shape) > 3 else None,
            ),
            part["num_token"].to_numpy(float),
            part[column].to_numpy(float) * 1e-6,
        )
        for shape, part in rows.groupby(layer)
    ]


if __name__ == "__main__":
    report(Path(__file__).resolve().parents[3] / "shared" / "data")
