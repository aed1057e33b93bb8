#!/bin/sh
# Ask the advisory database about every pinned dependency; without the network, say so and go on.
# usage: tools/audit.sh VENV
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$1/bin/pip-audit" --disable-pip --no-deps --progress-spinner off --timeout 10 -r requirements/app.txt >"$log" 2>&1; then
    grep -m 1 "No known" "$log" || true
elif grep -qE "Found [0-9]+ known" "$log"; then
    cat "$log" >&2
    exit 1
else
    echo "make: audit skipped, the advisory database could not be reached"
fi
