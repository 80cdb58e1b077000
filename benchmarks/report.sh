#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# From measurements to ratios:
#
#   benchmarks/report.sh measure build/release/benchmarks OUT   every program, as OUT/<name>.json
#   benchmarks/report.sh OUT/*.json                             the tables, as Markdown
#
# Each time is the shortest of all repetitions, which are interleaved in random order. A ratio
# is a peer's time over Felt's: above 1 Felt is faster. A roof is what the same program found
# that this core or its memory can do.
set -euo pipefail

measure() {
    local programs=$1 out=$2 program name
    mkdir -p "$out"
    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 FELT_NUM_THREADS=1
    for program in "$programs"/felt_bench_*; do
        [[ -f $program && -x $program ]] || continue
        name=$(basename "$program")
        "$program" --benchmark_repetitions="${REPETITIONS:-5}" --benchmark_min_time="${SECONDS_EACH:-0.05}" \
            --benchmark_enable_random_interleaving=true --benchmark_display_aggregates_only=true \
            --benchmark_out_format=json --benchmark_out="$out/${name#felt_bench_}.json"
    done
}

case ${1:-} in
    measure)
        [[ $# == 3 ]] || { echo "report.sh measure PROGRAMS OUT" >&2; exit 2; }
        measure "$2" "$3"
        ;;
    "" | -*)
        sed -n 's/^#   //p' "$0"
        exit 2
        ;;
    *)
        exec awk -f "$(dirname "$0")/report.awk" "$@"
        ;;
esac
