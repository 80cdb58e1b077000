#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/data.sh with small files of our own, from a server on this machine (without python3 to serve
# them, from file:// addresses).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
server=
finish() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
cd "$work"

names=(train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz t10k-images-idx3-ubyte.gz
    t10k-labels-idx1-ubyte.gz)
failures=0
only=
fail() {
    printf 'FAILED: %s\n' "$*"
    [[ ! -s log ]] || sed 's/^/    /' log
    failures=$((failures + 1))
}
expect() {  # what, a command that must succeed
    local what=$1
    shift
    "$@" || fail "$what"
}
empty() { [[ -z $(ls -A "$1" 2>/dev/null) ]]; }
data() { PATH=${only:-$PATH} "$root/tools/data.sh" mnist "$@" >log 2>&1; }
refused() { ! data "$@"; }
lines() { [[ $(grep -c "$1" log) == "$2" ]]; }
complete() {  # folder: the four files, right, and nothing else
    local name
    [[ $(ls -A "$1" | wc -l) == 4 ]] || return 1
    for name in "${names[@]}"; do cmp -s "served/$name" "$1/$name" || return 1; done
}
spoil() {  # folder, name, content: a sound gzip file of the wrong content
    cp -r served "$1"
    printf '%s' "$3" | gzip -c >"$1/$2"
}

# What is served, and the checksums of what it holds.
mkdir served
for name in "${names[@]}"; do
    printf 'content of %s' "$name" | gzip -c >"served/$name"
    printf '%s  %s\n' "$(printf 'content of %s' "$name" | sha256sum | cut -d ' ' -f 1)" "$name"
done >sums
export FELT_MNIST_SUMS=$work/sums
spoil spoilt "${names[1]}" 'something else'
cp -r served cut
head -c 20 "served/${names[2]}" >"cut/${names[2]}"
mkdir few
cp "served/${names[0]}" few

base=file://$work
if command -v python3 >/dev/null; then
    : >server.log
    python3 -u -m http.server 0 --bind 127.0.0.1 >>server.log 2>&1 &
    server=$!
    for _ in $(seq 100); do
        port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' server.log)
        [[ -z $port ]] || break
        sleep 0.1
    done
    [[ -n $port ]] || { echo "the server did not start"; cat server.log; exit 1; }
    base=http://127.0.0.1:$port
fi

FELT_MNIST_URL=$base/served/ expect "four good files are fetched" data got
expect "the files have their names and nothing is left beside them" complete got

touch -d '2001-02-03' got/*
ls -l --time-style=full-iso got >before
FELT_MNIST_URL=$base/nowhere expect "a second run fetches nothing" data got
ls -l --time-style=full-iso got >after
expect "a second run leaves the files alone" cmp -s before after
expect "a second run says that they are good" lines ': good$' 4

rm "got/${names[3]}"
FELT_MNIST_URL=$base/served expect "only what is missing is fetched" data got
expect "only one file was fetched" lines 'fetched from' 1
expect "the folder is complete again" complete got

expected=$(grep "${names[1]}" sums | cut -d ' ' -f 1)
found=$(printf 'something else' | sha256sum | cut -d ' ' -f 1)
FELT_MNIST_URL=$base/spoilt expect "a wrong content is refused" refused spoilt-got
expect "one line names file, expected and found" \
    lines "${names[1]}.*expected SHA-256 $expected, found $found" 1
expect "nothing of the wrong file is left" test ! -e "spoilt-got/${names[1]}"
expect "nothing but the three good files is left" test "$(ls -A spoilt-got | wc -l)" = 3

FELT_MNIST_URL=$base/cut expect "a file cut short is refused" refused cut-got
expect "one line says that it is no sound gzip file" \
    lines "${names[2]}.*no sound gzip file" 1
expect "nothing of the file cut short is left" test "$(ls -A cut-got | wc -l)" = 3

FELT_MNIST_URL=$base/nowhere expect "no source, no success" refused none/mnist
expect "a folder made in vain is removed" test ! -e none/mnist

FELT_MNIST_URL="$base/few $base/spoilt $base/served" \
    expect "the next source is asked for what one lacks or spoils" data several
expect "several sources make a complete set" complete several

cp -r got mine
printf 'mine' | gzip -c >"mine/${names[0]}"
cp "mine/${names[0]}" kept
FELT_MNIST_URL=$base/served expect "a wrong file that is there is reported" refused mine
expect "a wrong file that is there is not replaced" cmp -s kept "mine/${names[0]}"
expect "the report says what to do" lines "remove mine/${names[0]}" 1

FELT_MNIST_URL=file://$work/served expect "a file:// address is a source" data by-address
expect "a file:// address gives all" complete by-address
cp -r served "a folder"
FELT_MNIST_URL="$work/a folder" expect "a folder is a source, spaces or not" data by-folder
expect "a folder gives all" complete by-folder

# With only some programs in the path: neither curl nor wget, then wget alone.
mkdir bin
for tool in bash env gzip sha256sum cut cp mv rm mkdir rmdir; do
    ln -s "$(command -v "$tool")" "bin/$tool"
done
FELT_MNIST_URL=http://127.0.0.1:1 only=$work/bin \
    expect "without curl and wget there is no success" refused neither
expect "without curl and wget it says what to install" lines 'install curl or wget' 1
if [[ -n $server ]] && command -v wget >/dev/null; then
    ln -s "$(command -v wget)" bin/wget
    FELT_MNIST_URL=$base/served only=$work/bin expect "wget will do" data by-wget
    expect "wget gives all" complete by-wget
fi

expect "another set is unknown" test "$("$root/tools/data.sh" cifar >log 2>&1; echo $?)" = 2
expect "the usage names the set" lines 'data.sh mnist' 1

# The built-in list: four names of files that programs look for, four checksums.
unset FELT_MNIST_SUMS
FELT_MNIST_URL=$base/served expect "small files of ours are not MNIST" refused not-mnist
for name in "${names[@]}"; do
    expect "$name has a checksum" grep -Eq "^[0-9a-f]{64}  $name" "$root/tools/data.sh"
done

[[ $failures == 0 ]] || { echo "$failures failed"; exit 1; }
echo "all passed"
