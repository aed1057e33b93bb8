"""The one error a user may see: a value from outside that cannot be used."""

from core.storable import storable


class InputError(ValueError):
    """A value from outside that cannot be used; its text is one line for the user."""

    def __init__(self, message: str = "") -> None:
        """Keep what can be printed and sent, whatever was quoted in it."""
        super().__init__(storable(message))
