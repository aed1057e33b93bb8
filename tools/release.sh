#!/bin/sh
# Make a release out of what is committed, on this machine alone: nothing is pushed.
#   tools/release.sh prepare VERSION   write VERSION where it stands and date the changelog's section; commit it yourself
#   tools/release.sh VERSION           check, tag vVERSION, and write build/release/VERSION:
#                                      notes, SBOM, image labels, sources, SHA256SUMS
set -eu
cd "$(dirname "$0")/.."
fail() { echo "release: $1" >&2; exit 1; }
usage() { sed -n '3,5s/^# *//p' "$0" >&2; exit 2; }

prepare=no
[ "${1:-}" = prepare ] && { prepare=yes; shift; }
[ $# -eq 1 ] || usage
version=$1
echo "$version" | grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' || fail "VERSION is three numbers such as 1.0.0, not $version"
python=$([ -x .venv/bin/python ] && echo .venv/bin/python || echo python3)

if [ $prepare = yes ]; then
    grep -q "^## $version " CHANGELOG.md && fail "CHANGELOG.md has a section $version already"
    grep -q '^## Unreleased$' CHANGELOG.md || fail "CHANGELOG.md has no section Unreleased"
    former=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' core/version.py)
    sed -i "s/^## Unreleased\$/## Unreleased\n\n## $version ($(date -u +%Y-%m-%d))/" CHANGELOG.md
    sed -i "s/^VERSION = \"$former\"/VERSION = \"$version\"/" core/version.py
    sed -i "s/^version = \"$former\"/version = \"$version\"/" pyproject.toml
    sed -i "s/VERSION=$former\$/VERSION=$version/" Dockerfile
    sed -i "s/WIRESPEED_VERSION:-$former}/WIRESPEED_VERSION:-$version}/" compose.yaml
    sed -i "s/newTag: $former\$/newTag: $version/" deploy/kustomize/kustomization.yaml
    echo "release: $former -> $version; look at git diff, run make check, commit, then tools/release.sh $version"
    exit 0
fi

[ -z "$(git status --porcelain)" ] || fail "the working tree has changes that are not committed"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && fail "the tag v$version is there already"
for place in "core/version.py:VERSION = \"$version\"" "pyproject.toml:version = \"$version\"" \
    "Dockerfile:ARG VERSION=$version" "deploy/kustomize/kustomization.yaml:    newTag: $version"; do
    grep -qxF "${place#*:}" "${place%%:*}" || fail "${place%%:*} does not say $version: tools/release.sh prepare $version"
done
grep -qF "WIRESPEED_VERSION:-$version}" compose.yaml || fail "compose.yaml does not say $version: tools/release.sh prepare $version"
notes=$(awk -v start="## $version (" 'index($0, "## ") == 1 { inside = index($0, start) == 1; next } inside' CHANGELOG.md)
[ -n "$(printf %s "$notes" | tr -d ' \n')" ] || fail "CHANGELOG.md says nothing of $version"

revision=$(git rev-parse HEAD)
source=$(tools/source.sh)
out=build/release/$version
rm -rf "$out"
mkdir -p "$out"
printf '%s\n' "$notes" >"$out/notes.md"
"$python" tools/sbom.py --lock requirements/app.txt --version "$version" --revision "$revision" >"$out/wirespeed-$version.cdx.json"
cat >"$out/labels" <<LABELS
org.opencontainers.image.version=$version
org.opencontainers.image.revision=$revision
org.opencontainers.image.source=$source
org.opencontainers.image.licenses=Apache-2.0
LABELS
git archive --format=tar --prefix="wirespeed-$version/" HEAD | gzip -n >"$out/wirespeed-$version.tar.gz"
(cd "$out" && sha256sum notes.md labels ./*.json ./*.gz | sed 's, \./, ,' >SHA256SUMS)
git tag -a "v$version" --cleanup=verbatim -F "$out/notes.md" || fail "git made no tag"
echo "release: v$version is tagged here and not pushed; $out holds:"
ls "$out"
