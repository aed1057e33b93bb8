"""`python -m tests.bench.serving_loaded`: first tokens under load and recipes' outputs, asked before they were compared."""

from tests.bench.serving_runs import every, report
from tests.figures.serving_loaded import SERVED


def judged():
    """Every figure that fits."""
    return every(SERVED)


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("first tokens under load", judged())


if __name__ == "__main__":
    main()
