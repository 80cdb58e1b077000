# SPDX-License-Identifier: BSD-3-Clause
"""What must hold of the study's report, and of comparisons of two results.

    check.py report | compare | mine PROGRAM
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent.parent / "benchmarks"
SAMPLE = json.loads((HERE / "sample.json").read_text())
SECTIONS = ("summary", "speedups", "examples", "roofline", "shares", "bytes", "crossover", "threads", "planning",
            "compile", "about")


def expect(what, holds):
    if not holds:
        sys.exit(f"FAILED: {what}")


def drawn(results):
    """The page's text and tree, and the Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "in.json"
        file.write_text(json.dumps(results))
        subprocess.run([sys.executable, "-B", BENCHMARKS / "study", "--from", file, "--out", folder], check=True,
                       stdout=subprocess.DEVNULL)
        text = (pathlib.Path(folder) / "report.html").read_text()
        return text, tree.fromstring(text), (pathlib.Path(folder) / "report.md").read_text()


def is_whole(text, page, markdown, results):
    found = {s.get("id"): s for s in page.iter("section")}
    expect(f"every section is there: {sorted(found)}", set(found) == set(SECTIONS))
    for key, section in found.items():
        title = section.find("h2").text
        expect(f"{title} is in the Markdown", f"## {title}\n" in markdown)
        for figure in section.iter("figure"):
            said = "".join(figure.find("figcaption").itertext())
            expect(f"{key}: a figure is drawn", figure.find(".//svg") is not None)
            for fact in ("compiler", "flags", "commit", "date", "processor"):
                expect(f"{key}: a figure says its {fact}", results["machine"][fact] in said)
    for key in set(SECTIONS) - {"summary", "about"}:
        expect(f"{key} has a figure", found[key].find("figure") is not None)
        expect(f"{key} has a table", found[key].find(".//td") is not None)
    expect("nothing comes from elsewhere", not re.search(r"https?:|src=|@import|url\(|<link|<script", text))
    expect("no number is missing", not re.search(r"\bnan\b|\binf\b|None", text))
    colours = set(re.findall(r"var\((--\w+)\)", text))
    expect("every colour has a dark one", all(text.count(f"{c}:") >= 3 for c in colours))
    ids = set(found)
    expect("links lead somewhere", all(a.get("href")[1:] in ids for a in page.iter("a")))


def report():
    text, page, markdown = drawn(SAMPLE)
    is_whole(text, page, markdown, SAMPLE)
    for s in SAMPLE["statements"]:
        expect(f"{s['name']} is in the page", s["name"] in text)
    expect("published shares stand beside", "published, NumPy" in text and "55.5" in text)
    without = copy.deepcopy(SAMPLE)
    for s in without["statements"]:
        for p in s["points"]:
            p["seconds"] = {w: t for w, t in p["seconds"].items() if w in ("fused", "unfused")}
            p.pop("threads", None)
    without.update(examples={}, planning={}, compile={}, peer_steps={}, missing=["Eigen: it was not found"])
    text, page, markdown = drawn(without)
    for said in (text, markdown):
        expect("a missing peer is said", "Not measured: Eigen: it was not found." in said)
        expect("missing examples are said", "No example was built." in said)


def compared(folder, new):
    old, file = HERE / "sample.json", pathlib.Path(folder) / "new.json"
    file.write_text(json.dumps(new))
    done = subprocess.run([sys.executable, "-B", BENCHMARKS / "compare.py", old, file], text=True,
                          stdout=subprocess.PIPE)
    return done.stdout, done.returncode


def compare():
    with tempfile.TemporaryDirectory() as folder:
        said, status = compared(folder, SAMPLE)
        expect(f"nothing differs from itself: {said}", " 0 differ beyond the noise" in said and status == 0)
        new = copy.deepcopy(SAMPLE)
        point = new["statements"][0]["points"][-1]
        name = f"{new['statements'][0]['name']}/{point['at']}/fused"
        point["seconds"]["fused"] = [1.01 * t for t in point["seconds"]["fused"]]
        said, status = compared(folder, new)
        expect(f"1 % is noise: {said}", " 0 differ beyond the noise" in said and status == 0)
        point["seconds"]["fused"] = [3 * t for t in point["seconds"]["fused"]]
        said, status = compared(folder, new)
        expect(f"three times as long is not: {said}", re.search(f"{name} .* SLOWER", said) and status == 1)
        expect("only that differs", " 1 differ beyond the noise" in said)
        said, status = compared(folder, {"something": "else"})
        expect("another file is refused", status == 1 and "SLOWER" not in said)


def mine(program):
    results = json.loads(subprocess.run([program, "--quick"], check=True, text=True, stdout=subprocess.PIPE).stdout)
    names = [s["name"] for s in results["statements"]]
    expect(f"the program has the user's statement alone: {names}", names == ["bell"])
    points = results["statements"][0]["points"]
    expect("fused moves fewer bytes", all(p["bytes"]["fused"] < p["bytes"]["unfused"] for p in points))
    expect("every way has samples", all(len(t) >= 5 and min(t) > 0 for p in points for t in p["seconds"].values()))
    text, page, markdown = drawn({**SAMPLE, "statements": SAMPLE["statements"] + results["statements"]})
    is_whole(text, page, markdown, SAMPLE)
    for key in ("speedups", "roofline", "bytes", "crossover", "planning"):
        section = next(s for s in page.iter("section") if s.get("id") == key)
        expect(f"the user's statement is in {key}", "bell" in "".join(section.itertext()))
    expect("its formula is there", "exp(-x * x) * w" in markdown)


{"report": report, "compare": compare, "mine": mine}[sys.argv[1]](*sys.argv[2:])
