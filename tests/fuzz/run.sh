#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh PROGRAMS CORPUS LIMIT [NAME]...: libFuzzer feeds each reader, or those named, up to a LIMIT of
# its own (-runs=500, -max_total_time=60), from its seeds and what the folder CORPUS has of it.
# FELT_FUZZ_SEED: which inputs, 1 if there is none.
set -euo pipefail
programs=$1 corpus=$2 limit=$3
shift 3
names=("$@")
[[ $# -gt 0 ]] || read -ra names < <("$programs/felt_fuzz" 2>&1 | sed "s/.*There are: //")
for name in "${names[@]}"; do
    "$programs/felt_fuzz_seeds" "$name" "$corpus/$name"
    mkdir -p "$corpus/failed"
    status=0
    "$programs/felt_fuzz" "$name" "$corpus/$name" "$limit" -seed="${FELT_FUZZ_SEED:-1}" -timeout=5 -rss_limit_mb=1024 \
        -malloc_limit_mb=256 -max_len=16384 -artifact_prefix="$corpus/failed/$name-" \
        -print_final_stats=1 >"$corpus/$name.log" 2>&1 || status=$?
    if [[ $status != 0 ]]; then
        tail -n 60 "$corpus/$name.log"
        echo "$name: failed, see $corpus/$name.log"
        exit 1
    fi
    printf '%s: %s inputs\n' "$name" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus/$name.log")"
done
