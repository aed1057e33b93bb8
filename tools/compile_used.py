"""Compiles what the server loads, and nothing else: the image has a read-only root and no idle bytecode."""

import importlib
import pkgutil
import py_compile
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "db", "gpu_probe.parsers", "pages.ui", "pages.http")
LOADED_LATER = (
    "streamlit.web.cli",
    "streamlit.web.bootstrap",
    "altair",
    "pandas",
    "pyarrow.parquet",
    "psycopg",
    "sqlalchemy.dialects.postgresql",
    "vl_convert",
)
NOT_SERVED = ("core.collectives.refit", "__main__")


def names() -> list[str]:
    """Every module of the server's packages, and what others load at the first request."""
    served = [*LOADED_LATER]
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        served += [module.name for module in pkgutil.walk_packages(path, f"{package}.")]
    return [name for name in served if not any(part in name for part in NOT_SERVED)]


def main() -> None:
    """Import everything, then write the bytecode of each module beside it, valid whatever its file's date."""
    for name in names():
        importlib.import_module(name)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    files = {module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
    sources = [
        file
        for file in files
        if file and file.endswith(".py") and not file.startswith(sys.base_prefix + "/lib")
    ]
    sources += [str(path) for path in [*ROOT.glob("*.py"), *ROOT.glob("pages/*.py")]]
    for source in sources:
        py_compile.compile(source, doraise=True, quiet=1, invalidation_mode=mode)
    print(f"compiled {len(sources)} modules")


if __name__ == "__main__":
    main()
