"""Builds wirespeed-probe.pyz: the agent for GPU nodes, one file that needs only their own torch."""

import argparse
import ast
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ("__init__", "bus_factor", "errors", "measurement", "measurement_json", "units", "version")
LEFT_OUT = ("gpu_probe/commands/check.py", "gpu_probe/commands/fit.py", "gpu_probe/parsers/worker.py")
"""What needs more than the standard library and torch."""
OLDEST = (3, 10)
STAMP = (2026, 1, 1, 0, 0, 0)
MAIN = '''"""Starts the probe from its single file."""

import sys

if sys.version_info < (3, 10):
    sys.exit("wirespeed-probe: Python 3.10 or newer, not %d.%d" % sys.version_info[:2])

from gpu_probe.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
'''


def sources() -> dict[str, str]:
    """Everything that goes in, by its name inside the file."""
    names = [ROOT / "core" / f"{name}.py" for name in CORE]
    names += [path for path in sorted((ROOT / "gpu_probe").rglob("*.py")) if "__pycache__" not in path.parts]
    found = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in names}
    return {name: text for name, text in found.items() if name not in LEFT_OUT} | {"__main__.py": MAIN}


def build(target: Path) -> Path:
    """
    Write the file; the same sources give the same bytes.

    Raises:
        SyntaxError: A source uses what the oldest Python of GPU nodes does not know.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_suffix(".part")
    with beside.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in sorted(sources().items()):
                ast.parse(text, name, feature_version=OLDEST)
                entry = zipfile.ZipInfo(name, STAMP)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, text)
    beside.chmod(0o755)
    return beside.replace(target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "wirespeed-probe.pyz")
    print(build(parser.parse_args().output))
    sys.exit(0)
