# SPDX-License-Identifier: BSD-3-Clause
"""Charts of points in a field: the roofline, and speed-ups by size and by intensity."""
from charts import legend, nice_bounds
from stats import three
from svg import Drawing, Scale, text_width


def roofline(width, title, points, peak, rates):
    """points: (name, {"fused": (flop/byte, Gflop/s), "unfused": ..}); rates: [(words, GB/s)], the fastest first."""
    wide = width > 500
    left, top, height = 46, 58, 440 if wide else 400
    every = [p for _, of in points for p in of.values()]
    x = Scale(min([0.1] + [p[0] for p in every]) / 1.5, max(p[0] for p in every) * 2, left, width - 12)
    y = Scale(min(p[1] for p in every) / 2, max([peak] + [p[1] for p in every]) * 1.5, height - 46, top)
    d = Drawing(width, height, title)
    legend(d, [("fused", "fused"), ("unfused", "unfused"), ("memory", "roofs")], 8, 16)
    frame(d, x, y, "operations for each byte that the plan moves", "Gflop/s")
    d.path([(x(peak / rates[0][1]), y(peak)), (x.end, y(peak))], "memory")
    d.text(x.end, y(peak) - 6, f"peak {three(peak)}", "end", "tick halo")
    for k, (words, rate) in enumerate(rates):
        start = max(x.least, y.least / rate)
        d.path([(x(start), y(start * rate)), (x(peak / rate), y(peak))], "memory")
        at = peak / (2, 6)[k]
        d.text(x(at / rate) + (-8, 8)[k], y(at) + 4, words, ("end", "start")[k], "tick halo")
    label(d, points, x, y)
    return d.done()


def frame(d, x, y, x_unit, y_unit):
    """Grid, ticks and units of a field of points."""
    for tick in x.ticks(7 if d.width > 500 else 5):
        d.line(x(tick), y.end, x(tick), y.start, "grid")
        d.text(x(tick), y.start + 16, three(tick), "middle", "tick")
    for tick in y.ticks(6):
        d.line(x.start, y(tick), x.end, y(tick), "base" if tick == 1 and y_unit != "Gflop/s" else "grid")
        d.text(x.start - 5, y(tick) + 4, three(tick), "end", "tick")
    d.text((x.start + d.width) / 2, d.height - 10, x_unit, "middle", "tick")
    d.text(8, y.end - 10, y_unit, kind="tick")


def label(d, points, x, y):
    """Both versions of each statement, joined; numbers beside the fused ones, which a list below names."""
    taken = []
    for _, of in points:
        places = {way: (x(p[0]), y(p[1])) for way, p in of.items()}
        d.path([places["unfused"], places["fused"]], "join")
    for k, (name, of) in enumerate(points, 1):
        for way, p in of.items():
            d.dot(x(p[0]), y(p[1]), way, f"{name}, {way}: {three(p[0])} flop/byte, {three(p[1])} Gflop/s")
        px, py = x(of["fused"][0]), y(of["fused"][1])
        spots = [(px + 7, py - 5), (px + 7, py + 12), (px - 17, py - 5), (px - 17, py + 12), (px - 3, py - 9),
                 (px - 3, py + 19), (px + 16, py + 4)]
        spot = next((s for s in spots if all(abs(s[0] - t[0]) > 14 or abs(s[1] - t[1]) > 11 for t in taken)),
                    spots[0])
        taken.append(spot)
        d.text(*spot, str(k), kind="number halo")


def small(title, unit, points, size=(232, 170)):
    """Speed-up along one axis: points (value, Spread); the line at 1 and a band between the quartiles."""
    width, height = size
    d = Drawing(width, height, title)
    values = [v for _, s in points for v in s]
    low, high = nice_bounds(values, 0.8, 1.4)
    x = Scale(points[0][0], points[-1][0], 34, width - 14)
    y = Scale(low, high, height - 36, 30)
    d.text(8, 16, title, kind="strong")
    for tick in y.ticks(5):
        d.line(x.start, y(tick), x.end, y(tick), "base" if tick == 1 else "grid")
        d.text(x.start - 5, y(tick) + 4, three(tick), "end", "tick")
    band = [(x(v), y(s.high)) for v, s in points] + [(x(v), y(s.low)) for v, s in reversed(points)]
    d.add("polygon", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in band), class_="band")
    d.path([(x(v), y(s.mid)) for v, s in points], "fusedline")
    last = -99
    for v, s in points:
        d.dot(x(v), y(s.mid), "fused", f"{unit} {v}: {three(s.mid)} ({three(s.low)} to {three(s.high)})")
        words = str(v)
        if x(v) - text_width(words, 11) / 2 > last + 4:
            anchor = "end" if v == points[-1][0] else "middle"
            d.text(x(v) + (8 if anchor == "end" else 0), height - 20, words, anchor, "tick")
            last = x(v) + text_width(words, 11) / 2
    d.text((x.start + x.end) / 2, height - 5, unit, "middle", "tick")
    return d.done()


def scatter(width, title, points, line, x_unit, y_unit):
    """points: (x, Spread, words); `line`: such points that are joined, of the statement that is swept."""
    height, left = 360, 46
    d = Drawing(width, height, title)
    every = points + line
    x = Scale(min(p[0] for p in every) / 1.4, max(p[0] for p in every) * 1.4, left, width - 14)
    y = Scale(*nice_bounds([v for p in every for v in p[1]], 0.8, 1.4), height - 46, 64)
    legend(d, [("fused", "the layer, by its inner extent"), ("unfused", "all others, at every size")], 8, 16)
    frame(d, x, y, x_unit, y_unit)
    d.path([(x(a), y(s.mid)) for a, s, _ in line], "fusedline")
    for kind, some in (("unfused", points), ("fused", line)):
        for a, s, words in some:
            d.line(x(a), y(s.low), x(a), y(s.high), "whisker")
            d.dot(x(a), y(s.mid), kind, f"{words}: {three(s.mid)} at {three(a)} flop/byte")
    return d.done()
