"""Collectives: formulas, the calibrated cost model, fits of your own, and the one door that prices."""
