#!/usr/bin/env bash
# Fetches the Consul program that the tests run against and prints its path. Debian dropped the package from its newer
# suites, so it comes from an older one, through a package list of its own: the system's lists and packages stay as they
# are. Does nothing when the folder holds a working program already.
#
#   deploy/get-consul.sh [folder]        default folder: artifacts/consul below the repository
set -euo pipefail
cd "$(dirname "$0")/.."

suite=bullseye
folder=${1:-artifacts/consul}
program=$folder/consul

fail() { echo "get-consul: $*" >&2; exit 1; }

works() { [ -x "$program" ] && "$program" version >/dev/null 2>&1; }

# The mirror and its key are those that this system uses already, whichever of the two notations it is configured in.
find_mirror() {
    local modern=/etc/apt/sources.list.d/debian.sources classic=/etc/apt/sources.list
    if [ -r "$modern" ]; then
        mirror=$(awk '/^URIs:/ { print $2; exit }' "$modern")
        key=$(awk '/^Signed-By:/ { print $2; exit }' "$modern")
    elif [ -r "$classic" ]; then
        mirror=$(awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z+]+:/) { print $i; exit } }' "$classic")
    fi
    key=${key:-/usr/share/keyrings/debian-archive-keyring.gpg}
    [ -n "${mirror:-}" ] || fail "found no Debian mirror in apt's configuration; put a consul program on PATH by hand"
    [ -r "$key" ] || fail "found no archive key at $key"
}

fetch() {
    local work=$1
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/download"
    echo "deb [signed-by=$key] $mirror $suite main" >"$work/sources.list"
    local apt=(apt-get -qq
        -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache"
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3)
    "${apt[@]}" update
    (cd "$work/download" && "${apt[@]}" download consul)
    dpkg-deb -x "$work"/download/consul_*.deb "$work/unpacked"
}

if ! works; then
    for tool in apt-get dpkg-deb awk; do
        command -v "$tool" >/dev/null || fail "needs $tool; put a consul program on PATH by hand"
    done
    find_mirror
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    fetch "$work" >&2
    mkdir -p "$folder"
    # Renamed into place, so that an interrupted run never leaves half a program.
    install -m 755 "$work/unpacked/usr/bin/consul" "$program.new"
    mv -f "$program.new" "$program"
    works || fail "$program does not run on this machine"
fi

# Read whole: a program whose reader leaves early ends with an error, and that error would end this script.
version=$("$program" version)
echo "${version%%$'\n'*}" >&2
echo "$(cd "$folder" && pwd)/consul"
