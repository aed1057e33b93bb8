"""A Hugging Face config.json as a Model: read from text, nothing fetched."""

from core.model_config.families import FAMILIES
from core.model_config.reader import ConfigModel, read_config

__all__ = ["FAMILIES", "ConfigModel", "read_config"]
