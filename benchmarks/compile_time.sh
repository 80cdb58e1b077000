#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What compiling costs, by the commands of a configured build:
#
#   benchmarks/compile_time.sh [BUILD] [FILTER]     BUILD is build/release, FILTER examples/.*main
#
# First `#include <felt/felt.hpp>` alone (at most 1.5 s), then every source that matches FILTER (at
# most 15 s and 1.5 GB): processor time, the best of three, and peak memory if /usr/bin/time is
# there (Debian: time). What the programs share, instances/, is to be built before:
# `cmake --build BUILD --target felt_instances`.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
filter=${2:-examples/.*main}
commands=$build/compile_commands.json
[[ -f $commands ]] || { echo "$commands: not found; cmake --preset release makes it" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
TIMEFORMAT='%U %S'

# seconds COMMAND...: processor time of the fastest of three runs.
seconds() {
    for _ in 1 2 3; do
        { time "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }; } 2>&1
    done | sort -n | awk 'NR == 1 { print $1 + $2 }'
}

megabytes() {
    [[ -x /usr/bin/time ]] || { echo "?"; return; }
    /usr/bin/time -f %M -o "$scratch/memory" "$@" >/dev/null 2>&1
    awk '{ printf "%.0f", $1 / 1024 }' "$scratch/memory"
}

report() {  # name, command...
    local name=$1
    shift
    printf '| %s | %s | %s |\n' "$name" "$(seconds "$@")" "$(megabytes "$@")"
}

# "command": "g++ ... -o x.o -c x.cpp"  ->  g++ ...
flags_of() {
    sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$commands" | grep -E -- "$1" |
        sed -E 's/ -o [^ ]+ -c / -o \/dev\/null -c /; s/\\"/"/g'
}

line=$(flags_of "/($filter|benchmarks/.*)[^ ]*\.cpp$" | sed -n 1p)
[[ -n $line ]] || { echo "$commands: no source matches $filter" >&2; exit 1; }
echo '#include <felt/felt.hpp>' >"$scratch/include.cpp"

echo "| source | s | MB |"
echo "|---|--:|--:|"
alone=$(sed 's/ -include [^ ]*cmake_pch.hxx//' <<<"${line% -c *} -c $scratch/include.cpp")
read -r -a alone <<<"$alone"
report "#include <felt/felt.hpp>" "${alone[@]}"
while IFS= read -r line; do
    [[ -n $line ]] || continue
    read -r -a command <<<"$line"
    source=${line##* }
    report "${source#"$PWD"/}" "${command[@]}"
done < <(flags_of "/${filter}[^ ]*\.cpp$" || true)
