"""Data only: sources, links, GPUs, systems, models."""
