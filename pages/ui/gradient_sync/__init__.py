"""The page Gradient sync: inputs, answer in words, charts of overlap, scaling and networks."""
