# SPDX-License-Identifier: BSD-3-Clause
#
# Rows of timing.hpp to tables, a question each: median times, and how many times that of Felt's
# first row they are (above 1 Felt is faster). The last of equal rows counts.
{
    key = $1 "\t" $2
    if (!(key in seen)) { seen[key] = 1; order[++cases] = key }
    if (!((key, $3) in time)) { number[key]++; who[key, number[key]] = $3 }
    time[key, $3] = $4; rate[key, $3] = $6 " " $7; error[key, $3] = $8
}
END {
    for (i = 1; i <= cases; ++i) {
        split(order[i], part, "\t")
        if (part[1] != last) {
            last = part[1]
            printf "\n## %s\n\n| case | contestant | median, us | rate | times Felt's | error |\n", last
            print "|---|---|---|---|---|---|"
        }
        ours = ((order[i], "felt") in time) ? time[order[i], "felt"] : 0
        for (j = 1; j <= number[order[i]]; ++j) {
            name = who[order[i], j]
            t = time[order[i], name]
            times = (ours > 0) ? sprintf("%.2f", t / ours) : "-"
            printf "| %s | %s | %.1f | %s | %s | %s |\n", part[2], name, 1e6 * t,
                rate[order[i], name], times, error[order[i], name]
        }
    }
}
