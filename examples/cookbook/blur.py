# SPDX-License-Identifier: BSD-3-Clause
"""A Gaussian blur: weighted means down the columns of a picture, then along its rows."""
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Blurs a picture", size=2048, unit="rows", draws=True)
    n, reach = r.size, 6
    k = 2 * reach + 1
    sigma = 2

    # A board of squares, in noise.
    square_of = np.arange(n) // 64
    x = ((square_of + square_of[:, None]) % 2 + np.float32(0.2) * normal((n, n), 1)).astype("f4")

    w = np.exp(-np.square((np.arange(k, dtype=np.float32) - reach) / sigma) / 2)
    w /= np.sum(w)

    def blurred():
        tall = np.pad(x, ((reach, reach), (0, 0)), mode="edge")
        down = sum(w[p] * tall[p:p + n] for p in range(k))
        wide = np.pad(down, ((0, 0), (reach, reach)), mode="edge")
        return sum(w[q] * wide[:, q:q + n] for q in range(k))
    y = r.best_of(blurred)

    print(f"deviation: {np.std(x):.6g}, after: {np.std(y):.6g}")
    print(f"lightest: {np.max(y):.6g}")
    r.draw(y)


main()
