#!/bin/sh
# Resolve requirements/*.in into hashed locks that any pip can install.
# usage: tools/lock.sh VENV
set -eu
compile="$1/bin/uv pip compile -q --upgrade --generate-hashes --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url --no-emit-find-links"
$compile requirements/app.in -o requirements/app.txt
$compile requirements/dev.in -o requirements/dev.txt
$compile requirements/docs.in -o requirements/docs.txt
$compile requirements/mcp.in -o requirements/mcp.txt
$compile requirements/soak.in -o requirements/soak.txt
$compile requirements/torch.in -c requirements/app.txt -c requirements/dev.txt -o requirements/torch-needs.txt
