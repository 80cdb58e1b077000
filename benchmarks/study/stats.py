# SPDX-License-Identifier: BSD-3-Clause
"""Samples as a middle and a spread, and numbers as people read them."""
import statistics
from typing import NamedTuple


class Spread(NamedTuple):
    """The median, and the quartiles around it."""
    low: float
    mid: float
    high: float


def spread(samples):
    if len(samples) < 2:
        return Spread(samples[0], samples[0], samples[0])
    return Spread(*statistics.quantiles(samples, n=4, method="inclusive"))


def ratio(over, under):
    """Of two ways that were measured in turns, turn by turn; else of what each took."""
    if len(over) == len(under):
        return spread([a / b for a, b in zip(over, under)])
    a, b = spread(over), spread(under)
    return Spread(a.low / b.high, a.mid / b.mid, a.high / b.low)


def three(x):
    """Three significant digits."""
    if x == 0:
        return "0"
    size = abs(x)
    if size >= 99.95:
        return f"{x:.0f}"
    return f"{x:.1f}" if size >= 9.995 else f"{x:.2f}" if size >= 0.09995 else f"{x:.2g}"


def half_width(s):
    """Half of what lies between the quartiles, of the median."""
    return (s.high - s.low) / (2 * s.mid)


def per_cent(s):
    return f"{100 * half_width(s):.1f} %" if s.mid else ""


def scaled(x, units, step):
    k = 0
    while x >= step and k + 1 < len(units):
        x, k = x / step, k + 1
    return f"{three(x)} {units[k]}"


def bytes_text(n):
    return scaled(n, ("B", "KiB", "MiB", "GiB"), 1024)


def seconds_text(s):
    return scaled(s * 1e9, ("ns", "us", "ms", "s"), 1000)


def range_text(s):
    return f"{three(s.low)} to {three(s.high)}"
