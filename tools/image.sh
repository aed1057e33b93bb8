#!/usr/bin/env bash
# Build the image without a daemon, run it and ask its health check: buildah with chroot isolation.
# Needs root, buildah and debootstrap. Where the base image cannot be pulled, a minimal Debian with
# Python stands in for it; the Dockerfile is the same either way. What the server wrote outside /data and
# /tmp is an error, as is more than WIRESPEED_IMAGE_MB of packages and application.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=${WIRESPEED_IMAGE_DIR:-$root/.cache/image}
port=${WIRESPEED_IMAGE_PORT:-8637}
most_mb=${WIRESPEED_IMAGE_MB:-420}
version=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' core/version.py)
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
source=$(tools/source.sh)
mkdir -p "$work"
cd "$work"

echo '{"default":[{"type":"insecureAcceptAnything"}]}' >policy.json
driver=${STORAGE_DRIVER:-overlay}
b() { buildah --storage-driver "$driver" --root "$work/graph" --runroot "$work/run" "$@"; }
b info >/dev/null 2>&1 || driver=vfs

base=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$root/Dockerfile" | head -n 1)

stand_in() {
    local suite mirror c
    suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 | tr -d ' ' || true)
    if [ ! -f base.tar ]; then
        echo "image: $base cannot be pulled; a minimal Debian $suite with Python stands in"
        rm -rf rootfs
        debootstrap --variant=minbase --include=ca-certificates,python3,python3-pip,python3-venv \
            "$suite" rootfs ${mirror:+"$mirror"} >debootstrap.log 2>&1 || { tail -n 5 debootstrap.log >&2; exit 1; }
        ln -sf /usr/bin/python3 rootfs/usr/local/bin/python
        rm -f rootfs/usr/lib/python3.*/EXTERNALLY-MANAGED
        tar -C rootfs -cf base.tar --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' .
        rm -rf rootfs
    fi
    c=$(b from scratch)
    b add -q "$c" base.tar / >/dev/null
    b config --env PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$c"
    b commit -q --signature-policy policy.json "$c" "docker.io/library/$base" >/dev/null
    b rm "$c" >/dev/null
}

have() { b images -q "docker.io/library/$base" >/dev/null 2>&1; }
have || timeout 60 buildah --storage-driver "$driver" --root "$work/graph" --runroot "$work/run" \
    pull -q --signature-policy policy.json "docker.io/library/$base" >/dev/null 2>&1 || stand_in

# What the package installer may need to reach its index from inside the build: the settings and
# certificates of this machine, mounted, never copied into the image.
mounts=()
for path in /etc/ssl/certs /usr/local/share/ca-certificates /etc/pip.conf "$HOME/.config/pip" "$HOME/.pip"; do
    [ -e "$path" ] && mounts+=(-v "$path:$path:ro")
done
IFS=: read -ra extra <<<"${WIRESPEED_IMAGE_MOUNTS:-}"
for path in "${extra[@]}"; do mounts+=(-v "$path:$path:ro"); done

b bud --isolation chroot --pull-never --layers --format docker --signature-policy policy.json \
    --build-arg "VERSION=$version" --build-arg "REVISION=$revision" --build-arg "SOURCE=$source" --build-arg "PROBE_BASE=$base" \
    --network host "${mounts[@]}" -t wirespeed:dev -f "$root/Dockerfile" "$root" >build.log 2>&1 ||
    { tail -n 20 build.log >&2; exit 1; }

c=$(b from --pull-never --signature-policy policy.json localhost/wirespeed:dev)
b run --isolation chroot "$c" -- touch /tmp/.start
set -m # the server gets a process group of its own, so that all of it can be stopped
b run --isolation chroot --network host --env PORT="$port" "$c" -- \
    sh -c 'exec streamlit run app.py --server.address 127.0.0.1 --server.port "$PORT"' >run.log 2>&1 &
server=$!
set +m
stop() { # the server first, so that buildah ends by itself and leaves no mount behind
    pkill -g "$server" -f "streamlit run" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    b rm "$c" >/dev/null 2>&1 || true
    umount "$work/graph/overlay" 2>/dev/null || true
}
trap stop EXIT

check=$(b inspect --type image localhost/wirespeed:dev |
    python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["Docker"]["config"]["Healthcheck"]["Test"]))')
for _ in $(seq 1 120); do
    if answer=$(python3 - "$port" <<'PY' 2>/dev/null
import sys, urllib.request
print(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/healthz", timeout=2).read().decode())
PY
    ); then
        who=$(b run --isolation chroot "$c" -- id -u)
        b run --isolation chroot --network host --env PORT="$port" "$c" -- python -c \
            "import json, subprocess, sys; test = json.loads(sys.argv[1]); sys.exit(subprocess.call(test[1:]))" "$check"
        b run --isolation chroot "$c" -- sh -c '! python -c "import torch" 2>/dev/null && touch /data/.w && ! touch /app/.w 2>/dev/null'
        b run --isolation chroot "$c" -- python -c 'import json; assert len(json.load(open("/app/sbom.cdx.json"))["components"]) > 20'
        written=$(b run --isolation chroot "$c" -- find / -xdev -newer /tmp/.start -type f \
            ! -path '/proc/*' ! -path '/sys/*' ! -path '/dev/*' ! -path '/data/*' ! -path '/tmp/*' ! -path '/etc/*' ! -path '/run/*' 2>/dev/null | head -n 5 || true)
        [ -z "$written" ] || { echo "image: a read-only root would refuse: $written" >&2; exit 1; }
        megabytes=$(b run --isolation chroot "$c" -- du -scm --apparent-size /opt/venv /app | awk 'END { print $1 }')
        [ "$megabytes" -le "$most_mb" ] || { echo "image: $megabytes MB over the base, at most $most_mb" >&2; exit 1; }
        rm -rf "$work/packed"
        b push -q --signature-policy policy.json localhost/wirespeed:dev "oci:$work/packed" >/dev/null 2>&1
        packed=$(ls -lS "$work/packed/blobs/sha256" | awk 'NR > 1 && $5 > 1e5 { printf "%s%.0f", (n++ ? " + " : ""), $5 / 1e6 }')
        echo "image: healthy as user $who on port $port: $answer"
        echo "image: $megabytes MB of packages and application over the base, no torch; layers packed: $packed MB"
        exit 0
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.5
done
tail -n 20 run.log >&2
echo "image: no answer from /healthz" >&2
exit 1
