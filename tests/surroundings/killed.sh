#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# killed.sh FELT_AE KILLS: training that saves its state after every third iteration is killed at
# random times and goes on from what was saved, until it is at its end; and that again, until KILLS
# times are through. A kill loses at most three iterations, and the state at the end is, byte for
# byte, that of a run which nobody disturbed.
set -euo pipefail
program=$1 kills=$2
interval=3 iterations=21 # up to 39 each of them is a line of its progress
RANDOM=1                 # the same waits in every run; where they hit differs
room=$(mktemp -d)
job=
trap '[[ -z $job ]] || kill -KILL $job 2>/dev/null; rm -rf "$room"' EXIT
unset FELT_DATA
cd "$room"

fail() {
    printf '%s\n' "$@"
    exit 1
}
# start OPTION...: trains in the background; what it says is in log.
start() {
    "$program" --setting patches --out out --force -n $iterations --save-every $interval "$@" \
        >log 2>&1 &
    job=$!
}
stop() { kill -KILL $job 2>/dev/null || true; { wait $job 2>/dev/null || true; }; job=; }

# Of a state: an .npz keeps a number as it is, behind the entry's name and a head of 128 bytes.
iteration_of() {
    local name=optimiser.iteration.npy at
    at=$(grep -abom 1 $name "$1" | head -n 1)
    od -An -t d8 -j $((${at%%:*} + ${#name} + 128)) -N 8 "$1" | tr -d ' '
}
saved() { [[ ! -s s.npz ]] && echo 0 || iteration_of s.npz; }
shown() { sed -n "s,^ *\([0-9]*\)/$iterations .*,\1,p" log | tail -n 1; }

# until_saved FILE: that the state at the end is there; the tables after it take longer.
until_saved() {
    until [[ -s $1 && $(iteration_of "$1") == "$iterations" ]]; do
        kill -0 $job 2>/dev/null || fail "ended early:" "$(cat log)"
        sleep 0.02
    done
}

begun=$(date +%s%N)
start --save undisturbed.npz
until_saved undisturbed.npz
milliseconds=$((($(date +%s%N) - begun) / 1000000))
stop

done_kills=0 runs=0 lost=0
while ((done_kills < kills)); do
    before=$(saved)
    resumed=()
    [[ ! -s s.npz ]] || resumed=(--resume s.npz)
    start --save s.npz "${resumed[@]}"
    sleep "$(awk -v m=$milliseconds -v r=$RANDOM 'BEGIN { print m / 1000 * r / 32768 }')"
    ! ((before == iterations)) || until_saved s.npz
    stop
    done_kills=$((done_kills + 1))
    after=$(saved) shown=$(shown)
    ((after >= before)) || fail "went back from $before to $after"
    ((after % interval == 0)) || fail "a state of iteration $after"
    ((${shown:-0} - after <= interval)) || fail "$shown done, $after saved"
    ((${shown:-0} <= after)) || lost=$((lost + shown - after))
    [[ $after == "$iterations" ]] || continue
    cmp undisturbed.npz s.npz || fail "another state at the end"
    rm s.npz
    runs=$((runs + 1))
done

# The last run goes on to its end.
start --save s.npz $([[ ! -s s.npz ]] || echo --resume s.npz)
until_saved s.npz
stop
cmp undisturbed.npz s.npz || fail "another state at the end"
echo "$done_kills kills in $((runs + 1)) runs of $iterations iterations, $lost of which were lost;" \
    "the states at their ends are the same"
