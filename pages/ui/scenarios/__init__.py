"""The page Compare scenarios: inputs of both sides, their difference in words, chart and tables."""
