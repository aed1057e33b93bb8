"""Checks of every room, in the same plan as the house."""
