"""The benchmark behind `make bench`: accuracy by cross-validation, and speed."""
