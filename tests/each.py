"""One test for all entries of a table: where a check takes microseconds, a test of its own for each costs more."""


def each(values):
    """A test of one entry becomes one of all these; its failure says of which, all of them."""
    assert values

    def repeated(test):
        def every():
            problems = []
            for value in values:
                try:
                    test(value)
                except Exception as problem:  # noqa: BLE001 - raised below with the others
                    problem.add_note(f"of {value['id'] if isinstance(value, dict) else value.id}")
                    problems.append(problem)
            if problems:
                told = f"{test.__name__}: {len(problems)} of {len(values)} entries"
                raise ExceptionGroup(told, problems)

        every.__name__, every.__qualname__ = test.__name__, test.__qualname__
        every.__doc__, every.__module__ = test.__doc__, test.__module__
        return every

    return repeated
