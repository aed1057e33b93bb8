"""Collectives: one function per algorithm, each returning a Cost."""

from core.collectives.cost import Cost

__all__ = ["Cost"]
