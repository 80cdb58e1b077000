#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""FISTA of this example in NumPy, the same steps on the same numbers.

    y = s + (t_prev - 1) / t (s - s_prev)
    s = soft_threshold(y - (W'W y - W'x) / L, lambda / L)

The .npz file (felt_fista --reference) holds the dictionary W (signal x atoms), the samples x
(signal x samples), lambda, L, the number of steps, and of Felt's run the objective that it reached
and its seconds. Prints both objectives, times and their ratios; the status is 1 if the objectives
differ by over 0.01 %. In float32, on one thread of the BLAS that NumPy has; an older OpenBLAS
wants OPENBLAS_CORETYPE=SkylakeX to use 512 bits. Needs NumPy (Debian: python3-numpy).
"""
import argparse
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # read when NumPy is loaded

import numpy as np  # noqa: E402

NAMES = ("W", "x", "lambda", "lipschitz", "steps", "objective", "seconds", "seconds_by_columns")


def soft_threshold(x, by):
    return np.sign(x) * np.maximum(np.abs(x) - by, 0)


def fista(G, c, weight, L, steps):
    s = np.zeros_like(c)
    before = s
    t = t_before = 1.0
    for _ in range(steps):
        y = s + np.float32((t_before - 1) / t) * (s - before)
        g = G @ y - c
        before, s = s, soft_threshold(y - g / np.float32(L), np.float32(weight / L))
        t_before, t = t, (1 + np.sqrt(1 + 4 * t * t)) / 2
    return s


def objective(W, x, s, weight):
    r = W.astype(np.float64) @ s - x
    return 0.5 * np.sum(r * r) + weight * np.sum(np.abs(s), dtype=np.float64)


def load(file):
    with np.load(file) as f:
        missing = [n for n in NAMES if n not in f]
        if missing:
            sys.exit(f"{file}: no {', '.join(missing)}")
        return [f[n] if f[n].ndim == 2 else f[n].item() for n in NAMES]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("file", help="the .npz that the example wrote")
    options.add_argument("--times", type=int, default=3, metavar="N",
                         help="runs, of which the fastest counts (default 3)")
    options.add_argument("--tolerance", type=float, default=1e-4, help="default 1e-4")
    chosen = options.parse_args()

    W, x, weight, L, steps, reached, felt, felt_by_columns = load(chosen.file)
    G, c = W.T @ W, W.T @ x
    seconds = float("inf")
    for _ in range(chosen.times):
        begin = time.perf_counter()
        s = fista(G, c, weight, L, steps)
        seconds = min(seconds, time.perf_counter() - begin)
    reference = objective(W, x, s, weight)
    ratio = reached / reference
    print(f"{steps} steps of FISTA, {W.shape[1]} atoms of {W.shape[0]}, {x.shape[1]} samples")
    print(f"objective  NumPy {reference:.9g}   Felt {reached:.9g}   ratio {ratio:.7f}")
    print(f"seconds    NumPy {seconds:.3f}   Felt {felt:.3f}, by columns {felt_by_columns:.3f}   "
          f"ratio {seconds / felt:.2f}, by columns {seconds / felt_by_columns:.2f}")
    return 0 if abs(ratio - 1) <= chosen.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
