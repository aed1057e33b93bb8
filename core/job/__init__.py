"""A traced job explained, laid over the model, and replayed on another machine."""
