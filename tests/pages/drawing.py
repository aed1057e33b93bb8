"""One drawing process for many pictures: to start V8 costs more than to draw."""

import json
import subprocess
import sys

from pages.ui.shared.document import drawer

LOOP = """
import json, runpy, sys
drawn = runpy.run_path(sys.argv[1])["drawn"]
for line in sys.stdin:
    try:
        answer = [drawn(job) for job in json.loads(line)]
    except Exception as problem:
        answer = {"problem": str(problem)}
    print(json.dumps(answer), flush=True)
"""
"""The script of the pages, job after job."""
ONE_EACH = drawer._drawn
"""A process of their own for the pictures of each call, as on the server."""


class Drawing:
    """The process, started when the first picture is wanted."""

    def __init__(self):
        self._process = None

    def drawn(self, jobs):
        """What the drawer's own process gives, and its error."""
        if not jobs:
            return []
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", LOOP, str(drawer.SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        self._process.stdin.write(json.dumps(jobs) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if isinstance(answer, dict):
            raise drawer.DrawingError(answer["problem"])
        return answer

    def close(self):
        """End it."""
        if self._process is not None:
            self._process.communicate()
