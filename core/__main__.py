"""``python -m core``: the calculators from a shell."""

import sys

from core.shell.main import main

if __name__ == "__main__":
    sys.exit(main())
