# SPDX-License-Identifier: BSD-3-Clause
"""Where a patch is found in a picture: at the largest normalised correlation with what lies under
it, summed directly, without Fourier transforms."""
from recipe import Recipe, normal, np
from numpy.lib.stride_tricks import sliding_window_view


def main():
    r = Recipe(does="Finds a patch", size=512, unit="rows", least=64, draws=True)
    n, k = r.size, 16
    row, column = n // 3, n // 2

    x = normal((n, n), 1)
    part = x[row:row + k, column:column + k]
    patch = part + np.float32(0.5) * normal((k, k), 2)

    def found():
        def under(picture):
            return sliding_window_view(picture, (k, k))
        likeness = np.einsum("ijpq,pq->ij", under(x), patch)
        energy = np.einsum("ijpq->ij", under(np.square(x)))
        score = likeness / np.sqrt(energy * np.sum(np.square(patch)))
        return score, np.argmax(score)
    score, best = r.best_of(found)

    across = score.shape[1]
    print(f"found at: {best // across} {best % across}, there: {row} {column}")
    print(f"score: {np.max(score):.6g}, of others: {np.std(score):.6g}")
    r.draw(score)


main()
