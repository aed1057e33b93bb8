"""An answer as a file: the decision document of one or more questions, its charts and its tables."""
