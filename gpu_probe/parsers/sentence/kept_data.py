"""Rates of data that is kept or fed: of disks, file systems and loaders, not of a link."""

import re

_KEPT = re.compile(
    r"(?i)\b(?:SSDs?|NVMe(?:-oF)?|(?:hard )?dis[ck]s?|HDDs?|NFS|Lustre|Ceph|GPFS|Weka(?:FS)?|S3|buckets?"
    r"|storage|POSIX|gdsio|safetensors|checkpoints?|data ?loaders?|JPEGs?|file ?systems?|NAS)\b"
)
_TEST = re.compile(
    r"(?i)\bib_(?:write|read|send)_\w+|\bperftest\b|\biperf\d?\b|\bnvbandwidth\b|\bbandwidthTest\b|\bp2p\w*Test\b"
)
"""What measures a link alone, whatever its sentence says it is for."""


def is_of_kept_data(sentence: str) -> bool:
    """Whether the rates of a sentence are those of a disk, a file system or a loader."""
    return _KEPT.search(sentence) is not None and _TEST.search(sentence) is None
