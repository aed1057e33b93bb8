"""One test for all entries of a table: where a check takes microseconds, a test of its own for each costs more."""


def each(values):
    """A test of one entry becomes one of all these; a failure says of which."""

    def repeated(test):
        def every():
            for value in values:
                try:
                    test(value)
                except BaseException as problem:
                    problem.add_note(f"of {value['id'] if isinstance(value, dict) else value.id}")
                    raise
            assert values

        every.__name__, every.__qualname__ = test.__name__, test.__qualname__
        every.__doc__, every.__module__ = test.__doc__, test.__module__
        return every

    return repeated
