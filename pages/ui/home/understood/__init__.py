"""What a question in free text names: systems, models, counts, sizes, and the link that carries them."""
