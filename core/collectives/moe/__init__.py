"""Dispatch and combine of mixture-of-experts layers."""
