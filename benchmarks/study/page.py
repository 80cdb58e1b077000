# SPDX-License-Identifier: BSD-3-Clause
"""The report: every section of a results.json as one page of HTML without anything from elsewhere, and as
Markdown."""
import html
import pathlib
import statistics

import crossover
import figures
import programs
from section import Section, Table
from stats import bytes_text, half_width, spread, three

SECTIONS = (figures.speedups, programs.examples, figures.roofline, programs.shares, figures.moved,
            crossover.crossover, figures.threads, programs.planning, programs.compiling)


def source(results):
    m = results["machine"]
    words = [m["processor"], results["instructions"], m["compiler"], m["flags"], f"commit {m['commit']}", m["date"]]
    return "; ".join(w for w in words if w)


def summary(results):
    last = {s["name"]: s["points"][-1] for s in results["statements"]}
    gains = {name: figures.gain(p).mid for name, p in last.items()}
    names = sorted(gains, key=gains.get)
    words = [f"Of {len(gains)} statements at their largest size, the same kernels unfused take "
             f"{three(statistics.geometric_mean(gains.values()))} times as long as one fused pass in the "
             f"geometric mean: from {three(gains[names[0]])} ({names[0]}) to {three(gains[names[-1]])} ({names[-1]})."]
    for side, of in (("below", lambda x: x < 4), ("above", lambda x: x >= 4)):
        some = [gains[name] for name, p in last.items() if of(figures.intensity(p))]
        if some:
            words[0] += (f" Of the {len(some)} with {side} 4 operations for each byte it is "
                         f"{three(statistics.geometric_mean(some))}.")
    wide = [name for name, p in last.items() if half_width(spread(p["seconds"]["fused"])) > 0.1]
    if wide:
        words.append(f"The times of {len(wide)} of them spread by more than 10 %: something else ran on this machine "
                     f"({', '.join(wide)}).")
    if results["missing"]:
        words.append("Not measured: " + "; ".join(results["missing"]) + ".")
    return Section("summary", "In short", words)


def about(results):
    m = results["machine"]
    rows = [["processor", m["processor"]], ["cores", m["cores"]],
            ["caches", ", ".join(f"{k} {bytes_text(v)}" for k, v in m["caches"].items()) or "not said"],
            ["instructions", results["instructions"]], ["system", m["system"]], ["compiler", m["compiler"]],
            ["flags", m["flags"]], ["commit", m["commit"]], ["date", m["date"]], ["processes that ran before it began", m.get("load", "not said")],
            *(["peer", f"{k} {v}"] for k, v in results.get("peer_versions", {}).items())]
    text = ["Times are of the clock, float, one thread unless said otherwise. All ways of a statement run in turns; "
            "in a turn each runs three times, for what it leaves in the caches to be there, and then, timed, until 0.2 ms are filled; every other turn goes backwards. Given are medians, and quartiles as the spread; a ratio "
            "is the median of the ratios of turns. Python's peers run after the others, in a process of their own. "
            "All samples are in results.json beside this page; benchmarks/compare.py old/results.json "
            "new/results.json says what differs beyond the noise."]
    return Section("about", "How it was measured", text, [], [Table(["what", "here"], rows)])


def sections(results):
    return [summary(results), *(make(results) for make in SECTIONS), about(results)]


def as_html(results):
    parts, of = sections(results), source(results)
    style = (pathlib.Path(__file__).parent / "style.css").read_text()
    links = "".join(f"<li><a href='#{s.key}'>{html.escape(s.title)}</a></li>" for s in parts)
    kind = "A short run (--quick). " if results["quick"] else ""
    return ("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'/>"
            "<meta name='viewport' content='width=device-width, initial-scale=1'/>"
            f"<title>Felt: the fusion study</title><style>{style}</style></head><body>"
            f"<header><h1>Felt: the fusion study</h1><p class='note'>{kind}{html.escape(of)}</p>"
            f"<nav><ul>{links}</ul></nav></header><main>{''.join(s.as_html(of) for s in parts)}</main>"
            "</body></html>\n")


def as_markdown(results):
    parts, of = sections(results), source(results)
    return "\n\n".join(["# Felt: the fusion study", *(s.as_markdown(of) for s in parts)]) + "\n"
