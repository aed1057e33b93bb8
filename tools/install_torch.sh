#!/bin/sh
# Install the pinned CPU build of torch: from the user's own package index first, then from
# $TORCH_INDEX (default: the index of CPU wheels that PyTorch itself publishes).
# usage: tools/install_torch.sh VENV
set -eu
pip="$1/bin/python -m pip install -q --disable-pip-version-check --no-input"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
index=${TORCH_INDEX:-https://download.pytorch.org/whl/cpu}

version=$(sed -n 's/^torch==\([^ ]*\).*/\1/p' requirements/torch.txt)
if [ "$(uname -s)" = Darwin ]; then
    version=${version%+cpu} # every macOS wheel is a CPU build and carries no local version
fi

$pip --require-hashes -r requirements/torch-needs.txt

if $pip --no-deps --require-hashes -r requirements/torch.txt >"$log" 2>&1 ||
    $pip --no-deps --require-hashes --index-url "$index" -r requirements/torch.txt >"$log" 2>&1; then
    exit 0
fi
if $pip --no-deps "torch==$version" >"$log" 2>&1 ||
    $pip --no-deps --index-url "$index" "torch==$version" >"$log" 2>&1; then
    echo "make: torch $version installed; requirements/torch.txt has no hash for this platform's wheel"
    exit 0
fi
tail -n 3 "$log" >&2
echo "make: no CPU build of torch $version found; set TORCH_INDEX to an index that has it" >&2
exit 2
