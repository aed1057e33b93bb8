"""The documents, run: every command and every Python block, against the output that is shown."""
