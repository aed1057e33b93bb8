"""A Hugging Face config.json as a Model: read from text, nothing fetched."""

from core.workload.config.reader import FAMILIES, ConfigModel, config_model, read_config

__all__ = ["FAMILIES", "ConfigModel", "config_model", "read_config"]
