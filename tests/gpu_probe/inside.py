"""A command of the probe in the process of the test: starting an interpreter takes longer than most commands."""

import io
import os
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from gpu_probe.__main__ import main


def probe(*words, env=None):
    """Exit status and what it prints; ``env`` in place of the test's own environment."""
    out, err = io.StringIO(), io.StringIO()
    whole = patch.dict(os.environ, {} if env is None else env, clear=env is not None)
    with whole, redirect_stdout(out), redirect_stderr(err):
        try:
            status = main([str(word) for word in words])
        except SystemExit as stop:
            status = stop.code
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())
