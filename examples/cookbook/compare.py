#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times the programs of this folder against their NumPy versions and prints a table.

    cmake --preset release && cmake --build build/release --target felt_cookbook
    examples/cookbook/compare.py [--rounds 5] [NAME...]

Both run in turns, on one thread; the shortest time of all rounds counts. Needs NumPy, whose OpenBLAS
may want OPENBLAS_CORETYPE=SkylakeX to use 512 bits.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ONE_THREAD = {name: "1" for name in ("FELT_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                     "MKL_NUM_THREADS")}


def milliseconds(command):
    said = subprocess.run(command, env={**os.environ, **ONE_THREAD}, check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return float(re.search(r"best of \d+: (\S+) ms", said)[1])


def lines(source):
    """Those that are neither empty nor a comment."""
    text = re.sub(r'""".*?"""', "", source.read_text(), flags=re.DOTALL)
    return len([line for line in text.splitlines() if not re.fullmatch(r"\s*((//|# ).*)?", line)])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("names", nargs="*", metavar="NAME", help="programs; all if left out")
    options.add_argument("--build", default=HERE.parents[1] / "build/release/examples/cookbook",
                         type=pathlib.Path, metavar="DIR", help="folder of the built programs")
    options.add_argument("--rounds", type=int, default=5, metavar="N", help="default 5")
    given = options.parse_args()
    names = given.names or sorted(f.stem for f in HERE.glob("*.cpp") if f.stem != "recipe")

    print("| program | lines | NumPy's | Felt ms | NumPy ms | NumPy / Felt |")
    print("|---|--:|--:|--:|--:|--:|")
    ratios = []
    for name in names:
        felt = numpy = float("inf")
        program = given.build / f"felt_cookbook_{name}"
        if not program.exists():
            sys.exit(f"{program} is not built")
        for _ in range(given.rounds):
            felt = min(felt, milliseconds([program]))
            numpy = min(numpy, milliseconds([sys.executable, "-B", HERE / f"{name}.py"]))
        ratios.append(numpy / felt)
        print(f"| `{name}` | {lines(HERE / f'{name}.cpp')} | {lines(HERE / f'{name}.py')} "
              f"| {felt:.3g} | {numpy:.3g} | {numpy / felt:.2g} |", flush=True)
    print(f"\nThe median of the ratios is {statistics.median(ratios):.2g}.")


main()
