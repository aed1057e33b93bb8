"""What stands before the pages, asked over a real port."""
