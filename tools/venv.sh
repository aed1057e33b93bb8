#!/bin/sh
# Make .venv with the newest suitable Python (3.11 to 3.14), or the one named by $PYTHON.
# usage: tools/venv.sh FOLDER
set -eu
venv=$1

suitable() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}

python=
for candidate in ${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3}; do
    if suitable "$candidate"; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "make: Python 3.11, 3.12, 3.13 or 3.14 is needed (set PYTHON=/path/to/python if it is not on PATH)" >&2
    exit 2
fi

if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -q && apt-get install -y -q --no-install-recommends "python$version-venv"
    else
        echo "make: $python has no venv; install it first (Debian, Ubuntu: apt-get install python$version-venv)" >&2
        exit 2
    fi
fi

if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
