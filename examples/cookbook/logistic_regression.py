# SPDX-License-Identifier: BSD-3-Clause
"""Logistic regression by gradient descent, the gradient written by hand."""
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Learns to tell two classes", size=20000, unit="samples")
    n, d = r.size, 100

    truth = normal((d,), 1)
    x = normal((n, d), 2)
    y = (x @ truth + 5 * normal((n,), 3) > 0).astype(np.float32)

    def descent():
        w = np.zeros(d, np.float32)
        for _ in range(100):
            p = 1 / (1 + np.exp(-(x @ w)))
            w -= 0.5 / n * ((p - y) @ x)
        return w
    w = r.best_of(descent)

    z = x @ w
    print(f"loss: {np.mean(np.logaddexp(0, z) - y * z):.6g}")
    print(f"right: {np.mean((z > 0) == (y > 0.5)):.6g}")


main()
