"""The page Compare runs: two runs of the same operation, and one system over time."""
