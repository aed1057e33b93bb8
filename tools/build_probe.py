"""Builds wirespeed-probe.pyz: the agent for GPU nodes, one file that needs only their own torch."""

import argparse
import ast
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKOUT_ONLY = (
    *("gpu_probe/commands/accept.py", "gpu_probe/commands/check.py", "gpu_probe/commands/fit.py"),
    "gpu_probe/parsers/worker.py",
)
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
    """The probe, and of core the modules that it imports, by their names inside the file."""
    paths = [path for path in sorted((ROOT / "gpu_probe").rglob("*.py")) if "__pycache__" not in path.parts]
    waiting = [name for path in paths if (name := str(path.relative_to(ROOT))) not in CHECKOUT_ONLY]
    texts: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name] = (ROOT / name).read_text(encoding="utf-8")
            waiting += core_imports(texts[name])
    return texts | {"__main__.py": MAIN}


def core_imports(text: str) -> list[str]:
    """The files of core that a module's text imports, with the packages that hold them."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    parts = [module.split(".") for module in modules if module.split(".")[0] == "core"]
    folders = {"/".join(names[:depth]) for names in parts for depth in range(1, len(names) + 1)}
    files = [name for folder in sorted(folders) for name in (f"{folder}.py", f"{folder}/__init__.py")]
    return [name for name in files if (ROOT / name).is_file()]


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
