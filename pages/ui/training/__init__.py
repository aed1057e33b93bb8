"""The page Training step: inputs, answer in words, charts, scaling and neighbouring layouts."""
