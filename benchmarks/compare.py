#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has a change made anything slower? Two revisions, or folders of built programs, in turns.

    benchmarks/compare.py HEAD~1 HEAD
    benchmarks/compare.py v0.1.0 build/release/benchmarks --filter product
    benchmarks/compare.py OLD NEW --rounds 9 --program products --program packed
    benchmarks/compare.py old/results.json new/results.json        two runs of `./run study`, or of a program
                                                                   with --benchmark_out and repetitions

Files were measured before: the samples of two runs are compared, and a change is beyond the noise where
it is larger than 3 % and than what separates the shortest time from the median. A revision is checked out and built below build/compare/. Every benchmark runs in each round, by OLD
and by NEW, which of them first changes from round to round; the shortest time of all rounds counts.
What looks slower is measured again, as often as before. A change is beyond the noise where it is
larger than 3 % and than what separates the two shortest times of either side. Peers (OpenBLAS,
Eigen ..) are the same program on both sides: how far they seem to differ is printed as the control.

Fails where the geometric mean of OLD / NEW is below 0.99, or one ratio below 0.95 and beyond the noise.
"""
import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
LEAST_MEAN, LEAST_RATIO, LEAST_NOISE = 0.99, 0.95, 0.03
PEERS = {"onednn", "openblas", "eigen", "xtensor", "std", "loop", "numpy", "pytorch", "torch.compile"}
STATEMENT = re.compile(r"^(near|middle|far) +([\d.]+) +([\d.]+) us +[\d.]+ (?:SLOW |WRONG )*(.*)$")


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def call(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True, **options)


def programs_of(what):
    """The folder of the built programs of a revision, or `what` itself."""
    if pathlib.Path(what).is_dir():
        return pathlib.Path(what).resolve()
    found = subprocess.run(["git", "-C", TOP, "rev-parse", "--short", what + "^{commit}"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    sha = found.stdout.strip()
    if not sha:
        sys.exit(f"{what}: neither a folder nor a revision")
    tree = TOP / "build/compare" / sha
    if not tree.exists():
        call("git", "-C", TOP, "worktree", "add", "--quiet", "--detach", tree, sha)
    say(f"Building the benchmarks of {what} ({sha})")
    call("cmake", "--preset", "release", cwd=tree, stdout=subprocess.DEVNULL)
    call("cmake", "--build", "build/release", "--target", "felt_benchmarks", cwd=tree,
         stdout=subprocess.DEVNULL)
    return tree / "build/release/benchmarks"


def measured(program, given):
    """{benchmark: seconds} of one run."""
    if program.name == "felt_bench_fused_never_slower":  # statements, each by a name and a size
        options = ["--all"] + ([f"--benchmark_filter={given.filter}"] if given.filter else [])
        said = subprocess.run([program, *options], text=True, stdout=subprocess.PIPE).stdout
        lines = filter(None, map(STATEMENT.match, said.splitlines()))
        return {f"{m[4]}/{m[1]}": float(m[2]) * 1e-6 for m in lines}
    said = call(program, "--benchmark_format=json", f"--benchmark_min_time={given.seconds}",
                f"--benchmark_filter={given.filter or '.'}", stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL).stdout
    if not said.strip():
        return {}
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
    return {b["name"]: b["cpu_time"] * unit[b["time_unit"]]
            for b in json.loads(said)["benchmarks"] if "error_occurred" not in b}


class Times:
    """The times of one benchmark by both sides: of rounds in turns, or each of one run."""

    def __init__(self, of_one_run=False):
        self.of, self.of_one_run = ([], []), of_one_run

    def ratio(self):
        return min(self.of[0]) / min(self.of[1])

    def noise(self):
        near = statistics.median if self.of_one_run else lambda t: sorted(t)[1]
        spread = [near(t) / min(t) - 1 if len(t) > 1 else math.inf for t in self.of]
        return max(LEAST_NOISE, *spread)

    def differs(self):
        return abs(math.log(self.ratio())) > math.log1p(self.noise())

    def too_slow(self):
        return self.ratio() < LEAST_RATIO and self.differs()


def recorded(file):
    """{benchmark: [seconds]} of a file: of the study, or of Google Benchmark."""
    try:
        of = json.loads(pathlib.Path(file).read_text())
        if "statements" in of:
            return {f"{s['name']}/{p['at']}/{who}": samples for s in of["statements"]
                    for p in s["points"] for who, samples in p["seconds"].items()}
        out, unit = {}, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
        for b in of["benchmarks"]:
            if b.get("run_type", "iteration") == "iteration" and "error_occurred" not in b:
                name = b.get("run_name", b["name"])
                out.setdefault(name, []).append(b["cpu_time"] * unit[b["time_unit"]])
        return out
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{file}: neither results.json of the study nor JSON of Google Benchmark: {error}")


def run_rounds(sides, name, times, given):
    for turn in range(given.rounds):
        for side in ((0, 1), (1, 0))[turn % 2]:
            for benchmark, seconds in measured(sides[side] / name, given).items():
                times.setdefault(benchmark, Times()).of[side].append(seconds)


def take(times, ours, control):
    """Prints what differs, and sorts the rest."""
    for benchmark, t in sorted(times.items()):
        if not all(t.of):
            continue  # on one side only
        peer = benchmark.rsplit("/", 1)[-1].lower() in PEERS
        (control if peer else ours).append(t)
        if not peer and t.differs():
            print(f"| {benchmark} | {min(t.of[0]) * 1e6:.1f} | {min(t.of[1]) * 1e6:.1f} | "
                  f"{t.ratio():.3f}{' SLOWER' if t.too_slow() else ''} | {t.noise():.3f} |",
                  flush=True)


def measure_both(given, ours, control):
    sides = [programs_of(given.old), programs_of(given.new)]
    found = [{p.name for p in side.glob("felt_bench_*") if p.is_file()} for side in sides]
    names = sorted((found[0] & found[1]) - {"felt_bench_sums"})  # that one is for mpirun
    if given.program:
        names = [n for n in names if n.removeprefix("felt_bench_") in given.program]
    if not names:
        sys.exit(f"no program of that name in both {sides[0]} and {sides[1]}")
    for name in names:
        say(f"{name}: {given.rounds} rounds of both")
        times = {}
        run_rounds(sides, name, times, given)
        if any(t.too_slow() for t in times.values() if all(t.of)):
            say(f"{name}: again, something looks slower")
            run_rounds(sides, name, times, given)
        take(times, ours, control)


def conclude(ours, control):
    if not ours:
        sys.exit("no benchmark of that name")
    mean = statistics.geometric_mean(t.ratio() for t in ours)
    slower = sum(t.too_slow() for t in ours)
    print(f"\n{len(ours)} benchmarks, {sum(t.differs() for t in ours)} differ beyond the noise (above); "
          f"old / new in the geometric mean {mean:.3f}, least {min(t.ratio() for t in ours):.3f}; "
          f"{slower} slower than {LEAST_RATIO}.")
    if control:
        ratios = [t.ratio() for t in control]
        print(f"Control: {len(control)} of peers, mean {statistics.geometric_mean(ratios):.3f}, "
              f"{min(ratios):.3f} to {max(ratios):.3f}.")
    sys.exit(mean < LEAST_MEAN or slower > 0)


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("old", metavar="OLD", help="a revision, a folder of built programs, or a file")
    options.add_argument("new", metavar="NEW", help="the same")
    options.add_argument("--rounds", type=int, default=5, metavar="N", help="default 5")
    options.add_argument("--seconds", type=float, default=0.05, metavar="S",
                         help="least time of each measurement, default 0.05")
    options.add_argument("--filter", metavar="PART", help="benchmarks of such a name")
    options.add_argument("--program", action="append", metavar="NAME",
                         help="this program only; may be given several times")
    given = options.parse_args()
    print("| benchmark | old us | new us | old / new | noise |\n|---|--:|--:|--:|--:|")
    ours, control = [], []
    files = [pathlib.Path(side).is_file() for side in (given.old, given.new)]
    if any(files):
        if not all(files):
            sys.exit("one is a file and the other is not: measure both, or name two files")
        times = {}
        for side, file in enumerate((given.old, given.new)):
            for benchmark, samples in recorded(file).items():
                if re.search(given.filter or ".", benchmark):
                    times.setdefault(benchmark, Times(of_one_run=True)).of[side].extend(samples)
        take(times, ours, control)
    else:
        measure_both(given, ours, control)
    conclude(ours, control)


main()
