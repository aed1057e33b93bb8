"""Published figures, typed by hand to three digits with their source: what accuracy is tested against anywhere."""
