"""Models that a question names."""

from core.catalog import MODELS
from pages.ui.home.understood.text import Text

_NAMES = {
    r"deep ?seek[ -]?v?3\.2": "deepseek-v3.2",
    r"deep ?seek(?:[ -]?(?:v3|r1))*": "deepseek-v3-r1",
    r"llama[ -]?4(?:[ -]?maverick)?": "llama-4-maverick",
    r"llama[ -]?2(?:[ -]70 ?b)?": "llama-2-70b",
    r"(?:llama[ -]?3?(?:\.\d)?[ -]?)?405 ?b": "llama-3.1-405b",
    r"(?:llama[ -]?3?(?:\.\d)?[ -]?)?70 ?b": "llama-3.1-70b",
    r"(?:llama[ -]?3?(?:\.\d)?[ -]?)?8 ?b": "llama-3.1-8b",
    r"mixtral[ -]8x22b": "mixtral-8x22b",
    r"mixtral(?:[ -]8x7b)?": "mixtral-8x7b",
    r"grok(?:[ -]?1)?": "grok-1",
    r"dbrx": "dbrx",
    r"phi(?:[ -]?3\.5)?(?:[ -]?moe)?": "phi-3.5-moe",
    r"qwen[ -]?3[ -]?next(?:[ -]?80 ?b)?(?:-a3b)?": "qwen3-next-80b-a3b",
    r"qwen(?:[ -]?3)?(?:[ -]?235 ?b)?(?:-a22b)?": "qwen3-235b-a22b",
    r"gpt[ -]?oss[ -]?20 ?b": "gpt-oss-20b",
    r"gpt[ -]?oss(?:[ -]?120 ?b)?": "gpt-oss-120b",
    r"nemotron[ -]?3(?:[ -]?nano)?(?:[ -]?30 ?b)?(?:-a3b)?": "nemotron-3-nano-30b-a3b",
    r"nemotron(?:[ -]?h)?(?:[ -]?47 ?b)?": "nemotron-h-47b",
    r"granite[ -]?4(?:\.0)?(?:[ -]?h)?(?:[ -]?small)?": "granite-4.0-h-small",
    r"kimi(?:[ -]?k2)?": "kimi-k2",
    r"gpt[ -]?4(?:[ -]class)?": "gpt-4-class-1.8t-moe",
    r"llama(?:[ -]?3(?:\.\d)?)?": "llama-3.1-70b",
}
"""What people call the models of the catalog; the first that fits a place is meant."""

RELEASED_IN = {"deepseek-v3-r1": "fp8", "kimi-k2": "fp8"}
"""Models whose weights were published in FP8."""


def models(text: Text) -> tuple[str, ...]:
    """Ids of the models of a question, each once."""
    ids = [key for pattern, key in _NAMES.items() for _ in text.take(rf"\b(?:{pattern})\b")]
    return tuple(dict.fromkeys(key for key in ids if key in MODELS))
