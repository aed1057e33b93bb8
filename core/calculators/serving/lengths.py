"""Requests of one kind: lengths of prompt and answer."""

from dataclasses import dataclass

from core import checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """
    Requests of one kind: input and output sequence length (ISL, OSL) in tokens.

    Attributes:
        equal: Every request has these lengths, as in benchmarks: ranks of DP attention prefill in the same
            steps. Else these are means, and all ranks wait for whichever prefills.
    """

    input_tokens: int
    output_tokens: int
    equal: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no length; raises InputError naming the argument."""
        checks.count("input_tokens", self.input_tokens)
        checks.count("output_tokens", self.output_tokens)

    @property
    def mean_context(self) -> float:
        """Tokens that a decoding request has cached on average."""
        return float(self.input_tokens + self.output_tokens / 2)
