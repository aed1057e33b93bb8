"""The one error a user may see: a value from outside that cannot be used."""


class InputError(ValueError):
    """A value from outside that cannot be used; its text is one line for the user."""
