# SPDX-License-Identifier: BSD-3-Clause
"""The heat equation du/dt = u_xx + u_yy on a square plate whose edges are cold, by Euler's steps."""
from recipe import Recipe, np


def main():
    r = Recipe(does="Warms a plate", size=1000, unit="rows", least=4, draws=True)
    n = r.size

    first = np.zeros((n, n), np.float32)
    first[n // 4:n // 2, n // 4:n // 2] = 1

    def steps():
        u, next = first.copy(), first.copy()
        for _ in range(100):
            around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            next[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.2 * (around - 4 * u[1:-1, 1:-1])
            u, next = next, u
        return u
    u = r.best_of(steps)

    print(f"heat left: {np.sum(u) / np.sum(first):.6g}")
    print(f"in the middle: {u[n // 2, n // 2]:.6g}")
    r.draw(u)


main()
