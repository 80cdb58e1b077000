#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# ./run on machines that lack everything: each is a folder of commands, used as the whole PATH.
set -euo pipefail
run=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

fail() {
    printf '%s\n' "$@"
    exit 1
}

# machine NAME COMMAND...: a machine with bash, what ./run is made of, and COMMANDs that note
# how they were called and succeed.
machine() {
    local bin=$room/$1 tool
    shift
    mkdir "$bin"
    for tool in bash env dirname basename nproc sed grep find sort id; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
    for tool in "$@"; do
        printf '#!%s\necho "%s $*" >>"%s"\n' "$(command -v bash)" "$tool" "$bin.calls" >"$bin/$tool"
        chmod +x "$bin/$tool"
    done
}

# on NAME ARGS...: what ./run ARGS says there, both streams; its status is in $status.
on() {
    local name=$1
    shift
    status=0
    said=$(PATH=$room/$name CMAKE_PREFIX_PATH='' bash "$run" "$@" 2>&1 </dev/null) || status=$?
}

says() { [[ $said == *"$1"* ]] || fail "expected: $1" "said: $said"; }
ends_with() { [[ $status == "$1" ]] || fail "expected status $1, was $status" "said: $said"; }

machine bare
on bare
ends_with 0
for command in demo study test bench sanitize clang fuzz headers format amalgamate site data; do says "  $command "; done

on bare study
ends_with 1
says "what these Debian packages hold"
says "libbenchmark-dev"
says "python3"

on bare nonsense
ends_with 2
says "does not know 'nonsense'"

on bare fuzz long
ends_with 2
says "./run fuzz SECONDS [NAMES]: 'long'"

on bare demo nothing
ends_with 2
says "There is no example 'nothing'"
says "./run demo cnn     Trains a convolutional network on digits"

# The main example needs no more than it uses.
on bare demo
ends_with 1
says "what these Debian packages hold"
says "libstb-dev"
for package in eigen xtensor thrust doctest openmpi; do
    [[ $said != *$package* ]] || fail "demo asks for $package: $said"
done
on bare demo cnn --space device
says "libthrust-dev"
on bare demo all
says "libeigen3-dev"

on bare test
ends_with 1
says "what these Debian packages hold"
says "g++ cmake ninja-build libxsimd-dev"

# An ordinary user without sudo gets the line to give to root.
machine user apt-get
rm "$room/user/id"
printf '#!%s\necho 1000\n' "$(command -v bash)" >"$room/user/id"
chmod +x "$room/user/id"
on user test
ends_with 1
says "apt-get install -y --no-install-recommends g++ cmake ninja-build libxsimd-dev"
[[ ! -e $room/user.calls ]] || fail "apt-get was called without the right to"

# With sudo the same user gets the packages. There is no cmake still, so the command fails.
cp -R "$room/user" "$room/sudoer"
# shellcheck disable=SC2016
printf '#!%s\n[[ $1 == -n ]] || echo "sudo $*" >>"%s"\n' \
    "$(command -v bash)" "$room/sudoer.calls" >"$room/sudoer/sudo"
chmod +x "$room/sudoer/sudo"
on sudoer bench
grep -q 'sudo apt-get update' "$room/sudoer.calls" || fail "no update: $said"
grep -q 'sudo env .* install .* g++ .* libbenchmark-dev' "$room/sudoer.calls" ||
    fail "no packages: $said"

# Where everything is there, nothing is asked of apt or sudo.
machine complete apt-get sudo cmake ctest
printf '#!%s\necho installed\n' "$(command -v bash)" >"$room/complete/dpkg-query"
chmod +x "$room/complete/dpkg-query"
on complete test
ends_with 0
grep -q 'ctest --preset test' "$room/complete.calls" || fail "ctest was not called"
if grep -qE 'apt-get|sudo' "$room/complete.calls"; then fail "$(cat "$room/complete.calls")"; fi

# Off Debian the compiler says whether a header is there.
machine elsewhere c++ cmake ctest ninja
on elsewhere test
ends_with 0
says "Going on without libopenmpi-dev openmpi-bin"

# What it will take is said, of what is not compiled yet.
printf '#!%s\necho "c++ -o nowhere/a.o -c a.cpp"\necho "ar qc nowhere/a.a"\n' \
    "$(command -v bash)" >"$room/elsewhere/ninja"
on elsewhere test
says "Compiling 1 files on"
