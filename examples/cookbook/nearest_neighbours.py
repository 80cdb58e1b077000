# SPDX-License-Identifier: BSD-3-Clause
"""A point is of the class that most of its five nearest neighbours have."""
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Classifies points", size=5000, unit="known points", least=6)
    n, m, d, classes, k = r.size, 1000, 32, 10, 5

    centres = normal((classes, d), 1)
    labels = np.arange(n) % classes
    known = centres[labels] + normal((n, d), 2)
    truth = np.arange(m) % classes
    x = centres[truth] + normal((m, d), 3)

    def classified():
        squared = (np.sum(np.square(x), axis=1, keepdims=True) +
                   np.sum(np.square(known), axis=1) - 2 * (x @ known.T))
        nearest = np.argpartition(squared, k, axis=1)[:, :k]
        votes = labels[nearest]
        guess = np.argmax(np.sum(votes[:, :, None] == np.arange(classes), axis=1), axis=1)
        return np.mean(np.sqrt(np.take_along_axis(squared, nearest, axis=1)), axis=1), guess
    distance, guess = r.best_of(classified)

    print(f"mean distance: {np.mean(distance):.6g}")
    print(f"right: {np.mean(guess == truth):.6g}")


main()
