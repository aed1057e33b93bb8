"""Fitting the cost model to measurements."""
