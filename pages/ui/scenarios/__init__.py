"""The page Scenarios: what is saved, up to four questions, their differences in words, charts and tables."""
