# SPDX-License-Identifier: BSD-3-Clause
"""A picture whose shades are made equally frequent: a histogram, its running sum, and a look-up of
every pixel in it."""
from recipe import Recipe, np, uniform


def main():
    r = Recipe(does="Evens out shades", size=2048, unit="rows", draws=True)
    n, shades = r.size, 256

    # Dark, with a bright middle.
    i = (np.arange(n, dtype=np.float32) + np.float32(0.5)) / n - np.float32(0.5)
    light = np.exp(-8 * (np.square(i) + np.square(i[:, None])))
    x = (200 * light * (0.5 + 0.5 * uniform((n, n), 1))).astype(np.uint8)

    def equalised():
        count = np.bincount(x.ravel(), minlength=shades)
        below = (np.cumsum(count) / (n * n)).astype(np.float32)
        return below[x]
    y = r.best_of(equalised)

    print(f"mean: {np.mean(x) / 255:.6g}, after: {np.mean(y):.6g}")
    print(f"darker than half: {np.mean(y < 0.5):.6g}")
    r.draw(y)


main()
