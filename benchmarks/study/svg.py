# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of an inline SVG: scales, marks, text. Colours are classes, which the page's style sets."""
import html
import math


def text_width(text, size=12):
    """About what a sans-serif takes."""
    return sum(0.32 if c in "il.,:;'|()[] " else 0.9 if c in "mwMW%" else 0.58 for c in text) * size


class Scale:
    """Values to pixels, by logarithm or not."""

    def __init__(self, least, most, start, end, log=True):
        self.log, self.least, self.most, self.start, self.end = log, least, most, start, end

    def __call__(self, value):
        f = math.log if self.log else float
        low, high = f(self.least), f(self.most)
        share = (f(max(value, 1e-300) if self.log else value) - low) / ((high - low) or 1)
        return self.start + share * (self.end - self.start)

    def ticks(self, most=6):
        if not self.log:
            step = 10 ** math.floor(math.log10((self.most - self.least) / 2))
            while (self.most - self.least) / step > most:
                step *= 2 if (self.most - self.least) / step < 2 * most else 5
            first = math.ceil(self.least / step)
            return [k * step for k in range(first, int(self.most / step) + 1)]
        few = [t for t in (0.25, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4) if self.least <= t <= self.most]
        if self.most / self.least < 5 and 2 <= len(few):
            return few if len(few) <= most else [t for t in few if t in (0.5, 0.8, 1, 1.2, 1.5, 2, 3, 4)]
        for base in (2, 4, 10, 100, 1000):
            first = math.ceil(math.log(self.least, base) - 1e-9)
            last = math.floor(math.log(self.most, base) + 1e-9)
            if last - first + 1 <= most:
                return [base ** k for k in range(first, last + 1)]
        return [self.least, self.most]


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def add(self, tag, content="", **attributes):
        words = " ".join(f'{k.rstrip("_").replace("_", "-")}="{html.escape(f"{v:.1f}" if isinstance(v, float) else str(v))}"'
                         for k, v in attributes.items() if v is not None)
        self.parts.append(f"<{tag} {words}>{content}</{tag}>" if content else f"<{tag} {words}/>")

    def line(self, x1, y1, x2, y2, kind):
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=kind)

    def text(self, x, y, words, anchor="start", kind=None, hint=None):
        inner = html.escape(words) + (f"<title>{html.escape(hint)}</title>" if hint else "")
        self.add("text", inner, x=float(x), y=float(y), text_anchor=anchor, class_=kind)

    def rect(self, x, y, width, height, kind, hint=""):
        self.add("rect", f"<title>{html.escape(hint)}</title>" if hint else "", x=float(x), y=float(y),
                 width=float(max(width, 0.5)), height=float(height), class_=kind)

    def dot(self, x, y, kind, hint=""):
        self.add("circle", f"<title>{html.escape(hint)}</title>" if hint else "", cx=float(x), cy=float(y), r=4,
                 class_=kind)

    def path(self, points, kind):
        self.add("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=kind)

    def whisker(self, x1, x2, y):
        if abs(x2 - x1) > 1.5:
            self.line(x1, y, x2, y, "whisker")
            for x in (x1, x2):
                self.line(x, y - 3, x, y + 3, "whisker")

    def done(self):
        name = html.escape(self.title)
        return (f'<svg viewBox="0 0 {self.width} {self.height:.0f}" width="{self.width}" '
                f'height="{self.height:.0f}" role="img" aria-label="{name}">' + "".join(self.parts) + "</svg>")
