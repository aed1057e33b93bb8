"""Constants of kernels, fitted on measured calls, each set with its source."""
