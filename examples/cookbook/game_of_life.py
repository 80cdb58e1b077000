# SPDX-License-Identifier: BSD-3-Clause
"""Conway's game of life on a torus: a cell lives on with two or three neighbours, and is born of
three."""
from recipe import Recipe, np, uniform


def main():
    r = Recipe(does="Lets cells live", size=1024, unit="rows", draws=True)

    first = (uniform((r.size, r.size), 1) < 0.3).astype(np.uint8)

    def generations():
        cells = first.copy()
        for _ in range(100):
            row = np.roll(cells, 1, axis=1) + cells + np.roll(cells, -1, axis=1)
            nine = np.roll(row, 1, axis=0) + row + np.roll(row, -1, axis=0)
            cells = ((nine == 3) | ((nine == 4) & (cells == 1))).astype(np.uint8)
        return cells
    cells = r.best_of(generations)

    print(f"cells alive: {np.sum(cells)}")
    print(f"in the first row: {np.sum(cells[0, :])}")
    r.draw(cells.astype(np.float32))


main()
