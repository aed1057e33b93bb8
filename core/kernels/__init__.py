"""Seconds of one kernel on one GPU, from constants fitted on measured kernels."""
