#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What compiling costs, and what it is worth:
#
#   benchmarks/compile_time.sh [ROUNDS]             the programs of compile_time/, best of 3 rounds
#   benchmarks/compile_time.sh BUILD FILTER         sources of a configured build, by its commands
#
# The first compiles the header, the README's program, the same with ten more statements, and peers
# where they are found (Eigen, xtensor), in turns, by $CXX -O3 -march=native: header-only, and with
# felt::compiled, whose own compilation is a line of its own. Then without optimisation, and how
# long the perceptron of mlp.cpp takes then. Seconds are of the processor; ratios are to Eigen's
# program in the same run. The second: benchmarks/compile_time.sh build/release examples/ae/
# TIMES=FILE keeps the seconds, a line for each program and round; ONLY=NAMES, a regular expression,
# compiles these and prints nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
TIMEFORMAT='%U'
cxx=${CXX:-g++}
flags=(-std=c++20 -march=native -Iinclude)
for place in /usr/include /usr/local/include; do
    [[ ! -d $place/eigen3 ]] || flags+=(-isystem "$place/eigen3")
done

# seconds COMMAND...: processor time of one run.
seconds() { { time "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }; } 2>&1; }
megabytes() {
    [[ -x /usr/bin/time ]] || { echo "?"; return; }
    /usr/bin/time -f %M -o "$scratch/memory" "$@" >/dev/null 2>&1
    awk '{ printf "%.0f", $1 / 1024 }' "$scratch/memory"
}
functions() { nm -C "$1" | grep -c ' [tTwWuV] '; }

if [[ $# == 2 ]]; then
    commands=$1/compile_commands.json
    [[ -f $commands ]] || { echo "$commands: not found; configure $1 first" >&2; exit 1; }
    printf '| source | s | MB |\n|---|--:|--:|\n'
    sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$commands" | grep -E -- "/$2[^ ]*\.cpp$" |
        sed -E 's/ -o [^ ]+ -c / -o \/dev\/null -c /; s/\\"/"/g' >"$scratch/lines" || true
    [[ -s $scratch/lines ]] || { echo "$commands: no source matches $2" >&2; exit 1; }
    while IFS= read -r line; do
        read -r -a command <<<"$line"
        best=$(for _ in 1 2 3; do seconds "${command[@]}"; done | sort -n | sed -n 1p)
        printf '| %s | %s | %s |\n' "${line##* }" "$best" "$(megabytes "${command[@]}")"
    done <"$scratch/lines"
    exit
fi

# name : options : source, each compiled once a round.
programs=("header:-O3:include" "header, compiled:-O3 -DFELT_COMPILED:include"
    "hello:-O3:hello" "hello, compiled:-O3 -DFELT_COMPILED:hello"
    "ten more:-O3:statements" "ten more, compiled:-O3 -DFELT_COMPILED:statements"
    "hello, -O0 -g:-O0 -g:hello" "hello, compiled, -O0 -g:-O0 -g -DFELT_COMPILED:hello")
for peer in eigen:Eigen/Dense xtensor:xtensor/xtensor.hpp; do
    if "$cxx" "${flags[@]}" -x c++ -M - >/dev/null 2>&1 <<<"#include <${peer#*:}>"; then
        programs+=("${peer%%:*}:-O3:${peer%%:*}")
    else
        echo "Skipped: ${peer%%:*}, it was not found" >&2
    fi
done
if [[ -n ${ONLY:-} ]]; then
    chosen=()
    for program in "${programs[@]}"; do
        [[ ! ${program%%:*} =~ ^($ONLY)$ ]] || chosen+=("$program")
    done
    programs=("${chosen[@]}")
fi
compile() {  # options, source, object
    local options
    read -r -a options <<<"$1"
    "$cxx" "${flags[@]}" "${options[@]}" -c "$2" -o "$3"
}

for ((round = 0; round < ${1:-3}; ++round)); do
    for program in "${programs[@]}"; do
        IFS=: read -r name options source <<<"$program"
        s=$(seconds compile "$options" "benchmarks/compile_time/$source.cpp" "$scratch/$name.o")
        printf '%s\t%s\n' "$name" "$s" >>"$scratch/times"
    done
done
keep_times() { [[ -z ${TIMES:-} ]] || cp "$scratch/times" "$TIMES"; }
keep_times
[[ -z ${ONLY:-} ]] || exit 0
best() { awk -F'\t' -v n="$1" '$1 == n && (b == "" || $2 < b) { b = $2 } END { print b }' "$scratch/times"; }

eigen=$(best eigen)
printf '| program | s | of Eigen | functions |\n|---|--:|--:|--:|\n'
for program in "${programs[@]}"; do
    name=${program%%:*}
    printf '| %s | %s | %s | %s |\n' "$name" "$(best "$name")" \
        "$(awk -v a="$(best "$name")" -v b="${eigen:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "?" }')" \
        "$(functions "$scratch/$name.o")"
done
for kind in "" ", compiled"; do
    awk -v a="$(best "ten more$kind")" -v b="$(best "hello$kind")" -v kind="$kind" \
        'BEGIN { printf "| each further statement%s | %.2f | | |\n", kind, (a - b) / 10 }'
done
total=0
for source in src/*.cpp; do
    object=$scratch/$(basename "$source" .cpp).once.o
    s=$(seconds compile "-O3 -DFELT_COMPILED" "$source" "$object")
    total=$(awk -v a="$total" -v b="$s" 'BEGIN { print a + b }')
done
printf '| felt::compiled itself, once | %s | | |\n\n' "$total"
printf 'felt::compiled itself, once\t%s\n' "$total" >>"$scratch/times"
keep_times

printf '| perceptron of two layers | ms |\n|---|--:|\n'
for kind in "-O2:" "-O0 -g:" "-O2:-DFELT_COMPILED" "-O0 -g:-DFELT_COMPILED"; do
    library=()
    [[ ${kind#*:} == "" ]] || library=("$scratch"/*.once.o)
    compile "${kind%%:*} ${kind#*:}" benchmarks/compile_time/mlp.cpp "$scratch/mlp.o"
    "$cxx" "$scratch/mlp.o" "${library[@]}" -o "$scratch/mlp"
    printf '| %s%s | %s |\n' "${kind%%:*}" "${library:+, compiled}" "$("$scratch/mlp")"
done
