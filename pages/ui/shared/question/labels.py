"""Short summaries of the parts of the question: labels of the bar's popovers."""

from core.catalog import MODELS, SYSTEMS, link_name
from pages.ui.shared import fits, machine, shape
from pages.ui.shared.question import peek
from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.question.software import expected
from pages.ui.shared.rates import YOURS

KIBI = 1024


def system() -> str:
    """Domains, system and network, such as *4 x DGX H100 · NDR*."""
    option = peek.text("system", DEFAULTS["system"])
    option = option if option in SYSTEMS or option in _OWN_SYSTEM else DEFAULTS["system"]
    domains = peek.number("domains", 1)
    name = SYSTEMS[option].name if option in SYSTEMS else _OWN_SYSTEM[option]
    network = peek.text("network", machine.CATALOG)
    parts = [f"{domains:,} × {name}" if domains > 1 else name]
    if network != machine.CATALOG:
        parts.append(_short(network))
    elif domains > 1 and option in SYSTEMS and (leaf := SYSTEMS[option].scale_out) is not None:
        parts.append(_short(leaf.link))
    return " · ".join(parts)


def _short(link: str) -> str:
    """A network in a word, such as *NDR*."""
    return link_name(link).removeprefix("InfiniBand ").removesuffix(" 4x")


_OWN_SYSTEM = {machine.YOURS: "your system", machine.FILE: "system file"}


def rates() -> str:
    """Which rates, of your own the fit, and whether a latency is typed."""
    option = peek.text("rates", "calibrated")
    fit = peek.text("fit", fits.TYPED)
    if option == YOURS and fit != fits.TYPED:
        return f"{option}: {fit}"
    typed = peek.text("latency_us", "")
    return option + (" · own latency" if typed else "")


def software(page: str) -> str:
    """The preset in use, such as *vLLM (auto)*."""
    return expected(page).label


def model() -> str:
    """The model's name."""
    option = peek.text("model", DEFAULTS["model"])
    if option in MODELS:
        return MODELS[option].name
    if option == shape.FILE:
        return peek.text("config_name", "config.json")
    return "your model" if option == shape.OWN else MODELS[DEFAULTS["model"]].name


def job() -> str:
    """GPUs, global batch size and sequence length, such as *64 GPUs · batch 512 · 8K*."""
    gpus, batch = peek.number("gpus", int(DEFAULTS["gpus"])), peek.number("batch", int(DEFAULTS["batch"]))
    return f"{gpus:,} GPUs · batch {batch:,} · {tokens(peek.number('seq', int(DEFAULTS['seq'])))}"


def load() -> str:
    """Concurrent requests and context length, such as *32 requests · 4K*."""
    requests = peek.number("requests", int(DEFAULTS["requests"]))
    return f"{requests:,} requests · {tokens(peek.number('context', 4096))}"


def tokens(count: int) -> str:
    """A number of tokens in few characters: 8K, 131,072 as 128K, 1,000 as it is."""
    return f"{count // KIBI:,}K" if count and count % KIBI == 0 else f"{count:,}"
