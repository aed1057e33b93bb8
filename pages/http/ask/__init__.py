"""The calculators for other programs: over HTTP, with their description."""
