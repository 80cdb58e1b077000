# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of chart of the report. Each is drawn twice, for a desk and for a phone (`both`)."""
from stats import three
from svg import Drawing, Scale, text_width

WIDE, NARROW = 760, 350


def both(draw, *args, **options):
    """A chart at two widths, of which the page's style shows one."""
    wide, narrow = (draw(w, *args, **options) for w in (WIDE, NARROW))
    return f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>'


def legend(d, entries, left, y):
    """(class, words) in lines that fit; where the last line ends."""
    x = left
    for kind, words in entries:
        while left + 18 + text_width(words) > d.width and len(words) > 8:
            words = words.rstrip("\u2026")[:-1] + "\u2026"
        need = 18 + text_width(words) + 12
        if x + need > d.width and x > left:
            x, y = left, y + 18
        d.rect(x, y - 10, 11, 11, kind)
        d.text(x + 16, y, words)
        x += need
    return y


def nice_bounds(values, least=0.9, most=1.2):
    low, high = min([least, *values]), max([most, *values])
    return low / 1.05, high * 1.12


def bars(width, title, unit, rows, kinds, log=True, base=1):
    """rows: (name, [(kind, Spread)]). kinds: {kind: words}. Whiskers are quartiles. With a logarithm, bars begin
    at `base`, or at the left."""
    wide = width > 500
    left = min(max(text_width(name) for name, _ in rows) + 12, 150) if wide else 8
    height_of = lambda row: 15 * len(row[1]) + (10 if wide else 26)
    used = {kind for _, entries in rows for kind, _ in entries}
    d = Drawing(width, 0, title)
    top = legend(d, [(k, w) for k, w in kinds.items() if k in used], 8, 16) + 14
    values = [v for _, entries in rows for _, s in entries for v in s]
    low, high = nice_bounds(values, base or 1) if log else (0, max(values) * 1.12)
    first = (base or low) if log else 0
    at = Scale(low, high, left, width - 52, log)
    bottom = top + sum(map(height_of, rows))
    for tick in at.ticks(8 if wide else 5):
        d.line(at(tick), top, at(tick), bottom, "base" if log and tick == base else "grid")
        d.text(at(tick), bottom + 16, three(tick), "middle", "tick")
    d.text((left + width) / 2, bottom + 34, unit, "middle", "tick")
    y = top + 4
    for row in rows:
        name, entries = row
        if wide:
            d.text(left - 8, y + 7.5 * len(entries) + 4, name, "end")
        else:
            d.text(8, y + 12, name, kind="strong halo")
            y += 18
        for kind, s in entries:
            zero, end = at(first), at(s.mid)
            d.rect(min(zero, end), y + 2, abs(end - zero), 11, kind,
                   f"{name}, {kinds[kind]}: {three(s.mid)} ({three(s.low)} to {three(s.high)}) {unit}")
            d.whisker(at(s.low), at(s.high), y + 7.5)
            d.text(max(at(s.high), zero) + 6, y + 11.5, three(s.mid), kind="value")
            y += 15
        y += 10 if wide else 8
    d.height = bottom + 42
    return d.done()


def shares(width, title, rows):
    """rows: (name, [(operation, per cent)]): a bar of 100 % each; colours follow the operations."""
    order = []
    for _, parts in rows:
        order += [o for o, _ in parts if o not in order]
    kinds = {o: f"c{k % 10}" for k, o in enumerate(order)}
    d = Drawing(width, 0, title)
    y = legend(d, [(kinds[o], o) for o in order], 8, 16) + 16
    at = Scale(0, 100, 8, width - 8, log=False)
    for name, parts in rows:
        d.text(8, y + 10, name, kind="strong")
        x = 0
        for operation, share in parts:
            d.rect(at(x), y + 16, at(x + share) - at(x) - 1, 20, kinds[operation],
                   f"{name}, {operation}: {three(share)} %")
            label = f"{share:.0f}"
            if at(share) - at(0) > text_width(label) + 6:
                d.text((at(x) + at(x + share)) / 2, y + 30, label, "middle", "inside")
            x += share
        y += 50
    for tick in (0, 25, 50, 75, 100):
        d.text(at(tick), y + 4, f"{tick} %", "start" if tick == 0 else "end" if tick == 100 else "middle", "tick")
    d.height = y + 12
    return d.done()
