"""A process of its own for reading one upload: hostile or huge files stall and starve nobody else."""

import json
import sys

from core.measurement_json import file_json
from gpu_probe.parsers import ParseError, read

MEMORY_MOST_BYTES = 4 * 1024**3
CPU_MOST_S = 60


def limit():
    """Bound memory and processor time where the system can."""
    try:
        import resource  # noqa: PLC0415 (absent outside Unix)
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MOST_BYTES, MEMORY_MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_MOST_S, CPU_MOST_S))


def main():
    """Read standard input as the file named by the only argument; print its runs, or why not."""
    limit()
    try:
        answer = file_json(read(sys.argv[1], sys.stdin.buffer.read()))
    except ParseError as problem:
        answer = {"error": str(problem), "line": getattr(problem, "line", None)}
    except MemoryError:
        answer = {"error": "the file takes too much memory to read", "line": None}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
