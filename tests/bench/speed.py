"""Predictions a second, against a bare numpy alpha-beta grid in the same run."""

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from core import catalog
from core.calculators.layouts import rank_training
from core.calculators.training import Scenario as Train
from core.collectives.cost_model import Point, Setting, predict, predict_columns
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.compiler import compile_curve
from tests.bench.tables import print_table

ROWS = 1_000_000
REPEATS = 5
ONE = Setting("h100-sxm", "nvlink4", 8)
SEVERAL = Setting("h100-sxm", "nvlink4", 8, 16, "ib-ndr", 50e9)


def best_s(action: Callable[[], object], repeats: int = REPEATS) -> float:
    """The least processor time of some repeats, in seconds: what others run beside it does not count."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def alpha_beta_grid() -> np.ndarray:
    """1.02 million points: 1000 sizes x 6 rank counts x 170 rates, nothing but the formula."""
    sizes = np.geomspace(8, 2**34, 1000)[:, None, None]
    ranks = np.array([2, 4, 8, 16, 32, 64])[None, :, None]
    rates = np.linspace(10e9, 900e9, 170)[None, None, :]
    grid: np.ndarray = 2 * (ranks - 1) * 1e-6 + 2 * (ranks - 1) / ranks * sizes / rates
    return grid


def nine_points(setting: Setting) -> tuple[Point, ...]:
    """Nine sizes of a machine that is a tenth slower."""
    sizes = np.geomspace(2**10, 2**33, 9)
    times = 1.1 * predict(setting, sizes).time_s
    return tuple(
        Point(setting, float(size), float(time_s)) for size, time_s in zip(sizes, times, strict=True)
    )


def columns() -> dict[str, np.ndarray]:
    """A million rows over a few hundred settings."""
    generator = np.random.default_rng(1)
    kind = generator.integers(0, 3, ROWS)
    domains = 2 ** generator.integers(0, 8, ROWS)
    return {
        "gpu": np.array(["a100-sxm-80gb", "h100-sxm", "b200-sxm"])[kind],
        "scale_up_link": np.array(["nvlink3", "nvlink4", "nvlink5"])[kind],
        "domain_gpus": generator.integers(1, 9, ROWS),
        "domains": domains,
        "scale_out_link": np.where(domains > 1, "ib-ndr", ""),
        "collective": np.array(["all_reduce", "all_gather"])[generator.integers(0, 2, ROWS)],
        "size_bytes": np.exp2(generator.uniform(3, 34, ROWS)),
    }


def report() -> None:
    """Print the table."""
    sizes = np.exp2(np.random.default_rng(0).uniform(3, 34, ROWS))
    grid_s = best_s(alpha_beta_grid)
    grid_rate = 1_020_000 / grid_s
    rows = [("bare numpy alpha-beta grid", f"{grid_rate / 1e6:.1f} M/s", "1")]
    for name, setting in (("one domain", ONE), ("several domains", SEVERAL)):
        predict(setting, sizes[:10])
        rate = ROWS / best_s(lambda setting=setting: predict(setting, sizes))
        rows.append((f"predict(), {name}: full answers", f"{rate / 1e6:.1f} M/s", f"{grid_rate / rate:.0f}"))
        points = nine_points(setting)
        predict(setting, sizes[:10], points)
        rate = ROWS / best_s(lambda setting=setting, points=points: predict(setting, sizes, points))
        rows.append((f"predict(), {name}: nine points", f"{rate / 1e6:.1f} M/s", f"{grid_rate / rate:.0f}"))
    table = columns()
    rate = ROWS / best_s(lambda: predict_columns(table), 2)
    rows.append(("predict_columns(), mixed settings", f"{rate / 1e6:.1f} M/s", f"{grid_rate / rate:.0f}"))
    print_table(
        "Speed (processor time of one core, the best of some runs)",
        ("what", "rate", "times slower than the grid"),
        rows,
    )
    constants = shipped()
    one, several = nine_points(ONE), nine_points(SEVERAL)
    singles = [
        ("predict() of one size, setting seen before", best_s(lambda: predict(ONE, 2**20), 50)),
        ("a new setting, one domain", best_s(lambda: compile_curve(ONE, (), constants), 20)),
        ("a new setting, several domains", best_s(lambda: compile_curve(SEVERAL, (), constants), 20)),
        ("nine measured points, one domain", best_s(lambda: compile_curve(ONE, one, constants), 20)),
        (
            "nine measured points, several domains",
            best_s(lambda: compile_curve(SEVERAL, several, constants), 20),
        ),
    ]
    print_table("Single questions", ("what", "us"), [(name, f"{1e6 * s:.0f}") for name, s in singles])
    print_table("Larger questions", ("what", "s"), [(name, f"{s:.2f}") for name, s in larger()])


def larger() -> list[tuple[str, float]]:
    """Seconds of ranking the layouts of two large jobs, and of importing the catalog beyond numpy."""
    jobs = (
        ("llama-3.1-405b", "dgx-h100", 16384, 2048, "bf16"),
        ("deepseek-v3-r1", "gb200-nvl72", 144, 2304, "fp8"),
    )
    rows = []
    for name, system, gpus, batch, precision in jobs:
        job = Train(
            catalog.system(system), catalog.model(name), global_batch=batch, seq=4096, precision=precision
        )
        rank = partial(rank_training, job, gpus)
        rows.append((f"ranking layouts, {name} on {gpus:,} GPUs", best_s(rank, 1)))
    code = "import time, numpy; start = time.process_time(); import core.catalog, core.systems; print(time.process_time() - start)"
    printed = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(3)
    )
    rows.append(("importing the catalog beyond numpy", min(float(seconds) for seconds in printed)))
    return rows
