"""The one error of the cost model: it says what was asked and what is allowed."""

from __future__ import annotations


class CostModelError(ValueError):
    """A question the model cannot answer; the text names the argument and what is allowed."""
