"""Traces of jobs: captures with their truth, written ones for each trap, and files made to hurt."""
