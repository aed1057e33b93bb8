"""Several processes behind one port: each browser stays on one, and each connection is handed over whole."""
