"""The page Bandwidth hierarchy: inputs, answer in words, charts."""
