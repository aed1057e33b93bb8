"""Fitted constants of the collective cost model, each set with what it was fitted on."""
