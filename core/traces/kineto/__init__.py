"""Traces of PyTorch's profiler, in the Chrome trace format that Kineto writes."""
