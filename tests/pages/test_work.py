"""Long work in parts: what is remembered is shared by all sessions, which may drop it at any moment."""

from collections import OrderedDict

from pages.ui.shared import work


class Evicting(OrderedDict):
    """A memory from which another session drops an entry just when it is looked up."""

    def move_to_end(self, key, last=True):
        """Too late: the entry has gone."""
        self.pop(key, None)
        super().move_to_end(key, last)


def test_an_answer_that_was_just_dropped_is_computed_again(monkeypatch):
    """Neither an error nor an empty answer: the search runs once more."""
    monkeypatch.setattr(work, "_finished", Evicting())
    answers = [work.collect("Search", "question", lambda: [lambda: 1, lambda: 2]) for _ in range(2)]

    assert [answer.done for answer in answers] == [(1, 2), (1, 2)]
    assert all(answer.complete for answer in answers)
