# SPDX-License-Identifier: BSD-3-Clause
"""The Mandelbrot set: for how many steps z = z^2 + c stays within 2 of 0."""
from recipe import Recipe, np


# For c = a + b i.
def escape(a, b):
    x = y = steps = np.float32(0)
    for _ in range(50):
        near = x * x + y * y <= 4
        real, imaginary = x * x - y * y + a, 2 * x * y + b
        x = np.where(near, real, x)
        y = np.where(near, imaginary, y)
        steps = steps + near.astype(np.float32)
    return steps


def main():
    r = Recipe(does="Draws the Mandelbrot set", size=1000, unit="rows", draws=True)
    n = r.size

    a, b = np.linspace(-2, 0.6, n, dtype=np.float32), np.linspace(-1.3, 1.3, n, dtype=np.float32)

    def iterated():
        return escape(a, b[:, None])
    steps = r.best_of(iterated)

    print(f"mean of steps: {np.mean(steps):.6g}")
    print(f"in the set: {np.mean(steps == 50):.6g}")
    r.draw(steps / 50)


main()
