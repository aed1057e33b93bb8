"""The version of model and constants together: share links and fits carry it."""

MODEL_VERSION = "1.16.0"
