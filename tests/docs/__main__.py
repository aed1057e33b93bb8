"""``python -m tests.docs``: run every document and write the output of today into it."""

import os
import sys
import tempfile

from tests.docs.reader import ROOT, Reader, documents
from tests.docs.server import serving

os.environ["COLUMNS"] = "100"
for name in sys.argv[1:] or documents():
    with (
        tempfile.TemporaryDirectory() as store,
        tempfile.TemporaryDirectory() as folder,
        serving(store) as server,
    ):
        before = (ROOT / name).read_text(encoding="utf-8")
        after, _ = Reader(folder, server).read(before)
    if after != before:
        (ROOT / name).write_text(after, encoding="utf-8")
        print(f"{name}: rewritten")
