#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# missing.sh FELT_AE: training where something is missing: room on the disk, a folder to write
# to, memory, a place for what is printed. One line says what, the status is not 0, the old state is
# as it was, and no other file is left.
set -euo pipefail
program=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
unset FELT_DATA
cd "$room"

fail() {
    printf '%s\n' "$@"
    exit 1
}
# refused WORDS COMMAND...: it fails, and its only line on stderr has these words.
refused() {
    local words=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    [[ $status == 1 ]] || fail "status $status, expected 1: $*" "$(cat err)"
    [[ $(wc -l <err) == 1 && $(cat err) == "felt_ae: "*"$words"* ]] ||
        fail "expected one line with '$words': $*" "$(cat err)"
}
train() { "$program" --setting patches --quiet --force --out results "$@"; }
limited() {  # LIMIT VALUE COMMAND...
    (ulimit "$1" "$2" && shift 2 && "$@")
}

# A state of two iterations, which all that follows has to leave alone.
train -n 2 --save s.npz --save-every 2 >/dev/null &
job=$!
until [[ -s s.npz ]]; do
    kill -0 $job 2>/dev/null || fail "nothing was saved"
    sleep 0.02
done
kill -KILL $job
wait $job 2>/dev/null || true
cp s.npz old.npz
untouched() {
    cmp s.npz old.npz || fail "the old state was changed"
    local files
    files=$(find . -type f -not -path './results/*' | sort | tr '\n' ' ')
    [[ $files == "./err ./old.npz ./out ./s.npz " ]] || fail "files are left: $files"
}

refused "File too large" limited -f 40 train --resume s.npz --save s.npz -n 4 --save-every 1
untouched
refused "/proc/s.npz: " train --resume s.npz --save /proc/s.npz -n 4
untouched
mkdir locked
chmod 555 locked
if touch locked/file 2>/dev/null; then
    echo "Skipped: a folder that is read only, who runs this may write to it"
    rm locked/file
else
    refused "locked/s.npz: cannot be written" train --resume s.npz --save locked/s.npz -n 4
    untouched
fi

# The least memory in which the program begins, and 16 MiB more.
least=65536
until limited -v $least "$program" --help >/dev/null 2>&1; do
    least=$((least + 32768))
    ((least < 4 << 20)) || break
done
if ((least < 4 << 20)); then
    refused "not enough memory" limited -v $((least + 16384)) "$program" --setting mnist --quiet \
        --force --out results
    untouched
else
    echo "Skipped: little memory, the program does not begin in 4 GiB (sanitizers)"
fi

# What is printed is a result too.
status=0
"$program" --check >/dev/full 2>err || status=$?
[[ $status == 1 && $(cat err) == "felt_ae: what is printed cannot be written"* ]] ||
    fail "nothing could be printed, and the status is $status" "$(cat err)"
