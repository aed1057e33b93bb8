"""A program that saves runs without end and says each one once it is kept: made to be killed."""

import sys

from db.store import Store
from tests.db.examples import simple


def main(url, first):
    """Save uploads of three runs, beginning with number ``first``."""
    store = Store(url)
    store.prepare()
    number = first
    while True:
        store.save([simple(number + offset, samples=50) for offset in range(3)], tags=["soak"])
        print(number, flush=True)
        number += 3


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
