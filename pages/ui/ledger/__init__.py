"""The page Published claims: each claim recomputed, with a verdict and a link to its calculator."""
