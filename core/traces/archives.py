"""The files inside an upload: zips and tar archives, and one such archive within another, within bounds."""

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Self, cast

from core.errors import InputError
from core.traces.unpacking import Progress, Source, opened, printable

FILES_MOST = 4096
DEEP_MOST = 1
"""An archive within an archive is opened, none within that."""
SPOOLED_BYTES = 32_000_000
INNER_MOST_BYTES = 2_000_000_000
TAR_NAME_MOST_BYTES = 1_000_000
TAR_PROPERTIES_MOST_BYTES = 8192
TAR_PROPERTIES_WORK = 32 * TAR_PROPERTIES_MOST_BYTES**2
"""Python before 3.11.10 reads an entry's properties in a time that grows with the square of their size."""
ZIP = b"PK"
WORKBOOK = "xl/workbook.xml"
_TAR_PLACE = 257
_TAR_BLOCK = 512
_NAMES = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PROPERTIES = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
"""Entries that hold the name or properties of the next one, read into memory whole."""


def sources(name: str, stream: IO[bytes], progress: Progress | None = None) -> Iterator[Source]:
    """
    Every file of an upload: the file itself, unpacked where gzip, or each file of a zip or tar archive.

    Args:
        name: Of the upload.
        stream: Seekable, at its beginning.
        progress: As for ``Source``.

    Raises:
        InputError: The upload is empty, too many files, or packed in a way that cannot be read.
    """
    magic = stream.read(4)
    stream.seek(0)
    if not magic:
        message = f"{name}: the file is empty"
        raise InputError(message)
    if magic.startswith(ZIP):
        yield from _zipped(name, stream, 0, progress)
        return
    with opened(name, stream, 0, progress) as source:
        yield from _inside(source, 0)


def is_tar(head: bytes) -> bool:
    """Whether a file that begins so is a tar archive."""
    return head[_TAR_PLACE:].startswith(b"ustar")


def _inside(source: Source, depth: int) -> Iterator[Source]:
    """The files of an archive that is not too deep within others; any other file as it is."""
    if depth > DEEP_MOST or not (is_tar(source.head) or source.head.startswith(ZIP)):
        yield source
        return
    if is_tar(source.head):
        yield from _tarred(source, depth)
        return
    with SpooledTemporaryFile(SPOOLED_BYTES) as spooled:
        size = 0
        while data := source.read(1 << 20):
            size += spooled.write(data)
            if size > INNER_MOST_BYTES:
                most = f"{INNER_MOST_BYTES // 1_000_000_000} GB"
                message = f"{source.name}: a zip of more than {most} within another file"
                raise InputError(message)
        spooled.seek(0)
        yield from _zipped(source.name, cast("IO[bytes]", spooled), depth, None)


def _zipped(name: str, stream: IO[bytes], depth: int, progress: Progress | None) -> Iterator[Source]:
    """The files of a zip; a workbook is one file."""
    try:
        archive = zipfile.ZipFile(stream)
        entries = [
            entry for entry in archive.infolist() if not entry.is_dir() and _is_content(entry.filename)
        ]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as problem:
        message = f"{name}: not a zip that can be read"
        raise InputError(message) from problem
    if any(entry.filename == WORKBOOK for entry in entries):
        stream.seek(0)
        yield Source(name, stream, 0, progress)
        return
    if not 0 < len(entries) <= FILES_MOST:
        message = f"{name}: a zip of {len(entries)} files; 1 to {FILES_MOST} are read"
        raise InputError(message)
    for entry in entries:
        try:
            inner = archive.open(entry)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as problem:
            inside = printable(entry.filename)[:80]
            message = f"{name}: {inside} cannot be unpacked (encrypted or an unusual packing)"
            raise InputError(message) from problem
        with inner, opened(entry.filename, inner, max(entry.compress_size, 1), progress) as source:
            yield from _inside(source, depth + 1)


def _tarred(source: Source, depth: int) -> Iterator[Source]:
    """The plain files of a tar archive as it streams by; links and devices are passed over."""
    count = 0
    try:
        with tarfile.open(fileobj=cast("IO[bytes]", source), mode="r|", tarinfo=_bounded()) as archive:
            for member in archive:
                count += 1
                if count > FILES_MOST:
                    message = f"{source.name}: a tar archive of more than {FILES_MOST} files"
                    raise InputError(message)
                inner = archive.extractfile(member) if member.isreg() and not member.issparse() else None
                if inner is None or not _is_content(member.name):
                    continue
                with inner, opened(member.name, inner, max(member.size, 1), None) as part:
                    yield from _inside(part, depth + 1)
    except (tarfile.TarError, OSError, EOFError, ValueError, zlib.error) as problem:
        if isinstance(problem, InputError):
            raise
        message = f"{source.name}: the tar archive is broken or cut short"
        raise InputError(message) from problem


def _bounded() -> type[tarfile.TarInfo]:
    """The entries of one archive, whose headers are bounded in size and in the work of reading them."""
    work = 0

    class Member(tarfile.TarInfo):
        """An entry of this archive."""

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            """The entry of this block; raises InputError for one that no tool writes."""
            nonlocal work
            member = super().frombuf(buf, encoding, errors)
            if member.type in _PROPERTIES:
                work += member.size**2
            too_long = member.type in _NAMES and member.size > TAR_NAME_MOST_BYTES
            if too_long or (member.size > TAR_PROPERTIES_MOST_BYTES and member.type in _PROPERTIES):
                message = "a tar archive whose entry has a name or properties longer than any tool writes"
                raise InputError(message)
            if work > TAR_PROPERTIES_WORK:
                message = "a tar archive whose entries have more properties than any tool writes"
                raise InputError(message)
            return member

    return Member


def _is_content(path: str) -> bool:
    """Whether it is no hidden file, nor one that an operating system adds."""
    return not any(part.startswith((".", "__MACOSX")) and part not in (".", "..") for part in path.split("/"))
