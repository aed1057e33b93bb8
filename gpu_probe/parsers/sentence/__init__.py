"""A measurement told in a sentence, in the words of forums and issues."""

from gpu_probe.parsers.sentence.spoken import Spoken

__all__ = ["Spoken"]
