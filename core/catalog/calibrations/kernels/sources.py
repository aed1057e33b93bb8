"""Where the constants of kernels come from."""

from core.provenance import Source

MEASURED_KERNELS = Source(
    "aiconfigurator-kernels",
    "AIConfigurator: measured kernels of TensorRT-LLM, SGLang and vLLM, A100 to GB300",
    "github.com/ai-dynamo/aiconfigurator@095f58a51c: systems/data (Apache-2.0)",
    "2026",
)
"""Every constant of this package was fitted to it; `make bench` prints the residuals."""
