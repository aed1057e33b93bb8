"""`python -m tests.bench.memory [--reruns N] [--page NAME]`: memory of the server over many reruns."""

import argparse
import statistics
from contextlib import ExitStack

from tests.bench.cpu.session import Session
from tests.bench.fields import PAGES
from tests.bench.processes import resident_bytes
from tests.bench.ui import servers

READINGS = 20
LIGHT = tuple(field for field in PAGES if field.page != "layouts")
"""Layouts costs ten times the others; it is opened, and edited in one rerun of a hundred."""
RARE = next(field for field in PAGES if field.page == "layouts")
RARELY = 100


def readings(server, reruns, fields=LIGHT):
    """Memory in bytes at twenty moments of so many edits, each of another value, page after page."""
    sizes = []
    with_rare = fields is LIGHT
    with ExitStack() as stack:
        sessions = [
            (field, stack.enter_context(Session(server.address, field.page, server.process)))
            for field in ((*fields, RARE) if with_rare else fields)
        ]
        for number in range(reruns):
            rare = with_rare and number % RARELY == RARELY - 1 and reruns > RARELY
            field, session = sessions[-1 if rare else number % len(fields)]
            session.type(field.key, field.value(number // len(fields)))
            if (number + 1) % max(1, reruns // READINGS) == 0:
                sizes.append(resident_bytes([server.process]))
    return sizes


def growth_bytes(sizes, reruns):
    """What a rerun adds, by the slope over the last half of the readings."""
    last = sizes[len(sizes) // 2 :]
    slope, _ = statistics.linear_regression(range(len(last)), last)
    return slope * READINGS / reruns


def main():
    """Print memory at each twentieth, and the slope of the last half."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.memory")
    parser.add_argument("--reruns", type=int, default=10_000)
    parser.add_argument("--page", choices=[field.page for field in PAGES], help="this one alone")
    options = parser.parse_args()
    fields = tuple(field for field in PAGES if field.page == options.page) or LIGHT
    with servers.application() as server:
        sizes = readings(server, options.reruns, fields)
    print("| reruns | MiB |\n|---|---|")
    for number, size in enumerate(sizes, start=1):
        print(f"| {number * options.reruns // READINGS:,} | {size / 2**20:.1f} |")
    each = growth_bytes(sizes, options.reruns)
    print(f"\nlast half: {each:.0f} bytes a rerun, {each * 1e4 / 2**20:.1f} MiB in 10,000")


if __name__ == "__main__":
    main()
