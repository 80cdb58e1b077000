# SPDX-License-Identifier: BSD-3-Clause
"""Attention: softmax(q k^T / sqrt(d)) v for each head."""
from recipe import Recipe, normal, np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def main():
    r = Recipe(does="Attends to a text", size=1024, unit="tokens")
    heads, n, d = 8, r.size, 64

    q = normal((heads, n, d), 1)
    k = normal((heads, n, d), 2)
    v = normal((heads, n, d), 3)

    def attended():
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(np.float32(d))
        return softmax(scores) @ v
    y = r.best_of(attended)

    print(f"y(0, 0, 0): {y[0, 0, 0]:.6g}")
    print(f"mean of squares: {np.mean(np.square(y)):.6g}")


main()
