"""`python -m tests.bench [--data DIR] [--quick]`: accuracy, then speed."""

import argparse
from pathlib import Path

from tests.bench import (
    accuracy,
    clusters,
    degraded,
    detection,
    kernels,
    kernels_attention,
    kernels_sparse,
    kernels_state_space,
    logs,
    moe,
    published_training,
    serving,
    serving_arrivals,
    serving_bursts,
    serving_cookbooks,
    serving_engines,
    serving_held_out,
    serving_inferencex,
    serving_loaded,
    serving_newest,
    serving_recipes,
    serving_unseen,
    speed,
)
from tests.bench.one_gpu import report as one_gpu

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def main() -> None:
    """Print all parts; accuracy needs the measured data beside the repository."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with calibration.csv")
    parser.add_argument("--quick", action="store_true", help="without the refits of cross-validation")
    options = parser.parse_args()
    clusters.report()
    if (options.data / "calibration.csv").exists():
        accuracy.report(options.data, quick=options.quick)
        degraded.report(options.data)
        logs.report(options.data)
        detection.report(options.data)
    else:
        print(f"accuracy: skipped, no measured data at {options.data} (--data DIR)")
    published_training.report(options.data)
    serving.main(options.data)
    serving_held_out.main()
    serving_engines.main()
    serving_newest.main()
    serving_recipes.main()
    serving_unseen.main()
    serving_cookbooks.main()
    serving_loaded.main()
    serving_bursts.main()
    serving_inferencex.main()
    serving_arrivals.main()
    moe.report(options.data)
    kernels.report(options.data, quick=options.quick)
    kernels_attention.report(options.data, quick=options.quick)
    kernels_state_space.report(options.data, quick=options.quick)
    kernels_sparse.report(options.data)
    one_gpu.report()
    speed.report()


if __name__ == "__main__":
    main()
