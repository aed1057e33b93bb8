"""The page Tensor-parallel overhead: inputs, answer in words, charts, the sweep and saturation."""
