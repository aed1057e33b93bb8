"""DeepSeek-V3.2's sparse attention against measured modules: as priced in a step, and by a roofline alone."""

from itertools import groupby
from pathlib import Path

import numpy as np
from pyarrow import parquet

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.kernels import matrix_times, roof, sparse_attention_time
from core.catalog import model, precision, system
from core.workload.transformer.matrices import PROJECTIONS
from core.workload.transformer.work import Batch, attention_work

SYSTEMS = {
    "h100_sxm": "dgx-h100", "h200_sxm": "dgx-h200", "b200_sxm": "dgx-b200",
    "b300_sxm": "dgx-b300", "gb200": "gb200-nvl72", "gb300": "gb300-nvl72",
}  # fmt: skip
WEIGHTS = {"fp8_block": "fp8", "bfloat16": "bf16", "nvfp4": "nvfp4"}
HEADS, LEAST_HEADS = 128, 16
PHASES = ("generation", "context")


def rows(path, phase):
    """Modules of DeepSeek-V3.2 with their indexer, at up to TP8."""
    for row in parquet.read_table(path).to_pylist():
        shape = row["architecture"] == "DeepseekV32ForCausalLM" and row["num_heads"] >= LEAST_HEADS
        if shape and row["op_name"] == f"dsa_{phase}_module":
            yield row


def kind(row):
    """What the rows of one scenario share."""
    return tuple(row[name] for name in ("framework", "gpu", "num_heads", "gemm_type", "kv_cache_dtype"))


def judged(path, phase):
    """Priced over measured, and the roofline over measured, by engine and GPU."""
    for (engine, gpu, heads, weights, cache), part in groupby(sorted(rows(path, phase), key=kind), kind):
        group = list(part)
        scenario = Scenario(
            system(SYSTEMS[gpu]), model("deepseek-v3.2"), tp=HEADS // heads,
            weights=precision(WEIGHTS[weights]), kv=precision("fp8" if cache == "fp8" else "bf16"),
            engine=engine.lower(),
        )  # fmt: skip
        count, isl, before, seconds = (
            np.array([float(row[name]) for row in group]) for name in ("batch_size", "isl", "step", "latency")
        )
        new = np.ones_like(isl) if phase == "generation" else isl
        batch, chip = Batch(count, new, before), scenario.system.gpu
        products = matrix_times(scenario, chip, count * new, scenario.tp)[PROJECTIONS].time_s
        work = attention_work(scenario.model, batch, scenario.tp, scenario.kv.bytes_per_value)
        every = sparse_attention_time(scenario, chip, batch, scenario.tp).time_s, roof(chip, work).time_s
        layer_s = seconds * 1e-3 * scenario.model.layers
        yield engine, gpu, *((products + part_s) / layer_s for part_s in every)


def report(data_dir):
    """Print both phases by engine and generation, or that there is no data."""
    print(
        "Sparse attention of DeepSeek-V3.2 against measured modules (median / 90th percentile of the error)"
    )
    for phase in PHASES:
        path = Path(data_dir) / "kernels" / f"dsa_{phase}_module_perf.parquet"
        if not path.is_file():
            print(f"  {phase}: skipped, no measured data")
            continue
        every = list(judged(path, phase))
        for engine in sorted({entry[0] for entry in every}):
            for name, hopper in (("Hopper", True), ("Blackwell", False)):
                chosen = [e for e in every if e[0] == engine and (e[1] in ("h100_sxm", "h200_sxm")) == hopper]
                ours, least = (np.abs(np.concatenate([e[place] for e in chosen]) - 1) for place in (2, 3))
                figures = " / ".join(f"{np.quantile(ours, share):.0%}" for share in (0.5, 0.9))
                plain = " / ".join(f"{np.quantile(least, share):.0%}" for share in (0.5, 0.9))
                print(
                    f"  {phase:11}{engine:8}{name:10}{len(ours):6,} modules {figures:>12}  roofline {plain}"
                )


if __name__ == "__main__":
    report(Path(__file__).resolve().parents[2].parent / "shared" / "data")
