"""Traces of real jobs: which collectives ran, when, on how many bytes, and what hid them."""
