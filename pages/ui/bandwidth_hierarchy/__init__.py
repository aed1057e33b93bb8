"""What only one page shows."""
