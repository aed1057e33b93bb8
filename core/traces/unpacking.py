"""A file of an upload as a stream, gunzipped, with a bound on what it unfolds to."""

import codecs
import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from core.errors import InputError

UNPACKED_MOST_BYTES = 8_000_000_000
RATIO_MOST = 300
"""A trace packs 10 to 60 to one; what packs better is no trace."""
RATIO_FREE_BYTES = 100_000_000
HEAD_BYTES = 65_536
LINE_MOST_BYTES = 4_000_000
NAME_MOST = 300

Progress = Callable[[int], None]


class Source:
    """
    A file's bytes as they unfold, with its beginning to look at first.

    Args:
        name: Of the file.
        stream: What to read from.
        packed_bytes: Size of the packed file; 0 where it is not packed.
        progress: Called with the number of bytes of every piece that is read; may raise to stop.
    """

    def __init__(
        self, name: str, stream: IO[bytes], packed_bytes: int = 0, progress: Progress | None = None
    ) -> None:
        self.name = printable(name)
        self._stream = stream
        self._packed_bytes = packed_bytes
        self._progress = progress
        self._bytes = 0
        self._ahead = b""
        self.head = self._ahead = self.read(HEAD_BYTES).removeprefix(codecs.BOM_UTF8)

    def read(self, most: int = -1) -> bytes:
        """
        The next bytes, at most so many (all of them where negative); empty at the end.

        Raises:
            InputError: The packed file is broken or unfolds to more than a trace would.
        """
        if most < 0:
            return self.whole(UNPACKED_MOST_BYTES)
        if self._ahead:
            data, self._ahead = self._ahead[:most], self._ahead[most:]
            return data
        try:
            data = self._stream.read(most)
        except (
            OSError,
            EOFError,
            zlib.error,
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
            tarfile.TarError,
        ) as problem:
            message = f"{self.name}: the packed file is broken or cut short"
            raise InputError(message) from problem
        self._count(len(data))
        return data

    def whole(self, most_bytes: int) -> bytes:
        """
        All that is left.

        Raises:
            InputError: More than ``most_bytes``, or as ``read``.
        """
        parts, size = [], 0
        while data := self.read(1 << 20):
            size += len(data)
            if size > most_bytes:
                message = f"{self.name}: more than {most_bytes // 1_000_000} MB of this format"
                raise InputError(message)
            parts.append(data)
        return b"".join(parts)

    def lines(self) -> Iterator[bytes]:
        """
        The lines of the file as they stream by, without their ends.

        Raises:
            InputError: A line is longer than any tool writes, or as ``read``.
        """
        rest = b""
        while data := self.read(1 << 20):
            parts = (rest + data).split(b"\n")
            rest = parts.pop()
            if len(rest) > LINE_MOST_BYTES:
                message = f"{self.name}: a line of more than {LINE_MOST_BYTES // 1_000_000} MB"
                raise InputError(message)
            yield from (line.removesuffix(b"\r") for line in parts)
        if rest:
            yield rest

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._progress is not None:
            self._progress(size)
        if self._bytes > UNPACKED_MOST_BYTES:
            message = f"{self.name}: unfolds to more than {UNPACKED_MOST_BYTES // 1_000_000_000} GB"
            raise InputError(message)
        if self._packed_bytes and self._bytes > max(RATIO_FREE_BYTES, RATIO_MOST * self._packed_bytes):
            message = f"{self.name}: unfolds to more than {RATIO_MOST} times its size"
            raise InputError(message)


def printable(name: str) -> str:
    """A file's name as one line of text, whatever an archive holds as one; its end where it is long."""
    return "".join(sign if sign.isprintable() else "?" for sign in name[-NAME_MOST:])


@contextmanager
def opened(name: str, stream: IO[bytes], packed_bytes: int, progress: Progress | None) -> Iterator[Source]:
    """A file of this stream, gunzipped where it is gzip, as UTF-8 where it is UTF-16."""
    buffered = io.BufferedReader(_Raw(stream), 1 << 16)
    if buffered.peek(2)[:2] != b"\x1f\x8b":
        yield Source(name, _in_utf8(buffered), packed_bytes, progress)
        return
    size = packed_bytes or _size(stream)
    with gzip.GzipFile(fileobj=buffered) as unpacked:
        yield Source(name, _in_utf8(io.BufferedReader(unpacked, 1 << 18)), size, progress)


def _in_utf8(stream: "io.BufferedReader[Any]") -> IO[bytes]:
    """The stream, recoded where it begins as UTF-16 does: what PowerShell writes."""
    try:
        wide = stream.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    except (OSError, EOFError, zlib.error):
        return stream
    return codecs.EncodedFile(stream, "utf-8", "utf-16", "replace") if wide else stream


def _size(stream: IO[bytes]) -> int:
    place = stream.tell()
    size = stream.seek(0, io.SEEK_END)
    stream.seek(place)
    return max(size, 1)


class _Raw(io.RawIOBase):
    """Any readable stream as a raw one, so that it can be buffered and looked into."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: "memoryview[int] | bytearray") -> int:  # type: ignore[override]
        """Fill the buffer as far as the stream goes."""
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
