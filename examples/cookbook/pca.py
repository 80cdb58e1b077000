# SPDX-License-Identifier: BSD-3-Clause
"""Principal components: the directions in which the samples differ most."""
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Finds principal components", size=50000, unit="samples", least=2)
    n, d, k = r.size, 64, 3

    scale = np.array([5, 3, 2], np.float32)
    x = (normal((n, k), 1) * scale) @ normal((k, d), 2) + normal((n, d), 3)

    def components():
        values, vectors = np.linalg.eigh(np.cov(x.T, dtype=np.float32))
        first = vectors[:, ::-1][:, :k]
        return values[::-1][:k] / np.sum(values), (x - np.mean(x, axis=0)) @ first
    share, y = r.best_of(components)

    for i in range(k):
        print(f"component {i + 1}: {100 * share[i]:.6g} % of the variance, at most "
              f"{np.max(np.abs(y[:, i])):.6g}")


main()
