#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# train.sh PROGRAM COPY MPIRUN...: an example as a user starts it, on 1, 2 and 4 ranks; COPY is the
# same program built without MPI, or nothing, MPIRUN starts the number of ranks that follows it.
set -euo pipefail
program=$1 copy=$2
shift 2
mpirun=("$@")

# What it is told; steps of a run, and of half of it; what its report begins with; what it writes.
case ${program##*/} in
felt_cnn)
    options=(--images 600) batch=48 steps=15 half=7 begins="network 'study'"
    files=(filters.png cost.svg accuracy.svg confusion.svg parameters.npz)
    ;;
felt_resnet)
    options=(--layers 8 --width 4 --train 80 --rate 0.02) batch=16 steps=6 half=3
    begins="ResNet-8 of width 4"
    files=(filters.png cost.svg accuracy.svg parameters.npz)
    ;;
*)
    echo "no options for $program"
    exit 1
    ;;
esac
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
unset FELT_DATA
cd "$room"

fail() {
    printf '%s\n' "$@"
    exit 1
}
# on RANKS OPTION...: trains on generated images; what is printed is in $said.
on() {
    local ranks=$1
    shift
    status=0
    said=$("${mpirun[@]}" "$ranks" "$program" "${options[@]}" --batch $batch "$@" 2>&1) || status=$?
}
says() { [[ $said == *"$1"* ]] || fail "expected: $1" "said: $said"; }
ends_with() { [[ $status == "$1" ]] || fail "expected status $1, was $status" "said: $said"; }

# The last cost, as the report has it: "cost A -> B in N steps".
last_cost() { sed -n 's/^cost .* -> \([^ ]*\) in .*/\1/p' <<<"$said"; }
near() {  # A B: to three digits
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 < (1e-3 * b) ^ 2) }' ||
        fail "cost $1, expected $2" "said: $said"
}

for ranks in 1 2 4; do
    on $ranks -n $steps --out "out$ranks" --check-ranks --save "state$ranks.npz"
    ends_with 0
    [[ $(grep -c "^$begins" <<<"$said") == 1 ]] || fail "not one rank speaks: $said"
    [[ $ranks == 1 ]] && one=$(last_cost)
    near "$(last_cost)" "$one"
    for file in "${files[@]}"; do
        [[ -s out$ranks/$file ]] || fail "out$ranks/$file was not written"
    done
done
says "4 ranks: "
says "overlap"

# What exists is not replaced, and that is said once.
on 4 -n 1 --out out4
[[ $status != 0 ]] || fail "out4 was replaced"
[[ $(grep -c "would be lost" <<<"$said") == 1 ]] || fail "said more than once: $said"
batch=3 on 4 -n 1 --out small
[[ $status != 0 ]] || fail "a batch of 3 images went to 4 ranks"
[[ $(grep -c "too small for 4 ranks" <<<"$said") == 1 ]] || fail "said more than once: $said"
on 2 --space nonsense
[[ $status != 0 ]] || fail "nonsense was accepted"
[[ $(grep -c "nonsense" <<<"$said") == 1 ]] || fail "said more than once: $said"

# From 4 ranks to 2: as if nothing had happened.
on 4 -n $half --out half --save half.npz
on 2 -n $steps --out rest --resume half.npz
ends_with 0
near "$(last_cost)" "$one"

# start OPTION...: four ranks in the background, until they have saved.
start() {
    "${mpirun[@]}" 4 "$program" "${options[@]}" --batch $batch --epochs 1000000 "$@" >"$room/log" 2>&1 &
    job=$!
    for _ in $(seq 600); do
        [[ ! -s $room/s.npz ]] || return 0
        kill -0 $job 2>/dev/null || break
        sleep 0.1
    done
    fail "nothing was saved: $(cat "$room/log")"
}
# A process that has the program's name, and whose run saves into this room.
ranks_of_job() { pgrep -f "^$program.*$room/s.npz"; }

# A rank dies: the job ends, with a message, and what was saved is whole.
start --out killed --save "$room/s.npz" --save-every 2
kill -KILL "$(ranks_of_job | tail -1)"
status=0
wait $job || status=$?
[[ $status != 0 ]] || fail "a rank died, and the job succeeded: $(cat "$room/log")"
grep -q "signal 9" "$room/log" || fail "no message: $(cat "$room/log")"
! ranks_of_job || fail "ranks are left"
on 2 -n 2 --out after --resume "$room/s.npz"
ends_with 0

# Told to end, all ranks stop after the same step, and the state of that step is saved.
rm -f "$room"/s.npz*
start --out ended --save "$room/s.npz" --save-every 2
kill -TERM $job
status=0
wait $job || status=$?
[[ $status != 0 ]] || fail "ended early, and the job succeeded: $(cat "$room/log")"
grep -q "interrupted after step" "$room/log" || fail "not saved: $(cat "$room/log")"

# Without MPI the copies would write the same files: they say so, once, and stop.
[[ -n $copy ]] || exit 0
program=$copy
on 4 -n 1 --out alone
[[ $status != 0 ]] || fail "four copies ran: $said"
[[ $(grep -c "built without MPI" <<<"$said") == 1 ]] || fail "expected one message: $said"
[[ ! -e alone ]] || fail "they have written"
