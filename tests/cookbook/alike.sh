#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# alike.sh EXPECTED COMMAND...: COMMAND prints what the file says, numbers to 1 in 1000 (how often
# something happens depends on rounding). Its first line, "--size 500", is given to COMMAND; the
# line with the time does not count.
set -euo pipefail
expected=$1
shift
read -r -a options <"$expected"
printed=$("$@" "${options[@]}" --times 1) || { echo "$1 failed"; exit 1; }

awk '
    function number(s) { return s ~ /^-?[0-9.]+(e[-+]?[0-9]+)?,?$/ }
    function alike(a, b) {
        if (!number(a) || !number(b)) return a == b
        d = a - b
        return (d < 0 ? -d : d) <= 1e-3 * (a < 0 ? -a : a)
    }
    FNR == NR { if (FNR > 1) expected[++lines] = $0; next }
    /^best of / { next }
    {
        n = split(expected[++line], word)
        if (n != NF) { print "expected \"" expected[line] "\", not \"" $0 "\""; wrong = 1 }
        else for (i = 1; i <= n; ++i) if (!alike(word[i], $i)) {
            print "expected " word[i] ", not " $i ": " $0
            wrong = 1
        }
    }
    END {
        if (line != lines) { print lines " lines are expected, not " line; wrong = 1 }
        exit wrong
    }
' "$expected" - <<<"$printed"
