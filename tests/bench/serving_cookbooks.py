"""`python -m tests.bench.serving_cookbooks`: engines' cookbooks and pull requests, asked before they were compared."""

from tests.bench.serving_runs import every, report
from tests.figures.serving_cookbooks import SERVED


def judged():
    """Every figure that fits."""
    return every(SERVED)


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("cookbooks and pull requests", judged())


if __name__ == "__main__":
    main()
