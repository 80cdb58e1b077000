# SPDX-License-Identifier: BSD-3-Clause
#
# Of what `cuobjdump -sass` prints: for each kernel that has one of "names" in its own,
# "NAME INSTRUCTIONS MULTIPLICATIONS KIND:COUNT ..", of its innermost loop that multiplies most.

BEGIN { count = split(names, known, " ") }
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

# Backward branches end loops. Of those with most multiplications the shortest is the innermost.
function finish(   i, j, to, size, multiplies, most, best, first, last, kind, kinds, text) {
    most = 0
    for (i = 0; i < n; i++) {
        if (op[i] !~ /BRA/ || !match(op[i], /0x[0-9a-f]+/)) continue
        to = number(substr(op[i], RSTART + 2, RLENGTH - 2))
        if (to >= at[i]) continue
        size = multiplies = 0
        for (j = 0; j <= i; j++) {
            if (at[j] < to) continue
            size++
            if (op[j] ~ /(HMMA|FFMA|DFMA)/) multiplies++
        }
        if (multiplies > most || (multiplies == most && most > 0 && size < best)) {
            most = multiplies; best = size; first = to; last = i
        }
    }
    if (most == 0) return
    for (j = 0; j <= last; j++) {
        if (at[j] < first) continue
        kind = op[j]; sub(/^@!?U?P[0-9T]+ /, "", kind); sub(/[ .].*/, "", kind); kinds[kind]++
    }
    for (kind in kinds) if (kinds[kind] > 3) text = text " " kind ":" kinds[kind]
    for (i = 1; i <= count; i++) if (index(kernel, known[i])) print known[i], best, most, text
}
