"""Checks of the models: laws, golden cases, published values."""
