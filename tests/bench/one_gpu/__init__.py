"""Kernels and training steps of one GPU: measured here with torch, and asked of the models."""
