# SPDX-License-Identifier: BSD-3-Clause
"""The sections about statements: speed-ups, roofline, bytes, threads."""
import charts
import fields
from section import Section, Table
from stats import bytes_text, per_cent, range_text, ratio, seconds_text, spread, three

PEERS = ("Eigen", "xtensor", "OpenBLAS", "oneDNN", "NumPy", "PyTorch", "torch.compile")
KINDS = {"unfused": "Felt, unfused", **{p: p for p in PEERS}}
CLASS = {"unfused": "unfused", **{p: f"p{k}" for k, p in enumerate(PEERS)}}


def gain(point, who="unfused"):
    return ratio(point["seconds"][who], point["seconds"]["fused"])


def intensity(point, way="fused"):
    return max(point["flops"], 1) / point["bytes"][way]  # what copies has none, and a place all the same


def at_text(s, point):
    return f"{s['name']}, {point['at']} {s['axis']}" if s["axis"] != "n" else \
        f"{s['name']}, {point['at']} x {point['at']}"


def speedups(results):
    rows, table = [], []
    there = {w for s in results["statements"] for w in s["points"][-1]["seconds"]}
    shown = {w: words for w, words in KINDS.items() if w in there}
    for s in results["statements"]:
        p = s["points"][-1]
        others = [w for w in shown if w in p["seconds"]]
        rows.append((s["name"], [(CLASS[w], gain(p, w)) for w in others]))
        fused = spread(p["seconds"]["fused"])
        table.append([at_text(s, p), seconds_text(fused.mid), per_cent(fused),
                      *(f"{three(gain(p, w).mid)}" if w in p["seconds"] else "-" for w in shown)])
    words = {CLASS[w]: text for w, text in KINDS.items()}
    chart = charts.both(charts.bars, "Speed-ups", "their time / Felt's fused time (logarithmic)", rows, words)
    text = ["Each statement at the largest size that was measured, on one thread. A bar says how many times as "
            "long as one fused pass the others take: above 1 the fused pass is faster. Unfused is the same "
            "statement by the same kernels, each operation with a tensor of its own. Before anything is timed, "
            "the results are compared; those of Python's peers with each other."]
    formulas = Table(["statement", "what it is"], [[s["name"], s["formula"]] for s in results["statements"]])
    head = ["statement", "fused", "spread", *(("unfused / fused") if w == "unfused" else w for w in shown)]
    return Section("speedups", "What fusion is worth", text,
                   [(chart, "Ratios of times, each turn by turn; bars are medians, whiskers quartiles.")],
                   [Table(head, table, "Spread: half the distance of the quartiles, of the median. "
                                       "Peers: their time / fused."), formulas])


def rates(results):
    """Bandwidths in the second-level cache and out of all caches, as measured."""
    known = results["roofs"]["bandwidth"]
    l2 = results["machine"]["caches"].get("L2", 1 << 20)
    inside = max((b for b in known if b["bytes"] <= l2), key=lambda b: b["bytes"], default=known[0])
    return inside, known[-1]


def roofline(results):
    inside, outside = rates(results)
    l2 = results["machine"]["caches"].get("L2", 1 << 20)
    roofs = [(f"in L2 {three(inside['copy'] / 1e9)} GB/s", inside["copy"] / 1e9),
             (f"memory {three(outside['copy'] / 1e9)} GB/s", outside["copy"] / 1e9)]
    figures, table = [], []
    for where, pick in (("in cache", lambda s: [p for p in s["points"] if p["bytes"]["fused"] <= l2][-1:]),
                        ("out of cache", lambda s: [p for p in s["points"][-1:] if p["bytes"]["fused"] > l2])):
        points = []
        for s in results["statements"]:
            for p in pick(s):
                of = {w: (intensity(p, w), p["flops"] / spread(p["seconds"][w]).mid / 1e9) for w in ("fused", "unfused")}
                points.append((s["name"], of))
                table.append([len(points), at_text(s, p), where, *(three(of[w][0]) for w in of),
                              *(three(of[w][1]) for w in of)])
        if points:
            names = "; ".join(f"{k} {name}" for k, (name, _) in enumerate(points, 1))
            figures.append((charts.both(fields.roofline, f"Roofline, {where}", points,
                                        results["roofs"]["flops"] / 1e9, roofs),
                            f"Roofline, {where}: {names}. Lines join both versions of a statement."))
    table = [[f"{r[0]} {r[1]}", *r[2:]] for r in table]
    ladder = Table(["two arrays of together", "copy GB/s", "read GB/s"],
                   [[bytes_text(b["bytes"]), three(b["copy"] / 1e9), three(b["read"] / 1e9)]
                    for b in results["roofs"]["bandwidth"]],
                   "The best of memcpy, a plain loop and one with streaming stores; bytes read and written.")
    text = ["Operations are counted as the plan does: one for a function of an element, whatever it costs, two for "
            "each term of a product. Bytes are those that the plan moves: fusion moves a point to the right. "
            f"In cache are points whose fused bytes fit the second-level cache ({bytes_text(l2)}), out of cache "
            "those that do not; the peak is of fused multiply-adds, the slopes of the best copy, all measured "
            "in the same run on one core. What lies above the slope of memory is in a last-level cache; a "
            "convolution by transforms does fewer operations than are counted and may lie above the peak."]
    head = ["statement", "where", "flop/byte fused", "unfused", "Gflop/s fused", "unfused"]
    return Section("roofline", "Roofline", text, figures, [Table(head, table), ladder])


def moved(results):
    rows, table = [], []
    for s in results["statements"]:
        p = s["points"][-1]
        by_plan = p["bytes"]["unfused"] / p["bytes"]["fused"]
        rows.append((s["name"], [("p4", spread([by_plan])), ("p1", gain(p))]))
        touched = {w: bytes_text(1024 * k) if k > 0 else "-" for w, k in p["touched"].items()}
        speed = {w: p["bytes"][w] / spread(p["seconds"][w]).mid / 1e9 for w in ("fused", "unfused")}
        table.append([at_text(s, p), *(bytes_text(p["bytes"][w]) for w in speed),
                      *(touched[w] for w in speed), *(three(v) for v in speed.values())])
    chart = charts.both(charts.bars, "Bytes", "unfused / fused (logarithmic)", rows,
                        {"p4": "bytes by plan", "p1": "time, measured"})
    steps = [[f"{name}, {what}", *(three(of[w][k]) if of[w][k] else "-" for k in ("bytes", "peak")
                                   for w in ("fused", "unfused"))]
             for name, e in results["examples"].items() for what, of in e["1"]["compared"].items()
             if of["fused"]["bytes"] or of["fused"]["peak"]]
    text = ["By plan: distinct bytes of operands and destinations, and a write and a read of each intermediate "
            "tensor. Measured: the memory that one run touches, by the kernel's marks of pages. Large tensors have "
            "pages of 2 MiB, so small statements look larger than they are; memory that an unfused run uses "
            "twice for different intermediates is touched once. Counters of the memory controller, which would "
            "see every transfer, are not read: most virtual machines have none. Bytes by plan over the time "
            "show whether memory can have moved that much: above the rate of a copy out of cache, caches did."]
    head = ["statement", "plan, fused", "unfused", "touched, fused", "unfused", "plan GB/s, fused", "unfused"]
    return Section("bytes", "Bytes: by plan and as measured", text,
                   [(chart, "How many times as many bytes an unfused run moves by its plan, and how many times as "
                            "long it takes: where memory binds, the two are alike.")],
                   [Table(head, table), Table(["example, a step", "moved MiB, fused", "unfused",
                                               "peak memory MiB, fused", "unfused"], steps,
                                              "Moved by plan; the peak is of the process, measured.")])


def threads(results):
    rows, table, most = [], [], 1
    for s in results["statements"]:
        p = s["points"][-1]
        for n, of in (p.get("threads") or {}).items():
            most = max(most, int(n))
            scaled = {w: ratio(p["seconds"][w], of[w]) for w in ("fused", "unfused")}
            table.append([at_text(s, p), n, *(three(v.mid) for v in scaled.values()), range_text(scaled["fused"])])
            if int(n) == results["machine"]["cores"]:
                rows.append((s["name"], list(scaled.items())))
    for name, e in results["examples"].items():
        for n in e.keys() - {"1"}:
            for what, of in e[n]["compared"].items():
                one = e["1"]["compared"].get(what)
                if one:
                    table.append([f"{name}, {what}", n, *(three(one[w]["median"] / of[w]["median"])
                                                          for w in ("fused", "unfused")), "-"])
    if not rows:
        return Section("threads", "Threads", ["This machine has one core: nothing to scale over."])
    chart = charts.both(charts.bars, "Threads", f"time on 1 thread / on {most}", rows,
                        {"fused": "fused", "unfused": "unfused"})
    also = "" if results["quick"] else ", and the examples"
    text = [f"The largest size of each statement{also}. Statements that memory binds on one thread gain "
            "less than those that the arithmetic binds. Neighbours on the machine count here most."]
    return Section("threads", "Thread scaling", text, [(chart, f"Time on one thread over that on {most}; "
                                                               "whiskers: quartiles.")],
                   [Table(["statement", "threads", "fused", "unfused", "fused, quartiles"], table)])
