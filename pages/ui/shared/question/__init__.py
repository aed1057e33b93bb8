"""The shared question: one bar on every page, edited in one place, the same everywhere."""
