# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that attract each other: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + e)^(3/2), in steps
of the symplectic Euler method."""
from recipe import Recipe, normal, np, uniform


def main():
    r = Recipe(does="Moves bodies", size=1000, unit="bodies")
    n = r.size
    softening, dt = 0.01, 0.01

    first = normal((3, n), 1)
    m = (0.5 + uniform((n,), 2)) / n

    def steps():
        x, v = first.copy(), np.zeros((3, n), np.float32)
        for _ in range(10):
            d = x[:, None, :] - x[:, :, None]  # d[c, i, j]: from i to j
            s = np.sum(np.square(d), axis=0) + softening
            v += dt * np.sum(d * (m / (s * np.sqrt(s))), axis=2)
            x += dt * v
        return x, v
    x, v = r.best_of(steps)

    print(f"kinetic energy: {np.sum(m * np.sum(np.square(v), axis=0)) / 2:.6g}")
    print(f"largest distance: {np.max(np.linalg.norm(x, axis=0)):.6g}")


main()
