"""The page Measurements: measured bus bandwidth against the model, with a verdict on each run."""
