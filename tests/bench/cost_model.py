"""``python -m tests.bench.cost_model``: the cost model's tables, also into the file that the docs site shows."""

import argparse
import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from core.collectives.cost_model.version import MODEL_VERSION
from tests.bench import accuracy, clusters, degraded
from tests.bench.tables import PRINTED

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
FILE = ROOT / "docs" / "data" / "cost-model.json"


def main() -> None:
    """Print every table of the cost model's accuracy and write them with their date and version."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cost_model", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with calibration.csv")
    parser.add_argument("--quick", action="store_true", help="without the refits; writes nothing")
    options = parser.parse_args()
    clusters.report()
    accuracy.report(options.data, quick=options.quick)
    degraded.report(options.data)
    if options.quick:
        return
    written = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "model_version": MODEL_VERSION,
        "command": "python -m tests.bench.cost_model",
        "tables": [asdict(table) for table in PRINTED],
    }
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
