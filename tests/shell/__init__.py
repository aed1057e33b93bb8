"""Checks of the shell over the calculators."""
