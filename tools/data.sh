#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Fetches public data sets. A file gets its name only after its checksum was found right: the
# SHA-256 of what it holds, not of how it was compressed, because mirrors compress anew.
set -euo pipefail

usage="Usage: tools/data.sh mnist [DIR]

Fetches the four files of MNIST to DIR (default data/mnist). Good files there are left alone.

  FELT_MNIST_URL    where from instead: web addresses, file:// addresses or folders
  FELT_MNIST_SUMS   a file with other checksums, lines of: SHA-256 of the content, name"

mnist_sources="https://ossci-datasets.s3.amazonaws.com/mnist
https://storage.googleapis.com/cvdf-datasets/mnist"

mnist_sums="\
ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db  train-images-idx3-ubyte.gz
65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5  train-labels-idx1-ubyte.gz
0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7  t10k-images-idx3-ubyte.gz
ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2  t10k-labels-idx1-ubyte.gz"

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# The checksum of what a gzipped file holds.
content_sum() {
    local sum=(sha256sum)
    have sha256sum || sum=(shasum -a 256)
    if gzip -t "$1" 2>/dev/null; then
        gzip -dc "$1" | "${sum[@]}" | cut -d ' ' -f 1
    else
        echo "no sound gzip file"
    fi
}

# Says what is wrong, in one line, if the content of FILE is not as expected.
good() {  # file, name, expected, where it is from
    local found
    found=$(content_sum "$1")
    [[ $found == "$3" ]] || {
        say "data.sh: $2 from $4 is refused: expected SHA-256 $3, found $found"
        return 1
    }
}

copy() {  # address or folder with the name, destination
    local address=$1
    case $address in
        http://* | https://* | ftp://*)
            if have curl; then
                curl -fsSL --retry 2 --connect-timeout 20 --speed-limit 1000 --speed-time 30 \
                    -o "$2" "$address"
            elif have wget; then
                wget -nv --tries=3 --timeout=30 -O "$2" "$address"
            else
                say "data.sh: please install curl or wget (Debian: apt-get install curl)"
                exit 1
            fi
            ;;
        *)
            cp "${address#file://}" "$2"
            ;;
    esac
}

fetch() {  # directory, name, expected, sources...
    local directory=$1 name=$2 expected=$3 source
    shift 3
    part=$directory/$name.part.$$
    for source in "$@"; do
        if copy "${source%/}/$name" "$part" && good "$part" "$name" "$expected" "${source%/}"; then
            mv "$part" "$directory/$name"
            say "$directory/$name: fetched from ${source%/}"
            return 0
        fi
        rm -f "$part"
    done
    say "data.sh: $name was not to be had from: $*"
    return 1
}

part=
made=
clean_up() {
    [[ -z $part ]] || rm -f "$part"
    [[ -z $made ]] || rmdir "$made" 2>/dev/null || true
}

# Files in a folder, each fetched if it is not there; one that is there and wrong is not replaced.
provide() {  # directory, checksums, sources...
    local directory=$1 sums=$2 expected name failed=0
    shift 2
    trap clean_up EXIT
    trap 'exit 130' INT TERM HUP
    [[ -d $directory ]] || made=$directory
    mkdir -p "$directory"
    while read -r expected name <&3; do
        if [[ ! -e $directory/$name ]]; then
            fetch "$directory" "$name" "$expected" "$@" || failed=1
        elif good "$directory/$name" "$name" "$expected" "$directory"; then
            say "$directory/$name: good"
        else
            say "data.sh: remove $directory/$name to have it fetched anew"
            failed=1
        fi
    done 3<<<"$sums"
    return $failed
}

[[ $# -ge 1 && $# -le 2 && $1 == mnist ]] || { say "$usage"; exit 2; }
have gzip || { say "data.sh: please install gzip"; exit 1; }
have sha256sum || have shasum || { say "data.sh: please install sha256sum or shasum"; exit 1; }

[[ -z ${FELT_MNIST_SUMS:-} ]] || mnist_sums=$(<"$FELT_MNIST_SUMS")
if [[ -d ${FELT_MNIST_URL:-} ]]; then
    sources=("$FELT_MNIST_URL")  # a folder's name may have spaces
else
    read -r -d '' -a sources <<<"${FELT_MNIST_URL:-$mnist_sources}" || true
fi
provide "${2:-data/mnist}" "$mnist_sums" "${sources[@]}"
