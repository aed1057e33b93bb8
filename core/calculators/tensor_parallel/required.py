"""The bandwidth that a fabric must carry for so many steps a second."""

from dataclasses import dataclass

from core import checks


@dataclass(frozen=True, slots=True)
class Required:
    """Bytes/s per GPU and direction: of the payload alone, and of what a ring puts on the link."""

    payload_bytes_per_s: float
    wire_bytes_per_s: float


def required_bytes_per_s(
    message_bytes: float, layers: int, steps_per_s: float, *, ranks: int, messages_per_layer: int = 2
) -> Required:
    """
    The rate behind "a message a layer, so many steps a second".

    Args:
        message_bytes: One all-reduce's buffer.
        layers: Layers of a step.
        steps_per_s: Steps a second.
        ranks: GPUs of the group.
        messages_per_layer: All-reduces a layer in the wire figure; the payload figure counts one.
    """
    size = checks.number("message_bytes", message_bytes, least=0)
    count = checks.count("layers", layers) * checks.number("steps_per_s", steps_per_s, above=0)
    group = checks.count("ranks", ranks)
    payload = size * count
    return Required(payload, payload * messages_per_layer * 2 * (group - 1) / group)
