# SPDX-License-Identifier: BSD-3-Clause
"""k-means: each point goes to the nearest centre, each centre to the mean of its points (Lloyd)."""
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Groups points", size=100000, unit="points", least=32)
    n, d, k = r.size, 16, 32

    truth = 2 * normal((k, d), 1)
    x = truth[np.arange(n) % k] + normal((n, d), 2)

    def steps():
        centres = x[:k].copy()
        for _ in range(10):
            # |x - c|^2 less |x|^2, which all centres have in common.
            nearest = np.argmin(np.sum(np.square(centres), axis=1) - 2 * (x @ centres.T), axis=1)
            centres = np.zeros_like(centres)
            np.add.at(centres, nearest, x)
            centres /= np.bincount(nearest, minlength=k)[:, None]
        return centres, nearest
    centres, nearest = r.best_of(steps)

    distance = np.mean(np.linalg.norm(x - centres[nearest], axis=1))
    print(f"distance to the centre: {distance:.6g}")
    print(f"largest group: {np.max(np.bincount(nearest, minlength=k))}")


main()
