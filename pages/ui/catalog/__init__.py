"""The page Catalog: every link, switch, GPU, system and model with its source and confidence."""
