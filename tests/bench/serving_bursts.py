"""`python -m tests.bench.serving_bursts`: a thousand requests at once, asked once and left as they came out."""

from tests.bench.serving_runs import every, report
from tests.figures.serving_bursts import SERVED


def judged():
    """Every figure that fits."""
    return every(SERVED)


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("bursts", judged())


if __name__ == "__main__":
    main()
