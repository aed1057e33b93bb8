"""The page Cost of communication: inputs, answer in words, charts, tables."""
