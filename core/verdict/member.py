"""One run of a cluster's acceptance, beside the runs like it."""

from dataclasses import dataclass

from core.verdict.records import Status


@dataclass(frozen=True, slots=True)
class Member:
    """
    One run of an acceptance.

    Attributes:
        name: Of its file.
        hosts: That took part; empty where neither the log nor the name of its file tells.
        status, headline: The verdict.
        busbw_bytes_per_s: Best of its large sizes; None for copies.
        peer_share: Of the median of the runs like it, at the largest size that at least three of them
            have; None where there is none.
        weak: Failed, or behind its peers.
        part: What of a node the run points at, such as a GPU; empty where it does not.
        gpus: Names in its log.
    """

    name: str
    hosts: tuple[str, ...]
    status: Status
    headline: str
    busbw_bytes_per_s: float | None
    peer_share: float | None
    weak: bool
    part: str = ""
    gpus: tuple[str, ...] = ()
