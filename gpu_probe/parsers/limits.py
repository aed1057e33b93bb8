"""How much of a file is read: bounds that no real log reaches and no hostile file passes."""

FILE_MOST_BYTES = 256_000_000
LINES_MOST = 1_000_000
LINE_MOST_BYTES = 8192
SAMPLES_MOST = 200_000
RUNS_MOST = 20_000
RANKS_MOST = 100_000
NOTICES_MOST = 100
MATRICES_MOST = 2000
COLUMNS_MOST = 1024
CELLS_MOST = 1_000_000
JSON_MOST_BYTES = 16_000_000
JSON_MOST_VALUES = 1_500_000
VARIABLES_MOST = 200
VARIABLE_MOST = 300
PROSE_MOST, RATES_MOST, CELLS_OF_PROSE_MOST = 20_000, 200, 400
"""Characters of sentences; rates in them and numbers of their tables, each read with the words around it."""
