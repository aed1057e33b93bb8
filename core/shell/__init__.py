"""The shell over the calculators: options in, JSON or a table out; the only input and output of core."""
