"""A release is made of what is committed: checked, tagged on this machine, with notes, SBOM, labels and sources."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tools import sbom

ROOT = Path(__file__).resolve().parents[1]
PARTS = (
    *(
        "CHANGELOG.md",
        "core/version.py",
        "pyproject.toml",
        "Dockerfile",
        "compose.yaml",
        "requirements/app.txt",
    ),
    *("deploy/kustomize/kustomization.yaml", "tools/release.sh", "tools/source.sh", "tools/sbom.py"),
)
NEXT = "7.8.9"
NOBODY = {"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.com", "GIT_CONFIG_GLOBAL": os.devnull}
NOBODY |= {"GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.com", "PATH": os.environ["PATH"]}


class Clone:
    """A repository of its own with what a release needs."""

    def __init__(self, folder):
        self.folder = folder
        for part in PARTS:
            (folder / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / part, folder / part)
        (folder / ".gitignore").write_text("build/\n__pycache__/\n")
        changelog = folder / "CHANGELOG.md"
        news = "## Unreleased\n\n### Added\n- Something new.\n"
        changelog.write_text(changelog.read_text().replace("## Unreleased\n", news, 1))
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", "https://ann:secret@forge.example/team/wirespeed.git")
        self.commit()

    def run(self, *words):
        """Status and both outputs of a command."""
        done = subprocess.run(words, cwd=self.folder, env=NOBODY, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def git(self, *words):
        """What git prints."""
        status, out, err = self.run("git", *words)
        assert status == 0, err
        return out.strip()

    def commit(self):
        """Everything as it is now."""
        self.git("add", ".")
        self.git("commit", "-q", "-m", "as it is")

    def release(self, *words):
        """``tools/release.sh``."""
        return self.run("tools/release.sh", *words)


@pytest.fixture
def clone(tmp_path):
    """A repository that may be tagged."""
    return Clone(tmp_path)


def test_a_release_is_prepared_checked_tagged_and_described(clone):
    """From the changelog's open section to a tag with its notes, an SBOM, labels, sources and their sums."""
    assert clone.release("prepare", NEXT)[0] == 0
    changelog = (clone.folder / "CHANGELOG.md").read_text()
    clone.commit()
    status, said, complaint = clone.release(NEXT)
    out = clone.folder / "build" / "release" / NEXT
    revision = clone.git("rev-parse", "HEAD")
    labels = dict(line.split("=", 1) for line in (out / "labels").read_text().splitlines())
    bill = json.loads((out / f"wirespeed-{NEXT}.cdx.json").read_text())
    sums = dict(reversed(line.split("  ")) for line in (out / "SHA256SUMS").read_text().splitlines())

    assert (status, complaint) == (0, "")
    assert "not pushed" in said
    assert re.search(rf"^## Unreleased\n\n## {NEXT} \(\d{{4}}-\d\d-\d\d\)\n", changelog, re.MULTILINE)
    assert clone.git("rev-parse", f"v{NEXT}^{{commit}}") == revision
    assert "### " in clone.git("tag", "-l", "--format=%(contents)", f"v{NEXT}")
    assert labels == {
        "org.opencontainers.image.version": NEXT,
        "org.opencontainers.image.revision": revision,
        "org.opencontainers.image.source": "https://forge.example/team/wirespeed",
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    assert bill["metadata"]["component"]["version"] == NEXT
    assert {"name": "wirespeed:revision", "value": revision} in bill["metadata"]["component"]["properties"]
    assert set(sums) == {"notes.md", "labels", f"wirespeed-{NEXT}.cdx.json", f"wirespeed-{NEXT}.tar.gz"}
    for name, digest in sums.items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest


def test_what_is_no_release_is_refused_in_one_line(clone):
    """A wrong number, another version in the files, no section, changes, a tag that is there: nothing is tagged."""
    assert clone.release()[0] == 2
    for words, reason in (
        (["1.x"], "three numbers"),
        ([NEXT], "does not say 7.8.9"),
        (["prepare", "v1.0.0"], "three numbers"),
    ):
        status, _, complaint = clone.release(*words)
        assert (status, complaint.count("\n")) == (1, 1)
        assert reason in complaint
    clone.release("prepare", NEXT)
    assert "not committed" in clone.release(NEXT)[2]
    changelog = clone.folder / "CHANGELOG.md"
    written = changelog.read_text()
    start = written.index(f"## {NEXT} (")
    changelog.write_text(written[:start])
    clone.commit()
    assert "says nothing of 7.8.9" in clone.release(NEXT)[2]
    assert clone.git("tag") == ""
    changelog.write_text(written)
    clone.commit()
    assert clone.release(NEXT)[0] == 0
    assert "is there already" in clone.release(NEXT)[2]
    assert "has a section 7.8.9 already" in clone.release("prepare", NEXT)[2]


def test_the_bill_of_materials_follows_its_specification():
    """CycloneDX's own validator takes it; it holds every pin of the lock, and licences where they are stated."""
    lock = (ROOT / "requirements" / "app.txt").read_text()
    made = sbom.document(lock, "1.2.3", "abc", only_installed=True)
    named = {component["name"]: component for component in made["components"]}

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(made)) is None
    assert named["numpy"]["version"] == version("numpy")
    assert named["streamlit"]["purl"] == f"pkg:pypi/streamlit@{version('streamlit')}"
    assert sum("licenses" in component for component in named.values()) > len(named) * 0.9
    assert len(sbom.document(lock, "1.2.3", "abc")["components"]) == len(
        re.findall(r"^[a-z].*==", lock, re.MULTILINE)
    )
    assert sbom.document(lock, "1.2.3", "abc", only_installed=True) == made


def test_the_image_can_make_its_own_bill():
    """Nothing but the standard library, as a script, the way the Dockerfile calls it."""
    done = subprocess.run(
        [sys.executable, "-I", "tools/sbom.py", "--lock", "requirements/app.txt", "--installed", "--version", "1.2.3"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    dockerfile = (ROOT / "Dockerfile").read_text()

    assert len(json.loads(done.stdout)["components"]) > 20
    assert "--installed" in dockerfile
    for label in ("version", "revision", "source", "licenses"):
        assert dockerfile.count(f"org.opencontainers.image.{label}=") == 2
