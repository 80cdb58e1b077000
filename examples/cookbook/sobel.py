# SPDX-License-Identifier: BSD-3-Clause
"""Edges of a picture: the length of its gradient, by Sobel's two filters."""
from recipe import Recipe, np


def main():
    r = Recipe(does="Finds edges", size=2048, unit="rows", draws=True)
    n = r.size

    # Rings, the finer the farther from the corner.
    i = np.arange(n, dtype=np.float32) / np.sqrt(np.float32(n))
    x = 0.5 + 0.5 * np.cos(np.square(i) + np.square(i[:, None]))

    def filtered():
        wide = np.pad(x, ((1, 1), (1, 1)), mode="edge")

        def at(p, q):
            return wide[1 + p:1 + p + n, 1 + q:1 + q + n]
        down = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
        right = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
        return np.sqrt(np.square(down) + np.square(right)) / 4
    edges = r.best_of(filtered)

    print(f"mean: {np.mean(edges):.6g}")
    print(f"steep: {np.mean(edges > 0.5):.6g}")
    r.draw(edges)


main()
