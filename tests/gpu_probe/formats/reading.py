"""Lines as a file, and the one run that is read of them."""

from gpu_probe.parsers import read
from gpu_probe.parsers.answer import answered


def text(lines):
    """Lines as a file."""
    return ("\n".join(lines) + "\n").encode()


def only(lines, **answer):
    """The one run of these lines, with the user's answer where one is given."""
    (run,) = read("log", text(lines))
    return answered(run, **answer) if answer else run


def codes(run):
    """Codes of a run's warnings, in order."""
    return [notice.code for notice in run.warnings]
