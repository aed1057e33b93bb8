#!/bin/sh
# Where the sources are, for an image's label: the address of origin without user and password, else "unknown".
set -eu
cd "$(dirname "$0")/.."
address=$(git remote get-url origin 2>/dev/null || true)
case $address in
https://*) echo "$address" | sed 's,^https://[^/@]*@,https://,; s,\.git$,,' ;;
git@*:*) echo "$address" | sed 's,^git@\([^:]*\):,https://\1/,; s,\.git$,,' ;;
*) echo unknown ;;
esac
