"""Runs a module as the image's docs stage would: only packages of the two locks can be imported."""

import re
import runpy
import sys
from importlib.abc import MetaPathFinder
from importlib.metadata import packages_distributions
from pathlib import Path

LOCKS = ("app.txt", "docs.txt")


class OnlyLocked(MetaPathFinder):
    """Refuses every installed package that no lock of the image names."""

    def __init__(self, locks):
        names = {
            re.sub(r"[-_.]+", "-", pin.split("==")[0].lower())
            for lock in locks
            for pin in lock
            if "==" in pin
        }
        self.refused = {
            module
            for module, owners in packages_distributions().items()
            if not {re.sub(r"[-_.]+", "-", owner.lower()) for owner in owners} & names
        }

    def find_spec(self, name, path=None, target=None):  # noqa: ARG002 - the protocol of the import system
        """Say at once that a refused package is not there."""
        if name.partition(".")[0] in self.refused:
            message = f"{name} is in no lock of the image"
            raise ModuleNotFoundError(message, name=name)


requirements, module = Path(sys.argv[1]), sys.argv[2]
sys.meta_path.insert(0, OnlyLocked([(requirements / lock).read_text().splitlines() for lock in LOCKS]))
sys.path.insert(0, str(Path.cwd()))
sys.argv = sys.argv[2:]
runpy.run_module(module, run_name="__main__", alter_sys=True)
