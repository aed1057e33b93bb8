"""Gated delta nets against measured calls of servers' GPUs: fitted, and with the GPU judged left out."""

import argparse
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from core.catalog import GPUS
from core.catalog.calibrations.kernels.shapes import Band, ScanKernel, StateSpaceKernel
from core.catalog.calibrations.kernels.state_space import GATED_DELTA_NET
from core.kernels.generation import constants_of
from core.kernels.state_space import HEAD_DIM, chunked_scan_s, convolution_s, state_step_s, update_s
from tests.bench.attention_rows import GPU_IDS

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
START = StateSpaceKernel(2.5e-6, 0.5, 2e-6, 0.2, 4e-6, 0.8, {}, Band(1, 1, 1, 1))
SCANS = {
    "chunk_gated_delta_rule": "triton",
    "chunk_gated_delta_rule_triton": "triton",
    "chunk_gated_delta_rule_flashinfer": "flashinfer",
}
STEPS = ("fused_recurrent_gated_delta_rule", "fused_recurrent_gated_delta_rule_packed_decode")
SCAN_START = ScanKernel(15e-6, 1e-5, 2.5e-6, 1e-5)
ROBUST_SCALE = 0.15
FIT_ROWS = 3_000


def read(data_dir):
    """The table of GPUs with HBM; TensorRT-LLM's convolution is left out: it beats the memory's rate."""
    import pandas as pd

    table = pd.read_parquet(Path(data_dir) / "kernels" / "gdn_perf.parquet")
    table = table[~table["gpu"].isin(["l40s", "rtx_pro_6000_server", "a100_sxm"])]
    strange = (table["framework"] == "TRTLLM") & table["kernel_source"].str.startswith("causal_conv1d")
    return table[~strange]


def parts(table):
    """Rows of each part: its function, the constants it uses, the rows."""
    channels = (2 * table["num_k_heads"] + table["num_v_heads"]) * HEAD_DIM
    columns = {name: table[name].to_numpy(float) for name in ("batch_size", "seq_len", "num_v_heads")}
    batch, length, heads = columns.values()
    width, source = channels.to_numpy(float), table["kernel_source"]
    yield (
        "convolution of prefill",
        source == "causal_conv1d_fn",
        lambda gpu, k, i: convolution_s(gpu, k, batch[i] * length[i], width[i]),
    )
    yield (
        "convolution of decode",
        source == "causal_conv1d_update",
        lambda gpu, k, i: update_s(gpu, k, batch[i], width[i]),
    )
    yield (
        "step of the state",
        source.isin(STEPS),
        lambda gpu, k, i: state_step_s(gpu, k, batch[i], heads[i]),
    )
    for scan in ("triton", "flashinfer"):
        yield (
            f"scan, {scan}",
            source.map(SCANS) == scan,
            lambda gpu, k, i, scan=scan: chunked_scan_s(gpu, k.scans[scan], batch[i], length[i], heads[i]),
        )


def errors(table, kernels):
    """Predicted over measured in ln by part, with the constants of each GPU."""
    out = {}
    for name, mask, price in parts(table):
        by_gpu = []
        for gpu_id in table["gpu"].unique():
            rows = np.flatnonzero((mask & (table["gpu"] == gpu_id)).to_numpy())
            gpu = GPUS[GPU_IDS[gpu_id]]
            if rows.size:
                kernel, _ = constants_of(gpu, kernels)
                measured = table["latency"].to_numpy(float)[rows] * 1e-3
                by_gpu.append(np.log(price(gpu, kernel, rows) / measured))
        if by_gpu:
            out[name] = np.concatenate(by_gpu)
    return out


def fitted(table):
    """Constants of every generation of the table."""
    from scipy.optimize import least_squares

    generations = {}
    for gpu_id in table["gpu"].unique():
        gpu = GPUS[GPU_IDS[gpu_id]]
        generations.setdefault((gpu.architecture, gpu.memory_kind), []).append(gpu_id)
    kernels = {}
    for generation, gpu_ids in generations.items():
        rows = table[table["gpu"].isin(gpu_ids)]
        rows = rows.sample(min(len(rows), FIT_ROWS), random_state=14)
        origin = np.log([*vector(START), *vector(SCAN_START), *vector(SCAN_START)])

        def off(values, rows=rows, generation=generation, origin=origin):
            all_errors = errors(rows, {generation: kernel_of(np.exp(values))})
            return np.concatenate([*all_errors.values(), 0.02 * (values - origin)])

        best = least_squares(off, origin, loss="soft_l1", f_scale=ROBUST_SCALE, max_nfev=40).x
        kernels[generation] = kernel_of(np.exp(best))
    return kernels


def vector(kernel):
    """The numbers of a set of constants."""
    return [
        getattr(kernel, item.name) for item in fields(kernel) if isinstance(getattr(kernel, item.name), float)
    ]


def kernel_of(values):
    """Constants from their numbers."""
    names = [item.name for item in fields(START)][:6]
    scans = {"triton": ScanKernel(*values[6:10]), "flashinfer": ScanKernel(*values[10:14])}
    return replace(START, **dict(zip(names, values, strict=False)), scans=scans)


def report(data_dir, *, quick=False):
    """Print the table where the data is there."""
    if not (Path(data_dir) / "kernels" / "gdn_perf.parquet").exists():
        print("Gated delta nets: skipped, no measured data")
        return
    table = read(data_dir)
    print("Gated delta nets against measured calls (median / 90th percentile of the error)")
    for name, off in errors(table, GATED_DELTA_NET).items():
        band = next(iter(GATED_DELTA_NET.values())).band
        inside = np.mean((off >= -np.log(band.high)) & (off <= -np.log(band.low)))
        show(name, off, f"  inside the interval {inside:4.0%}")
    if quick:
        return
    left_out = {}
    for gpu_id in table["gpu"].unique():
        others = fitted(table[table["gpu"] != gpu_id])
        for name, off in errors(table[table["gpu"] == gpu_id], others).items():
            left_out.setdefault(name, []).append(off)
    for name, off in left_out.items():
        show(f"{name}, the GPU judged left out", np.concatenate(off))


def show(name, off, more=""):
    """One row."""
    error = np.abs(np.expm1(off))
    print(f"  {name:48}{len(off):7,} rows {np.median(error):7.1%} /{np.quantile(error, 0.9):7.1%}{more}")


def show_fit(data_dir):
    """Print the constants, for the catalog."""
    table = read(data_dir)
    for generation, kernel in fitted(table).items():
        print(generation, [f"{value:.3g}" for value in vector(kernel)])
        print({name: [f"{value:.3g}" for value in vector(scan)] for name, scan in kernel.scans.items()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kernels_state_space")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--fit", action="store_true", help="print the constants fitted anew")
    options = parser.parse_args()
    show_fit(options.data) if options.fit else report(options.data)
