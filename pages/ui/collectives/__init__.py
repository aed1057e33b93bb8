"""The page Collectives: inputs, answer in words, charts."""
