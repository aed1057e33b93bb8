"""Readers of other tools' outputs; no torch."""
