#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's L-BFGS-B on the sparse autoencoder of this example, from the same starting point.

    J = 1/2m sum |x - a3|^2 + lambda/2 (|W1|^2 + |W2|^2)
        + beta sum_j [rho log(rho / r_j) + (1 - rho) log((1 - rho) / (1 - r_j))]
    a2 = sigmoid(W1 x + b1),  a3 = sigmoid(W2 a2 + b2),  r = mean of a2 over the m samples

The .npz file holds the initial values W1 (hidden x visible), W2 (visible x hidden), b1, b2, the
data x (visible x samples), rho, lambda, beta, and of Felt's run the number of iterations and the
cost it reached. Prints both costs and their ratio; the status is 1 if they differ by over 1 %.
Needs NumPy and SciPy (Debian: python3-scipy).
"""
import argparse
import sys
import time

import numpy as np
from scipy.optimize import fmin_l_bfgs_b
from scipy.special import expit

NAMES = ("W1", "W2", "b1", "b2")


def pack(arrays):
    return np.concatenate([a.ravel() for a in arrays])


def unpack(theta, shapes):
    ends = np.cumsum([int(np.prod(s)) for s in shapes])
    return [part.reshape(s) for part, s in zip(np.split(theta, ends[:-1]), shapes)]


def cost_and_gradient(theta, shapes, x, rho, decay, beta):
    W1, W2, b1, b2 = unpack(theta, shapes)
    m = x.shape[1]
    a2 = expit(W1 @ x + b1[:, None])
    a3 = expit(W2 @ a2 + b2[:, None])
    r = a2.mean(axis=1)
    cost = (
        0.5 / m * np.sum((x - a3) ** 2)
        + 0.5 * decay * (np.sum(W1**2) + np.sum(W2**2))
        + beta * np.sum(rho * np.log(rho / r) + (1 - rho) * np.log((1 - rho) / (1 - r)))
    )
    d3 = (a3 - x) * a3 * (1 - a3)
    sparsity = beta * ((1 - rho) / (1 - r) - rho / r)
    d2 = (W2.T @ d3 + sparsity[:, None]) * a2 * (1 - a2)
    gradient = (d2 @ x.T / m + decay * W1, d3 @ a2.T / m + decay * W2, d2.mean(1), d3.mean(1))
    return cost, pack(gradient)


def load(file):
    with np.load(file) as f:
        missing = [n for n in NAMES + ("x", "rho", "lambda", "beta", "iterations", "cost")
                   if n not in f]
        if missing:
            sys.exit(f"{file}: no {', '.join(missing)}")
        start = [f[n].astype(np.float64) for n in NAMES[:2]]
        start += [f[n].astype(np.float64).ravel() for n in NAMES[2:]]
        settings = (float(f["rho"]), float(f["lambda"]), float(f["beta"]))
        return start, f["x"].astype(np.float64), settings, int(f["iterations"]), float(f["cost"])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("file", help="the .npz that the example wrote")
    options.add_argument("--corrections", type=int, default=100, metavar="M",
                         help="pairs of differences kept, as in the example (default 100)")
    options.add_argument("--tolerance", type=float, default=0.01, help="default 0.01")
    chosen = options.parse_args()

    start, x, settings, iterations, cost = load(chosen.file)
    shapes = [a.shape for a in start]
    begin = time.perf_counter()
    _, reference, info = fmin_l_bfgs_b(
        cost_and_gradient, pack(start), args=(shapes, x, *settings), m=chosen.corrections,
        maxiter=iterations, maxfun=100 * iterations, factr=0, pgtol=0)
    seconds = time.perf_counter() - begin

    ratio = cost / reference
    first = cost_and_gradient(pack(start), shapes, x, *settings)[0]
    print(f"{shapes[0][1]}-{shapes[0][0]}-{shapes[0][1]} on {x.shape[1]} samples")
    print(f"cost at the start          {first:.9g}")
    print(f"SciPy after {info['nit']:4d} iterations {reference:.9g}   "
          f"({info['funcalls']} evaluations, {seconds:.1f} s)")
    print(f"Felt  after {iterations:4d} iterations {cost:.9g}   ratio {ratio:.6f}")
    if info["nit"] < iterations:
        print("SciPy found no further descent and stopped early")
    return 0 if abs(ratio - 1) <= chosen.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
