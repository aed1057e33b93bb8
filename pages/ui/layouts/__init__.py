"""The page Parallelism layouts: inputs, ranking in words, charts and tables, crossovers, sensitivity, break-even."""
