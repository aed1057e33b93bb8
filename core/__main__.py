"""``python -m core``: the calculators from a shell."""

import importlib.util
import sys

if importlib.util.find_spec("numpy") is None:
    sys.stderr.write(
        f"python -m core: {sys.executable} has no numpy; `make run` builds .venv, "
        "then .venv/bin/python -m core answers\n"
    )
    sys.exit(2)

from core.shell.main import main

if __name__ == "__main__":
    sys.exit(main())
