# SPDX-License-Identifier: BSD-3-Clause
"""The sections about whole programs: the examples, shares of operations, planning, compile times."""
import charts
from section import Section, Table
from stats import per_cent, range_text, seconds_text, spread, three

ABOUT = {"ae": "sparse autoencoder, cost and gradient", "cnn": "convolutional network, a batch",
         "fista": "sparse coding", "lstm": "recurrent network", "resnet": "residual network"}
PAPER = ("\"Deep Learning Benchmarks\" by M. Vauhkonen, Q. Vohra and S. Madaan, with A. Coates; shares as its "
         "figures 4 and 7 give them, for NumPy and for Theano on a GPU")


def examples(results):
    rows, table = [], []
    for name, e in results["examples"].items():
        for what, of in e["1"]["compared"].items():
            middle = of["unfused"]["median"] / of["fused"]["median"]
            best = of["unfused"]["best"] / of["fused"]["best"]
            s = spread([min(middle, best), middle, max(middle, best)])
            label = f"{name}, {what}" if len(e["1"]["compared"]) > 1 else name
            entries = [("unfused", type(s)(min(middle, best), middle, max(middle, best)))]
            peer = results.get("peer_steps", {}).get(name, {}).get("PyTorch")
            first = what == next(iter(e["1"]["compared"]))
            if peer and first:
                p = spread(peer)
                entries.append(("p5", type(p)(*(1e3 * v / of["fused"]["median"] for v in p))))
            rows.append((label, entries))
            table.append([f"{name}, {what}", *(three(of[w][k]) for w in ("fused", "unfused")
                                               for k in ("median", "best")), three(middle),
                          three(1e3 * spread(peer).mid) if peer and first else "-"])
    if not rows:
        return Section("examples", "The examples", ["No example was built."])
    chart = charts.both(charts.bars, "Examples", "their time / fused time (logarithmic)", rows,
                        {"unfused": "unfused", "p5": "PyTorch"})
    text = ["A training step, or what else the example does over and over, on generated data, one thread: "
            + "; ".join(f"{k}: {ABOUT[k]}" for k in results["examples"]) + ". They are compared in turns by the "
            "examples themselves, after both gave the same result. PyTorch computes cost and gradient of the same "
            "networks, eagerly and without the optimiser, and a step of FISTA, in a process of its own."]
    return Section("examples", "The five examples", text,
                   [(chart, "Ratios of median times; a whisker ends at the ratio of the best times (Felt), or at "
                            "quartiles (PyTorch).")],
                   [Table(["example, step", "fused ms, median", "best", "unfused ms, median", "best",
                           "unfused / fused", "PyTorch ms"], table)])


def fewer(parts, most):
    """The largest, and all others as one."""
    if len(parts) <= most:
        return parts
    kept = sorted(parts, key=lambda part: -part[1])[:most - 1]
    rest = [part for part in parts if part not in kept]
    return [part for part in parts if part in kept] + [(f"{len(rest)} others", sum(s for _, s in rest))]


def shares(results):
    figures, table = [], []
    for name, e in results["examples"].items():
        rows = []
        for profile in e["1"]["profiles"]:
            parts = [(o, s) for o, (_, s) in profile["shares"].items()]
            rows.append((profile["of"], fewer(parts, 4 if profile["of"].startswith("fused") else 6)))
            for k, who in enumerate(("published, NumPy", "published, GPU")):
                of = [(o, s[k]) for o, s in profile.get("published", {}).items() if s[k] is not None]
                if of:
                    rows.append((who, of))
            for o, (ms, share) in profile["shares"].items():
                published = profile.get("published", {}).get(o, [None, None])
                table.append([f"{name}, {profile['of'].split(',')[0]}: {o}", three(ms), three(share),
                              *("-" if p is None else three(p) for p in published)])
        if rows:
            order = sorted(rows, key=lambda r: (r[0].startswith("fused"), r[0].startswith("published")))
            figures.append((charts.both(charts.shares, f"Shares of {name}", order),
                            f"{name}: {ABOUT[name]}, share of time in per cent."))
    text = ["Unfused, each operation can be timed by itself. Fused, what runs in one pass cannot be taken apart: "
            "the parts are its stages or blocks. Means of repeated steps over about a second, one thread. "
            f"Published: {PAPER}; they count softmax as other."]
    return Section("shares", "Where the time goes: shares of operations", text, figures,
                   [Table(["example, way: operation", "ms", "share %", "published, NumPy %", "published, GPU %"],
                          table)])


def planning(results):
    kinds = {"new": "tensors lie elsewhere", "again": "found by description", "same": "the same statement"}
    by_name, table = {}, []
    for key, samples in results["planning"].items():
        name, _, kind = key.rpartition("/")
        by_name.setdefault(name, []).append((kind, spread(samples)))
        s = spread(samples)
        table.append([f"{name}, {kinds.get(kind, kind)}", seconds_text(s.mid), per_cent(s)])
    small = []
    for s in results["statements"]:
        p = s["points"][0]
        plan, fused = spread(p["planning"]), spread(p["seconds"]["fused"])
        small.append([f"{s['name']}, {p['at']} {s['axis']}", seconds_text(plan.mid), seconds_text(fused.mid),
                      f"{100 * plan.mid / fused.mid:.0f} %"])
    text = ["How long it takes to decide how a statement runs: where its tensors lie elsewhere than ever before, "
            "where a plan of such a statement is known and found by its description, and where the statement "
            "itself runs again. It is a function of the statement, not of the size of its tensors."]
    figures = []
    if by_name:
        rows = [(n, [(k, type(s)(*(1e6 * v for v in s))) for k, s in e]) for n, e in by_name.items()]
        chart = charts.both(charts.bars, "Planning", "microseconds of the processor (logarithmic)", rows, kinds, base=None)
        figures = [(chart, "Medians of 5 repetitions, whiskers: quartiles.")]
    return Section("planning", "Planning time", text, figures,
                   [Table(["statement, its plan", "time", "spread"], table),
                    Table(["at the smallest size", "the plan is found in", "whole fused run", "of it"], small)])


def compiling(results):
    entries = {k: spread(v) for k, v in results["compile"].items()}
    text = ["Seconds of the processor for a source of one statement with -O3 for this machine, by "
            "benchmarks/compile_time.sh; 'compiled': linked with felt::compiled, which a build compiles once. "
            "Peers: the same with their headers, where they are found."]
    if not entries:
        return Section("compile", "Compile times", text + ["Not measured in this run."])
    chart = charts.both(charts.bars, "Compile times", "seconds",
                        [(k, [("fused" if "eigen" not in k and "xtensor" not in k else "p0", s)])
                         for k, s in entries.items()], {"fused": "Felt", "p0": "peers"}, log=False)
    return Section("compile", "Compile times", text, [(chart, "Median of the rounds, whiskers: quartiles.")],
                   [Table(["program", "s", "quartiles"], [[k, three(s.mid), range_text(s)]
                                                          for k, s in entries.items()])])
