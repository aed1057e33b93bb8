"""What is made once for all processes of a test run: the first that needs it makes it, the others wait and share it."""

import fcntl
import os


def once(factory, name, make):
    """The folder of this name, filled by ``make(folder)`` in one process of the run (``tmp_path_factory`` knows it)."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = base / name, base / f"{name}.made"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            done.touch()
    return folder
