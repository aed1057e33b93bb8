"""
What the server is made of, as CycloneDX JSON: every package of a lock with its version and licence.

``python tools/sbom.py --lock requirements/app.txt --version 1.0.0 --revision COMMIT > sbom.cdx.json``

The same lock, version, revision and packages give the same bytes. Nothing but the standard library is
needed, so that the image can make it of itself.
"""

import argparse
import hashlib
import json
import re
import sys
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

Json = dict[str, Any]
SPECIFICATION = "1.6"
LICENCE = "Apache-2.0"
LONGEST_NAME = 60
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def pins(lock: str) -> list[tuple[str, str]]:
    """Name and version of each package of a lock, by name."""
    return sorted(_PIN.findall(lock))


def document(lock: str, version: str, revision: str, *, only_installed: bool = False) -> Json:
    """
    The bill of materials.

    Args:
        lock: Text of a requirements file with pins.
        version: Of Wirespeed.
        revision: The commit it was made from.
        only_installed: Leave out what this interpreter does not have: pins for other systems and Pythons.
    """
    digest = hashlib.sha256(lock.encode()).hexdigest()
    components = [
        _component(name, number)
        for name, number in pins(lock)
        if not only_installed or number == _installed(name)
    ]
    own = {
        "type": "application",
        "bom-ref": f"wirespeed@{version}",
        "name": "wirespeed",
        "version": version,
        "licenses": [{"license": {"id": LICENCE}}],
        "properties": [
            {"name": "wirespeed:revision", "value": revision},
            {"name": "wirespeed:lock:sha256", "value": digest},
        ],
    }
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPECIFICATION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, f"{version} {revision} {digest} {components}").urn,
        "version": 1,
        "metadata": {"component": own},
        "components": components,
    }


def _installed(name: str) -> str | None:
    """The version that this interpreter has."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _component(name: str, version: str) -> Json:
    address = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}"
    component: Json = {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
    }
    licences = _licences(name)
    return component | ({"licenses": licences} if licences else {})


def _licences(name: str) -> list[Json]:
    """As the installed package states them; nothing where it is not installed or says nothing short."""
    if _installed(name) is None:
        return []
    about = metadata.metadata(name)
    expressions = about.get_all("License-Expression") or []
    if expressions:
        return [{"expression": expressions[0]}]
    classifiers = [
        text.rpartition(" :: ")[2]
        for text in about.get_all("Classifier") or []
        if text.startswith("License :: ") and text != "License :: OSI Approved"
    ]
    stated = " ".join(" ".join(about.get_all("License") or []).split())
    names = classifiers or ([stated] if 0 < len(stated) <= LONGEST_NAME else [])
    return [{"license": {"name": text}} for text in names]


def main() -> int:
    """Print the document of a lock."""
    parser = argparse.ArgumentParser(description="The packages of a lock as CycloneDX JSON.")
    parser.add_argument("--lock", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--revision", default="unknown")
    parser.add_argument("--installed", action="store_true", help="only what this interpreter has")
    given = parser.parse_args()
    lock = given.lock.read_text(encoding="utf-8")
    made = document(lock, given.version, given.revision, only_installed=given.installed)
    json.dump(made, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
