#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has a change made anything slower? Two revisions, or folders of built programs, in turns.

    benchmarks/compare.py HEAD~1 HEAD
    benchmarks/compare.py v0.1.0 build/release/benchmarks --filter product
    benchmarks/compare.py OLD NEW --rounds 9 --program products --program packed

A revision is checked out and built below build/compare/. Every benchmark runs in each round, by OLD
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
PEERS = {"onednn", "openblas", "eigen", "xtensor", "std", "loop"}
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
    """The times of one benchmark by both sides."""

    def __init__(self):
        self.of = ([], [])

    def ratio(self):
        return min(self.of[0]) / min(self.of[1])

    def noise(self):
        spread = [sorted(t)[1] / min(t) - 1 if len(t) > 1 else math.inf for t in self.of]
        return max(LEAST_NOISE, *spread)

    def differs(self):
        return abs(math.log(self.ratio())) > math.log1p(self.noise())

    def too_slow(self):
        return self.ratio() < LEAST_RATIO and self.differs()


def run_rounds(sides, name, times, given):
    for turn in range(given.rounds):
        for side in ((0, 1), (1, 0))[turn % 2]:
            for benchmark, seconds in measured(sides[side] / name, given).items():
                times.setdefault(benchmark, Times()).of[side].append(seconds)


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("old", metavar="OLD", help="a revision, or a folder of built programs")
    options.add_argument("new", metavar="NEW", help="the same")
    options.add_argument("--rounds", type=int, default=5, metavar="N", help="default 5")
    options.add_argument("--seconds", type=float, default=0.05, metavar="S",
                         help="least time of each measurement, default 0.05")
    options.add_argument("--filter", metavar="PART", help="benchmarks of such a name")
    options.add_argument("--program", action="append", metavar="NAME",
                         help="this program only; may be given several times")
    given = options.parse_args()
    sides = [programs_of(given.old), programs_of(given.new)]
    found = [{p.name for p in side.glob("felt_bench_*") if p.is_file()} for side in sides]
    names = sorted((found[0] & found[1]) - {"felt_bench_sums"})  # that one is for mpirun
    if given.program:
        names = [n for n in names if n.removeprefix("felt_bench_") in given.program]
    if not names:
        sys.exit(f"no program of that name in both {sides[0]} and {sides[1]}")

    ours, control = [], []
    print("| benchmark | old us | new us | old / new | noise |\n|---|--:|--:|--:|--:|")
    for name in names:
        say(f"{name}: {given.rounds} rounds of both")
        times = {}
        run_rounds(sides, name, times, given)
        if any(t.too_slow() for t in times.values() if all(t.of)):
            say(f"{name}: again, something looks slower")
            run_rounds(sides, name, times, given)
        for benchmark, t in sorted(times.items()):
            if not all(t.of):
                continue  # on one side only
            peer = benchmark.rsplit("/", 1)[-1] in PEERS
            (control if peer else ours).append(t)
            if not peer and t.differs():
                print(f"| {benchmark} | {min(t.of[0]) * 1e6:.1f} | {min(t.of[1]) * 1e6:.1f} | "
                      f"{t.ratio():.3f}{' SLOWER' if t.too_slow() else ''} | {t.noise():.3f} |",
                      flush=True)
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


main()
