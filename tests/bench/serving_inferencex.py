"""`python -m tests.bench.serving_inferencex`: InferenceX's articles by model, asked before they were compared."""

from tests.bench.serving_runs import every, report
from tests.figures.serving_inferencex import SERVED


def judged():
    """Every figure that fits."""
    return every(SERVED)


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("InferenceX by model", judged())


if __name__ == "__main__":
    main()
