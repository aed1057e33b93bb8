"""`python -m tests.bench.serving_recipes`: recipes and tuned kernels of engines, asked before they were compared."""

from tests.bench.serving_runs import every, report
from tests.figures.serving_recipes import AT


def judged():
    """Every figure that fits."""
    return every(AT)


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("recipes and tuned kernels", judged())


if __name__ == "__main__":
    main()
