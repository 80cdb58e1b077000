# SPDX-License-Identifier: BSD-3-Clause
"""Images of 8 bits by weights of 8 bits: sums of 32 bits, which are scaled, clipped and rounded to
8 bits again. NumPy multiplies integers without a BLAS; floats hold these sums exactly."""
from recipe import Recipe, normal, np, uniform


def main():
    r = Recipe(does="Encodes images", size=20000, unit="images")
    n, pixels, features = r.size, 16 * 16, 128

    x = (256 * uniform((n, pixels), 1)).astype(np.uint8)
    w = np.round(40 * normal((pixels, features), 2)).astype(np.int8)
    bias = (100 * np.arange(features)).astype(np.int32)

    def encoded():
        sums = x.astype(np.float32) @ w.astype(np.float32) + bias.astype(np.float32)
        return np.round(np.clip(sums / 1024, 0, 255)).astype(np.uint8)
    y = r.best_of(encoded)

    print(f"mean: {np.mean(y):.6g}")
    print(f"dark: {np.mean(y == 0):.6g}")


main()
