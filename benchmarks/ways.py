# SPDX-License-Identifier: BSD-3-Clause
"""Which way of convolving is the fastest where, from felt_bench_convolution_ways.

    felt_bench_convolution_ways --benchmark_out=ways.json --benchmark_min_time=0.05
    python3 ways.py ways.json [chart.svg]

Writes tables in Markdown: the fastest way, and the time of the products by its time and by that of
what the plan took. The chart has the same as colours.
"""
import collections
import json
import sys

LETTER = {"products": "P", "windows": "M", "winograd_2": "W2", "winograd_4": "W4", "fft": "F"}
COLOUR = {"P": "#9aa5b1", "M": "#d9a441", "W2": "#7fb3d5", "W4": "#2e86c1", "F": "#48a868"}


def read(path):
    """{(taps, images): {(channels, side): {way: time}}}; the least of repeated times."""
    cases = collections.defaultdict(lambda: collections.defaultdict(dict))
    for b in json.load(open(path))["benchmarks"]:
        if b.get("run_type", "iteration") != "iteration" or b.get("error_occurred"):
            continue
        _, taps, size, way = b["name"].split("/")[:4]
        images, channels, side = map(int, size.split("x"))
        case = cases[taps, images][channels, side]
        case[way] = min(case.get(way, float("inf")), b["cpu_time"])
    return cases


def best_of(case):
    way = min((w for w in case if w != "felt"), key=case.get)
    return LETTER[way], case["products"] / case[way], case["products"] / case["felt"]


def table(part):
    channels, sides = (sorted({k[i] for k in part}) for i in (0, 1))
    lines = ["| channels | " + " | ".join(f"{s} px" for s in sides) + " |",
             "|--:|" + ":-:|" * len(sides)]
    for c in channels:
        cells = []
        for s in sides:
            if (c, s) in part:
                letter, best, ours = best_of(part[c, s])
                cells.append(f"{letter} {best:.2f}, {ours:.2f}")
            else:
                cells.append("")
        lines.append(f"| {c} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def chart(cases):
    box, left, top = 74, 84, 46
    out, y0 = [], 16
    for (taps, images), part in sorted(cases.items()):
        channels, sides = (sorted({k[i] for k in part}) for i in (0, 1))
        out.append(f'<text x="10" y="{y0 + 14}" font-weight="bold">{taps}, {images} image'
                   f'{"s" if images > 1 else ""}</text>')
        for j, s in enumerate(sides):
            out.append(f'<text x="{left + box * j + box // 2}" y="{y0 + top - 8}" '
                       f'text-anchor="middle">{s} px</text>')
        for i, c in enumerate(channels):
            y = y0 + top + 26 * i
            out.append(f'<text x="{left - 8}" y="{y + 17}" text-anchor="end">{c} ch.</text>')
            for j, s in enumerate(sides):
                if (c, s) not in part:
                    continue
                letter, gain, _ = best_of(part[c, s])
                x = left + box * j
                out.append(f'<rect x="{x}" y="{y}" width="{box - 2}" height="24" '
                           f'fill="{COLOUR[letter]}"/><text x="{x + box // 2}" y="{y + 17}" '
                           f'text-anchor="middle">{letter} {gain:.2f}</text>')
        y0 += top + 26 * len(channels) + 14
    legend = "P products, M windows written first, W2 W4 Winograd, F Fourier; time of P / time"
    out.append(f'<text x="10" y="{y0 + 12}">{legend}</text>')
    width, height = left + box * 5 + 10, y0 + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" '
            f'fill="white"/>' + "".join(out) + "</svg>\n")


def main():
    cases = read(sys.argv[1])
    for (taps, images), part in sorted(cases.items()):
        print(f"\n{taps}, {images} image{'s' if images > 1 else ''}\n\n{table(part)}")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as f:
            f.write(chart(cases))


if __name__ == "__main__":
    main()
