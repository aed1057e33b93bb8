"""Tables of collectives: every row keeps its place, what cannot be answered says why, a table that lacks a column is refused."""

import json

import pytest

from tests.shell.commands import ask, run

PREDICT = "note,gpu,scale_up_link,domain_gpus,domains,collective,size_bytes\r\n"


def test_predict_keeps_rows_and_counts_what_it_cannot_answer():
    """Columns come back in order; a hopeless row keeps its place with a reason; exit 0."""
    text = PREDICT + 'a "b"?,h100-sxm,nvlink4,8,1,all_reduce,1048576\r\nc,h100-sxm,nvlink4,8,1,gossip,8\r\n'
    done = run("predict", "-", "-o", "-", input=text.encode())
    rows = done.stdout.decode().splitlines()

    assert done.returncode == 0
    assert rows[0] == PREDICT.strip() + ",predicted_us,low_us,high_us,algorithm,basis"
    assert len(rows) == 3
    assert "calibrated" in rows[1]
    assert "error" in rows[2]
    assert done.stderr.decode().splitlines() == ["1 row without an answer"]


def test_predict_speaks_json(capsys, tmp_path):
    """The same rows as objects: cells as they came, times as numbers, null without an answer."""
    table = tmp_path / "in.csv"
    table.write_text(PREDICT + "a,h100-sxm,nvlink4,8,1,all_reduce,1e6\r\nb,h100-sxm,nvlink4,8,1,gossip,8\r\n")

    status, out, err = ask(capsys, "predict", str(table), "--json")
    good, bad = json.loads(out)["rows"]

    assert (status, err) == (0, "1 row without an answer\n")
    assert good["size_bytes"] == "1e6"
    assert good["low_us"] < good["predicted_us"] < good["high_us"]
    assert (bad["note"], bad["predicted_us"], bad["algorithm"]) == ("b", None, None)
    assert bad["basis"].startswith("error")


def test_predict_without_a_required_column_is_an_error(capsys, tmp_path):
    """A table that lacks the size of the messages is refused by that name, and nothing is written."""
    table, out_path = tmp_path / "in.csv", tmp_path / "out.csv"
    table.write_text("gpu,scale_up_link,domain_gpus,domains,collective\nh100-sxm,nvlink4,8,1,all_reduce\n")

    status, _, err = ask(capsys, "predict", str(table), "-o", str(out_path))

    assert status == 2
    assert "size_bytes" in err
    assert len(err.splitlines()) == 1
    assert not out_path.exists()


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_predict_says_what_an_empty_table_lacks(capsys, tmp_path, text):
    """A table without a line is called empty, and the columns it needs are named."""
    table = tmp_path / "in.csv"
    table.write_text(text)

    status, out, err = ask(capsys, "predict", str(table))

    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "empty" in err
    assert "domain_gpus, domains, collective, size_bytes" in err
