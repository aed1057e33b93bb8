"""Moments as the store keeps them: in UTC; what comes without a zone is taken for UTC."""

from datetime import UTC, datetime


def in_utc(moment: datetime) -> datetime:
    """The same moment in UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def parse_moment(text: str) -> datetime | None:
    """The moment of an ISO 8601 text such as ``2026-11-01T12:00:00Z``; None where it is none."""
    try:
        return in_utc(datetime.fromisoformat(text.strip()))
    except (ValueError, OverflowError):
        return None
