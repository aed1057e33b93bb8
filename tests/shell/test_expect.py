"""``python -m core expect``: sheets of every operation by one algorithm."""

import json

from tests.shell.commands import ask


def test_a_sheet_leaves_out_what_an_algorithm_cannot_do(capsys):
    """A tree adds and copies; the operations it cannot do are named and left out, not the whole sheet."""
    size = ("--from-size", "1MiB", "--to-size", "1MiB")
    status, out, _ = ask(capsys, "expect", "--ranks", "8", "--algorithm", "tree", *size, "--json")
    sheet = json.loads(out)

    assert status == 0
    assert {row["operation"] for row in sheet["rows"]} >= {"all_reduce", "broadcast"}
    assert any(note.startswith("all_to_all is left out") for note in sheet["warnings"])
    arguments = ("expect", "--ranks", "8", "--algorithm", "tree", "--collective", "all_to_all", *size)
    assert ask(capsys, *arguments)[0] == 2
