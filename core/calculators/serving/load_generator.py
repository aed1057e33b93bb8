"""How a benchmark sends requests: at a fixed concurrency (closed loop) or a rate of arrivals (open loop)."""

from dataclasses import dataclass

import numpy as np

from core import checks
from core.checks import Floats

GOLDEN = (5**0.5 - 1) / 2
"""Its multiples spread evenly over the unit interval, whatever their number."""
SILVER = 2**0.5 - 1
"""Another such number: lengths of prompts go by it, so that they do not follow those of answers."""
SEED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedLoop:
    """
    A benchmark at a fixed concurrency (``--max-concurrency``, ``--num-prompts``).

    Attributes:
        clients: Concurrent requests of one attention group; the first ones arrive together.
        requests: Of the whole run.
        varied: Outputs from none to twice the mean, evenly; else every request has the same lengths.
    """

    clients: int
    requests: int
    varied: bool = False

    @property
    def most(self) -> int:
        """Requests that are there at once, at most."""
        return self.clients

    @property
    def sends_on(self) -> bool:
        """Whether a client sends the next request when one ends."""
        return True

    def arrivals_s(self) -> Floats:
        """Of the requests that wait for no other."""
        return np.zeros(min(self.clients, self.requests))

    def outputs(self, mean: int) -> Floats:
        """Output tokens of each request."""
        return spread(mean, self.requests, GOLDEN if self.varied else None)

    def prompts(self, computed: float) -> Floats:
        """Computed prompt tokens of each request."""
        return spread(computed, self.requests)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLoop:
    """
    A benchmark at a rate of arrivals (``--request-rate``, ``--num-prompts``), whatever the server answers.

    Attributes:
        per_s: Requests/s of one attention group, at random (a Poisson process).
        requests: Of the whole run.
        varied: Lengths of prompts and outputs are exponential, as those of conversations (ShareGPT), a few of
            them long; else all are the same.
    """

    per_s: float
    requests: int
    varied: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no rate and no run; raises InputError naming the argument."""
        checks.number("per_s", self.per_s, above=0)
        checks.count("requests", self.requests)

    @property
    def most(self) -> int:
        """Requests that are there at once, at most."""
        return self.requests

    @property
    def sends_on(self) -> bool:
        """Whether a client sends the next request when one ends."""
        return False

    def arrivals_s(self) -> Floats:
        """
        Exponential times between arrivals in a random order.

        Their quantiles, so that the rate of a short run is the stated one.
        """
        shares = (np.arange(self.requests) + 0.5) / self.requests
        order = np.argsort(np.random.Generator(np.random.PCG64(SEED)).random(self.requests))
        return np.asarray(np.cumsum(-np.log1p(-shares)[order]) / self.per_s)

    def outputs(self, mean: int) -> Floats:
        """Output tokens of each request."""
        return conversations(mean, self.requests, GOLDEN) if self.varied else spread(mean, self.requests)

    def prompts(self, computed: float) -> Floats:
        """Computed prompt tokens of each request."""
        return (
            conversations(computed, self.requests, SILVER) if self.varied else spread(computed, self.requests)
        )


LoadGenerator = ClosedLoop | OpenLoop


def spread(mean: float, number: int, step: float | None = None) -> Floats:
    """So many lengths of that mean: all the same, or from none to twice the mean by multiples of ``step``."""
    if step is None:
        return np.full(number, float(mean))
    share = np.arange(1, number + 1) * step % 1
    return np.maximum(np.round(2 * mean * share), 1.0)


def conversations(mean: float, number: int, step: float) -> Floats:
    """So many exponential lengths of that mean, in the order of multiples of ``step``."""
    share = np.arange(1, number + 1) * step % 1
    return np.asarray(np.maximum(np.round(-mean * np.log1p(-share)), 1.0))
