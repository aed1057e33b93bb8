#!/bin/sh
# Print the path of a browser for the tests: $WIRESPEED_BROWSER, else an installed Chromium or
# Chrome, else Debian's (installed here as root), else Playwright's own.
# usage: tools/browser.sh VENV
set -eu

if [ -n "${WIRESPEED_BROWSER:-}" ]; then
    if [ -x "$WIRESPEED_BROWSER" ]; then
        echo "$WIRESPEED_BROWSER"
        exit 0
    fi
    echo "make: WIRESPEED_BROWSER=$WIRESPEED_BROWSER cannot be run" >&2
    exit 2
fi

installed() {
    for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        if command -v "$name" >/dev/null 2>&1 && "$name" --version >/dev/null 2>&1; then
            command -v "$name"
            return 0
        fi
    done
    mac="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    if [ -x "$mac" ]; then
        echo "$mac"
        return 0
    fi
    return 1
}

if installed; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -q >&2 || true
    for package in chromium-headless-shell chromium; do
        if apt-get install -y -q --no-install-recommends "$package" fonts-dejavu-core >&2; then
            installed && exit 0
        fi
    done
fi
if "$1/bin/playwright" install chromium >&2; then
    "$1/bin/python" -c 'from playwright.sync_api import sync_playwright as s
with s() as p: print(p.chromium.executable_path)'
    exit 0
fi
echo "make: no browser for the tests; install Chromium or set WIRESPEED_BROWSER" >&2
exit 2
