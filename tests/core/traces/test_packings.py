"""Traces inside archives and archives inside them, and TraceLens's workbook with its several sheets."""

import gzip
import io
import tarfile
import zipfile
from xml.sax.saxutils import escape

import pytest

from core.errors import InputError
from core.traces import archives, workbook
from tests.core.traces.written import called, read, trace

RANKS = {f"job/rank{rank}.json": trace(called(1, 100, 50), told={"rank": rank}) for rank in range(2)}


def tarred(files, kind="w", **header):
    """A tar archive of these files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=kind) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            for key, value in header.items():
                setattr(entry, key, value)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zipped(files):
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


PACKED = {
    "tar": tarred(RANKS),
    "tar.gz": tarred(RANKS, "w:gz"),
    "tar of gz": tarred({f"{name}.gz": gzip.compress(data) for name, data in RANKS.items()}),
    "long names": tarred({f"{'x' * 90}/{'y' * 90}/{name}": data for name, data in RANKS.items()}),
    "tar in zip": zipped({"job.tar.gz": tarred(RANKS, "w:gz")}),
    "zip in tar": tarred({"job.zip": zipped(RANKS)}),
    "zip in zip": zipped({"job.zip": zipped(RANKS), "why.txt": b"why"}),
    "zips of a rank each": zipped({f"{name}.zip": zipped({name: data}) for name, data in RANKS.items()}),
}


@pytest.mark.parametrize("kind", PACKED)
def test_ranks_in_an_archive(kind):
    """Both ranks are there, whatever they are packed in, one archive in another included."""
    assert [entry.rank for entry in read(PACKED[kind]).ranks] == [0, 1]


def test_an_archive_that_is_not_read(monkeypatch):
    """Too deep, cut short, too large or with names of megabytes: a line that says which."""
    deep = zipped({"b.zip": zipped({"c.zip": zipped(RANKS)})})
    pax = tarred(RANKS, pax_headers={"comment": "1" * 100_000})
    many = tarred({f"{n}.json": b"" for n in range(100)}, pax_headers={"comment": "1" * 8000})
    names = tarred({f"evil\n\x1b[31m{'x' * 300}.csv": b"hello"})
    bomb = zipped({"b.zip": zipfile_of_blanks()})
    for data, reason in (
        (deep, "an archive within an archive"),
        (tarred({"a.tar": tarred({"b.tar": tarred(RANKS)})}), "an archive within an archive"),
        (tarred(RANKS)[:900], "cut short"),
        (tarred(RANKS, "w:gz")[:-40], "cut short"),
        (pax, "longer than any tool writes"),
        (many, "more properties than any tool writes"),
        (names, "no trace of a known"),
        (tarred({"link": b""}, type=tarfile.SYMTYPE, linkname="/etc/passwd"), "holds no file"),
        (bomb, "of more than"),
    ):
        monkeypatch.setattr(archives, "INNER_MOST_BYTES", 100_000 if data is bomb else 10**9)
        with pytest.raises(InputError, match=reason) as refused:
            read(data, names=["upload"])
        assert str(refused.value).isprintable()


def zipfile_of_blanks():
    """A zip whose file stands in it unpacked, so that the zip itself packs well."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.json", b" " * 1_000_000)
    return out.getvalue()


HEAD = ["Collective name", "dtype", "In msg nelems", "Process Group Name", "Group size"]
WHOLE = [[*HEAD, "comm_latency_mean", "count", "Total comm latency (ms)"]]
WHOLE += [["_allgather_base", "BFloat16", 1000, "0", 8, 25.5, 4, 0.102]]
EACH = [["rank", *HEAD, "Out msg nelems", "dur_sum", "dur_mean", "operation_count"]]
EACH += [[0, "_allgather_base", "BFloat16", 1000, "0", 8, 8000, 120.0, 30.0, 4]]
EACH += [[rank, "all_to_allv", "BFloat16", 50, "0", 8, 60, 9.0, 4.5, 2] for rank in range(2)]
CALLS = [["collective_id", "rank", *HEAD, "Out msg nelems", "stream", "ts", "dur"]]
CALLS += [
    [f"0_{rank}", rank, "_allgather_base", "BFloat16", 1000, "0", 8, 8000, 7, 1e12, 30.5] for rank in (1, 0)
]
OTHER = [["type", "time ms", "percent"], ["busy_time", 1.5, 99.0]]


def cell(place, value, texts):
    """A cell as Excel and its libraries write one: a number, or the number of a shared text."""
    if isinstance(value, str):
        texts.append(value)
        return f'<c r="{place}" t="s"><v>{len(texts) - 1}</v></c>'
    return f'<c r="{place}"><v>{value!r}</v></c>'


def book(*sheets, doctype=""):
    """A workbook of these sheets."""
    files, texts = {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}, []
    for number, rows in enumerate(sheets, start=1):
        lines = "".join(
            f'<row r="{line}">'
            + "".join(cell(f"{chr(65 + place)}{line}", value, texts) for place, value in enumerate(row))
            + "</row>"
            for line, row in enumerate(rows, start=1)
        )
        sheet = f"<worksheet><sheetData>{lines}</sheetData></worksheet>"
        files[f"xl/worksheets/sheet{number}.xml"] = f"<?xml version='1.0'?>{doctype}{sheet}".encode()
    shared = "".join(f"<si><t>{escape(text)}</t><rPh><t>no</t></rPh></si>" for text in texts)
    files["xl/sharedStrings.xml"] = f"<sst>{shared}</sst>".encode()
    return zipped(files)


def test_a_workbook_counts_no_call_twice():
    """Totals over all ranks, beside them those of ranks for the operation that only they have."""
    job = read(book(OTHER, WHOLE, EACH), names=["report.xlsx"])

    assert [(row.operation, row.rank, row.count) for row in job.summary] == [
        ("all_gather", None, 4),
        ("all_to_all", 0, 2),
        ("all_to_all", 1, 2),
    ]
    assert (job.summary[0].bytes_in, job.summary[0].mean_s) == (2000, pytest.approx(25.5e-6))
    assert job.groups[0].size == 8


def test_a_workbook_with_single_calls():
    """They tell all that the totals do, with times; the sheets may also lie in a zip as CSV."""
    job = read(book(WHOLE, EACH, CALLS), names=["report.xlsx"])
    as_text = {
        f"{number}.csv": "\n".join(",".join(map(str, row)) for row in rows).encode()
        for number, rows in enumerate((WHOLE, EACH, CALLS))
    }
    packed = read(zipped(as_text))

    for found in (job, packed):
        assert (found.summary, [entry.rank for entry in found.ranks]) == ((), [0, 1])
        assert found.ranks[0].collectives.duration_s.tolist() == pytest.approx([30.5e-6])
        assert found.ranks[0].collectives.bytes_out.tolist() == [16000]


def test_a_workbook_within_a_zip():
    """It is one file of the zip; one that holds no report is left out as other files are."""
    assert len(read(zipped({"report.xlsx": book(WHOLE)})).summary) == 1

    beside = read(zipped(RANKS | {"costs.xlsx": book(OTHER)}))
    assert ([entry.rank for entry in beside.ranks], beside.notes[-1]) == (
        [0, 1],
        "1 file is no trace and was left out.",
    )


ENTITIES = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d SYSTEM "file:///etc/passwd">]>'


def test_rows_of_few_cells_below_a_wide_header_count_their_places():
    """A workbook of some kilobytes cannot make a table of gigabytes."""
    wide = [WHOLE[0] + [f"x{place}" for place in range(900)]]
    rows = "".join('<row><c t="str" r="A1"><v>a</v></c></row>' for _ in range(8000))
    header = "".join(f'<c t="str"><v>{name}</v></c>' for name in wide[0])
    sheet = f"<worksheet><sheetData><row>{header}</row>{rows}</sheetData></worksheet>"
    files = {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}

    with pytest.raises(InputError, match="cells in a sheet"):
        read(zipped(files | {"xl/worksheets/sheet1.xml": sheet.encode()}), names=["report.xlsx"])


def in_charset(name):
    """A workbook whose texts state this character set."""
    texts = f"<?xml version='1.0' encoding='{name}'?><sst><si><t>a</t></si></sst>"
    return zipped({"xl/workbook.xml": b"", "xl/sharedStrings.xml": texts.encode()})


def test_a_workbook_that_is_not_read(monkeypatch):
    """No report in it, entities, too many cells, broken XML, locked, or a character set of its own: a line."""
    monkeypatch.setattr(workbook, "CELLS_MOST", 100)
    for data, reason in (
        (book(OTHER), "without a sheet"),
        (book(WHOLE, doctype=ENTITIES), "a document type"),
        (book(WHOLE + WHOLE[1:] * 50), "cells in a sheet"),
        (book(WHOLE)[:-30], "not a zip"),
        (zipped({"xl/workbook.xml": b"", "xl/worksheets/sheet1.xml": b"<a><b></a>"}), "broken or locked"),
        (zipped({"xl/workbook.xml": b"", "xl/sharedStrings.xml": b"\xff\xfe"}), "broken or locked"),
        (in_charset("foo"), "broken or locked"),
        (in_charset("gbk"), "broken or locked"),
        (in_charset("utf-7"), "broken or locked"),
    ):
        with pytest.raises(InputError, match=reason) as refused:
            read(data, names=["report.xlsx"])
        assert "\n" not in str(refused.value)
