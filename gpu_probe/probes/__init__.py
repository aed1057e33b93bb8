"""Probes: one module each with key, title, can_run and run."""
