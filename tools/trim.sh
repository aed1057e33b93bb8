#!/bin/sh
# Remove from a virtual environment what the server never imports: tests, headers, notebook widgets, Arrow's network parts.
# usage: tools/trim.sh VENV
set -eu
rm -rf "$1/share/jupyter"
cd "$1"/lib/python3*/site-packages
rm -rf pip pip-*.dist-info pydeck/nbextension pandas/tests pyarrow/tests pyarrow/include pyarrow/src
find numpy -type d -name tests -prune -exec rm -rf {} +
rm -f pyarrow/*arrow_flight* pyarrow/*arrow_python_flight* pyarrow/_flight* pyarrow/libarrow_s3* pyarrow/_s3fs*
