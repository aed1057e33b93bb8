"""A Hugging Face config.json as a Model: read from text, nothing fetched."""

from core.workload.config.reader import FAMILIES, ConfigModel, read_config

__all__ = ["FAMILIES", "ConfigModel", "read_config"]
