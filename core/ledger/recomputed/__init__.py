"""How each published claim is recomputed, a file a kind."""
