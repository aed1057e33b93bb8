"""`python -m tests.bench.serving_unseen`: steps by batch and saturated engines, asked before they were compared."""

from tests.bench.serving_runs import every, report
from tests.figures.serving_unseen import AT, FULL, STEPS


def judged():
    """Every figure that fits."""
    return every([*STEPS, *AT, *FULL])


def main():
    """Print every kind of question by source, GPU, model and run."""
    report("steps by batch and saturated engines", judged())


if __name__ == "__main__":
    main()
