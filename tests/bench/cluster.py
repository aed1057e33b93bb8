"""`python -m tests.bench.cluster [NODES]`: seconds to accept a cluster by the logs of all pairs, nodes and of all."""

import sys
import time

from core.catalog import SYSTEMS
from core.verdict import judge_runs
from core.verdict.acceptance import accept
from core.verdict.acceptance_text import acceptance_text
from gpu_probe.parsers import read
from tests.cluster import cluster


def main(nodes=64):
    """Print the page, and the processor time of reading, judging and putting together."""
    logs = cluster(nodes, weak_links=((3, 17), (20, 41)), weak_nodes=(9,), weak_gpus=(30,), wrong=(50,))
    began = time.process_time()
    judged = []
    for file, text in logs.items():
        runs = read(file, text.encode())
        judged += zip(runs, judge_runs(runs, SYSTEMS["dgx-h100"]), strict=True)
    page = acceptance_text(accept(judged))
    print(page)
    print(
        f"{len(logs):,} logs, {sum(map(len, logs.values())) / 1e6:.1f} MB: {time.process_time() - began:.1f} s"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
