"""Care of the store: `python -m db upgrade|backup|restore|check|audit|settings`."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import Engine

from core.checks import count
from core.command_line import FAILED, Parser, one_line
from core.errors import InputError
from core.version import VERSION
from db import audit, backup, health, migrate, settings
from db.backup_file import BackupFile
from db.engine import database_url, open_engine, parse
from db.errors import StoreError
from db.errors import one_line as outages
from db.moments import parse_moment
from db.restore import restore

UNSOUND = 1


def parser() -> Parser:
    """The command line."""
    root = Parser(prog="python -m db", description=__doc__)
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text)

    add("upgrade", "bring the database to this program's schema")
    sub = add("backup", "write all of it to one file while the server goes on; - is standard output")
    sub.add_argument("file", nargs="?", help="default: wirespeed-DATE.backup here")
    sub = add("restore", "make the database what a backup holds; both engines read every backup")
    sub.add_argument("file", type=Path)
    sub.add_argument("--replace", action="store_true", help="drop what the database holds now")
    sub = add("check", "is the database whole, or a backup? exit 1 where not")
    sub.add_argument("file", nargs="?", type=Path, help="a backup; default: the database")
    sub = add("audit", "who did what, the latest first, as CSV on standard output")
    sub.add_argument("--actor", default="", help="part of who acted")
    sub.add_argument("--action", default="", help="exactly what was done, such as 'delete run'")
    sub.add_argument("--subject", default="", help="part of what it was done to")
    sub.add_argument("--since", metavar="DATE", help="2026-11-01 or 2026-11-01T12:00Z, and later")
    sub.add_argument("--limit", type=int, default=1000, metavar="N", help="at most so many; default 1000")
    add("settings", "every setting, its meaning and what it is now; secrets are not shown")
    return root


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 2 and one line where it could not be done, with nothing changed."""
    root = parser()
    options = root.parse_args(arguments)
    try:
        settings.check()
        if options.command == "settings":
            print(settings.listing())
            return 0
        if options.command == "check" and options.file:
            return _check_file(options.file)
        engine = open_engine(parse(database_url()))
        try:
            return int(_COMMANDS[options.command](engine, options))
        finally:
            engine.dispose()
    except (InputError, StoreError) as error:
        print(f"{root.prog}: {one_line(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(f"{root.prog}: stopped, nothing was changed", file=sys.stderr)
        return 130


def _upgrade(engine: Engine, _options: argparse.Namespace) -> int:
    with outages(engine):
        before = migrate.upgrade(engine)
    now = migrate.head()
    print(f"schema {now}" if before == now else f"schema {before or 'none'} -> {now}")
    return 0


def _backup(engine: Engine, options: argparse.Namespace) -> int:
    if options.file == "-":
        backup.write(engine, sys.stdout.buffer)
        return 0
    name = options.file or f"wirespeed-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.backup"
    path = Path(name)
    counts = backup.write_file(engine, path)
    print(f"{path}: {_rows(counts)}, {path.stat().st_size / 1e6:.1f} MB, Wirespeed {VERSION}")
    return 0


def _restore(engine: Engine, options: argparse.Namespace) -> int:
    source = BackupFile(options.file)
    restore(engine, source, replace=options.replace)
    print(f"restored {_rows(source.counts)} as of {source.head.made_at}; schema {migrate.head()}")
    return 0


def _audit(engine: Engine, options: argparse.Namespace) -> int:
    since = parse_moment(options.since) if options.since else None
    if options.since and since is None:
        message = f"--since: a date such as 2026-11-01, not {options.since[:40]!r}"
        raise InputError(message)
    count("--limit", options.limit, least=1, most=10_000_000)
    with outages(engine), engine.connect() as connection:
        if migrate.current(connection) != migrate.head():
            message = "the schema is not this program's: python -m db upgrade"
            raise InputError(message)
        entries = audit.entries(
            connection,
            actor=options.actor,
            action=options.action,
            subject=options.subject,
            since=since,
            limit=options.limit,
        )
    print(audit.as_csv(entries), end="")
    return 0


def _check(engine: Engine, _options: argparse.Namespace) -> int:
    seen = health.examine(engine)
    for problem in seen.problems:
        print(one_line(problem))
    if not seen.problems:
        print(f"whole: {_rows(seen.counts)}; schema {seen.revision}")
    return UNSOUND if seen.problems else 0


def _check_file(path: Path) -> int:
    source = BackupFile(path)
    head = source.head
    print(f"whole: {_rows(source.counts)}; schema {head.schema}, Wirespeed {head.version}, {head.made_at}")
    return 0


def _rows(counts: dict[str, int]) -> str:
    shown = [f"{number:,} {name}" for name, number in sorted(counts.items()) if number]
    return ", ".join(shown) or "no rows"


_COMMANDS = {"upgrade": _upgrade, "backup": _backup, "restore": _restore, "check": _check, "audit": _audit}

if __name__ == "__main__":
    sys.exit(main())
