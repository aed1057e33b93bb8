"""The page KV cache transfer: inputs, answer in words, charts."""
