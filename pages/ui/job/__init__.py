"""The page Job: a trace explained, laid over the model, and replayed on another machine."""
