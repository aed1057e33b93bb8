"""The calculators, one folder a question; none knows the shell or the pages."""
