"""`python -m tests.bench.one_gpu.measure FOLDER [PART ...]`: measures this GPU (five minutes) into tables."""

import csv
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.one_gpu.attention import attention_rows
from tests.bench.one_gpu.gemms import KINDS, gemm_rows
from tests.bench.one_gpu.steps import step_rows

Row = tuple[object, ...]
PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "gemms": lambda: itertools.chain.from_iterable(gemm_rows(kind) for kind in KINDS),
    "attention": attention_rows,
    "steps": step_rows,
}


def main(arguments: list[str]) -> None:
    """Write one table a part, each row as it is measured; WIRESPEED_SECONDS ends a part early."""
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    limit_s = float(os.environ.get("WIRESPEED_SECONDS", "600"))
    for part in arguments[1:] or PARTS:
        rows = _until(time.monotonic() + limit_s, PARTS[part]())
        print(f"{part}: {_write(folder / f'{part}.csv', rows)} rows", flush=True)


def _until(end: float, rows: Iterator[Row]) -> Iterator[Row]:
    return itertools.takewhile(lambda _: time.monotonic() < end, rows)


def _write(path: Path, rows: Iterator[Row]) -> int:
    count = 0
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for row in rows:
            if not count:
                writer.writerow(row._fields)  # type: ignore[attr-defined]
            writer.writerow([f"{value:.4g}" if isinstance(value, float) else value for value in row])
            file.flush()
            count += 1
    return count


if __name__ == "__main__":
    main(sys.argv[1:])
