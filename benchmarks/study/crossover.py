# SPDX-License-Identifier: BSD-3-Clause
"""Where fusion pays and where it does not: speed-ups by arithmetic intensity and by size."""
import math

import charts
import fields
from figures import at_text, gain, intensity
from section import Section, Table
from stats import range_text, three

NOISE = 0.03  # a ratio nearer to 1 is none


def crossing(s):
    """Where the median speed-up falls through what is noise, by interpolation of logarithms; or nothing."""
    bound = 1 + NOISE
    for a, b in zip(s["points"], s["points"][1:]):
        ga, gb = gain(a).mid, gain(b).mid
        if (ga - bound) * (gb - bound) < 0:
            share = math.log(bound / ga) / math.log(gb / ga)
            between = lambda x, y: math.exp(math.log(x) + share * math.log(y / x))
            return between(a["at"], b["at"]), between(intensity(a), intensity(b))
    return None


def verdict(s):
    gains = [gain(p) for p in s["points"]]
    pays = [g.low > 1 + NOISE for g in gains]
    at = crossing(s)
    if all(pays):
        return "pays at every size measured"
    if not any(pays):
        return "is worth nothing beyond the noise" if all(g.high > 1 - NOISE for g in gains) else "costs time"
    if at is None:
        return "pays at some sizes, within the noise at others"
    side = "below" if gains[0].mid > gains[-1].mid else "above"
    return f"pays {side} {at[0]:.0f} {s['axis']}, {three(at[1])} flop/byte"


def crossover(results):
    small, points, line, table = [], [], [], []
    for s in results["statements"]:
        gains = [(p["at"], gain(p)) for p in s["points"]]
        if len(gains) > 1:
            small.append(fields.small(s["name"], s["axis"], gains))
        for p in s["points"]:
            entry = (intensity(p), gain(p), at_text(s, p))
            (line if s["name"] == "layer" else points).append(entry)
        table.append([s["name"], verdict(s), f"{three(gains[0][1].mid)} at {gains[0][0]}",
                      f"{three(gains[-1][1].mid)} at {gains[-1][0]}", range_text(gains[-1][1])])
    scatter = charts.both(fields.scatter, "Speed-up by arithmetic intensity", points, sorted(line),
                          "operations for each byte, fused", "unfused / fused")
    text = ["Where fusion pays and where it does not. The layer is the same statement at growing inner extents: "
            "each makes the product costlier and leaves what follows it alone, so that the share of what fusion "
            "saves falls. The crossover is where the median meets 1.03, by interpolation; nearer to 1 is noise."]
    grid = f"<div class='grid'>{''.join(small)}</div>"
    return Section("crossover", "By arithmetic intensity and size: the crossover", text,
                   [(scatter, "Unfused / fused at every size; whiskers are quartiles."),
                    (grid, "Unfused / fused of each statement by its size: medians, the band between quartiles.")],
                   [Table(["statement", "fusion", "smallest", "largest", "quartiles there"], table)])
