# SPDX-License-Identifier: BSD-3-Clause
#
# Of what `cuobjdump -sass` prints: for each kernel whose name matches one of "patterns"
# (NAME=PATTERN ..), "NAME INSTRUCTIONS WORK KIND:COUNT ..", of its innermost loop with most of what
# works: products of tensor cores or, where there are none, multiplications and sums of floats. Of
# a kernel without loops, of what a thread does whose elements are all there: those it stores.

BEGIN {
    count = split(patterns, known, " ")
    for (i = 1; i <= count; i++) {
        at_sign = index(known[i], "=")
        name[i] = substr(known[i], 1, at_sign - 1); pattern[i] = substr(known[i], at_sign + 1)
    }
}
/Function :/ { finish(); kernel = $3; n = 0; next }
match($0, /\/\*[0-9a-f]+\*\/ +/) {
    address = substr($0, RSTART + 2); sub(/\*\/.*/, "", address)
    text = substr($0, RSTART + RLENGTH); sub(/;.*/, "", text)
    at[n] = number(address); op[n] = text; n++
}
END { finish() }

function number(hex,   i, v) {
    v = 0
    for (i = 1; i <= length(hex); i++) v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return v
}

# Backward branches end loops. Of those with most work the shortest is the innermost.
function finish(   i, j, begin, to, size, work, works, most, best, first, last, kind, kinds, text) {
    most = 0; works = "^(@!?U?P[0-9T]+ +)?(FADD|FFMA|DADD|DFMA)"
    for (i = 0; i < n; i++) if (op[i] ~ /HMMA/) works = "HMMA"
    for (i = 0; i < n; i++) {
        if (op[i] !~ /BRA/ || !match(op[i], /0x[0-9a-f]+/)) continue
        to = number(substr(op[i], RSTART + 2, RLENGTH - 2))
        if (to >= at[i]) continue
        size = work = 0
        for (j = 0; j <= i; j++) {
            if (at[j] < to) continue
            size++
            if (op[j] ~ works) work++
        }
        if (work > most || (work == most && most > 0 && size < best)) {
            most = work; best = size; first = to; last = i
        }
    }
    begin = 0
    if (most == 0) {
        # All of a block's elements are there: where the first branch goes.
        for (i = 0; i < n && op[i] !~ /BRA/; i++) continue
        if (i == n || !match(op[i], /0x[0-9a-f]+/)) return
        begin = i + 1; first = number(substr(op[i], RSTART + 2, RLENGTH - 2))
        for (last = n - 1; last > 0 && op[last] !~ /EXIT/; last--) continue
        best = begin
        for (j = begin; j <= last; j++) {
            if (at[j] < first) continue
            best++
            if (op[j] ~ /STG/) most += op[j] ~ /\.128/ ? 4 : 1
        }
    }
    for (j = 0; j <= last; j++) {
        if (at[j] < first && j >= begin) continue
        kind = op[j]; sub(/^@!?U?P[0-9T]+ /, "", kind); sub(/[ .].*/, "", kind); kinds[kind]++
    }
    for (kind in kinds) if (kinds[kind] > 3) text = text " " kind ":" kinds[kind]
    for (i = 1; i <= count; i++) if (kernel ~ pattern[i]) print name[i], best, most, text
}
