"""The page Check: a log against what its system should do, size by size and pair by pair."""
