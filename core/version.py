"""The version of Wirespeed, said by the server, the shell and the probe; pyproject.toml says the same."""

VERSION = "0.3.0"
