# SPDX-License-Identifier: BSD-3-Clause
"""A non-negative matrix as a product of two: V ~ W H, by multiplicative updates. (Lee and Seung,
"Algorithms for non-negative matrix factorization", 2001.)"""
from recipe import Recipe, np, uniform


def main():
    r = Recipe(does="Factors a matrix", size=2000, unit="rows")
    n, m, k = r.size, 500, 20

    parts = uniform((n, k), 1) @ uniform((k, m), 2)
    V = parts + uniform((n, m), 3)

    def updates():
        W, H = uniform((n, k), 4), uniform((k, m), 5)
        for _ in range(50):
            H *= (W.T @ V) / ((W.T @ W) @ H)
            W *= (V @ H.T) / (W @ (H @ H.T))
        return W, H
    W, H = r.best_of(updates)

    print(f"rest: {np.linalg.norm(V - W @ H) / np.linalg.norm(V):.6g}")
    print(f"least: {np.min(W @ H):.6g}")


main()
