# SPDX-License-Identifier: BSD-3-Clause
"""An autoencoder by Gauss-Newton: steps by conjugate gradients, the Jacobian's products by hand."""
from recipe import Recipe, normal, np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def dot(p, q):
    return np.sum(p[0] * q[0]) + np.sum(p[1] * q[1])


def main():
    r = Recipe(does="Fits an autoencoder", size=400, unit="samples")
    n, visible, hidden = r.size, 32, 8

    x = sigmoid((normal((visible, hidden), 1) @ normal((hidden, n), 2)).astype(np.float64))

    def fit():
        W1 = 0.3 * normal((hidden, visible), 3).astype(np.float64)
        W2 = 0.3 * normal((visible, hidden), 4).astype(np.float64)
        for _ in range(15):
            h = sigmoid(W1 @ x)
            y = sigmoid(W2 @ h)

            def pulled(u):  # J' u
                dz2 = u * y * (1 - y)
                dz1 = (W2.T @ dz2) * h * (1 - h)
                return dz1 @ x.T, dz2 @ h.T

            def pushed(v):  # J v
                return ((v[1] @ h) + W2 @ ((v[0] @ x) * h * (1 - h))) * y * (1 - y)

            residual = pulled(x - y)
            d = np.zeros_like(W1), np.zeros_like(W2)
            p, squares = residual, dot(residual, residual)
            for _ in range(20):
                q = tuple(a + b for a, b in zip(pulled(pushed(p)), p))  # damping 1
                alpha = squares / dot(p, q)
                d = tuple(a + alpha * b for a, b in zip(d, p))
                residual = tuple(a - alpha * b for a, b in zip(residual, q))
                now = dot(residual, residual)
                p = tuple(a + now / squares * b for a, b in zip(residual, p))
                squares = now
            W1, W2 = W1 + d[0], W2 + d[1]
        return np.mean((sigmoid(W2 @ sigmoid(W1 @ x)) - x)**2)
    after = r.best_of(fit)
    print(f"loss of halves: {np.mean((x - 0.5)**2):.6g}")
    print(f"loss after 15 steps: {after:.6g}")


main()
