"""What stands before the pages on the server's port."""
