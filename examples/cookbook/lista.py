# SPDX-License-Identifier: BSD-3-Clause
"""LISTA: sparse codes by a few layers of ISTA, whose matrices are learned; the gradient by hand."""
from recipe import Recipe, normal, np, uniform


def main():
    r = Recipe(does="Learns to encode", size=500, unit="signals")
    n, pixels, atoms, layers = r.size, 64, 128, 3

    D = normal((pixels, atoms), 1) / 8
    is_active = uniform((atoms, n), 2) < 0.05
    codes = np.where(is_active, normal((atoms, n), 3), 0).astype(np.float32)
    x = D @ codes

    def step(W, S, T):
        b = W @ x
        z = [np.zeros((atoms, n), np.float32)]
        for _ in range(layers):
            u = b + S @ z[-1]
            z.append(np.sign(u) * np.maximum(np.abs(u) - T[:, None], 0))
        apart = z[-1] - codes
        dz, db, dS, dT = apart / n, 0, 0, 0
        for k in range(layers, 0, -1):
            du = np.where(z[k] != 0, dz, 0)
            db, dS = db + du, dS + du @ z[k - 1].T
            dT = dT - (np.sign(z[k]) * dz).sum(1)
            dz = S.T @ du
        return np.sum(apart**2) / (2 * n), db @ x.T, dS, dT

    def learn():
        W = np.float32(0.2) * D.T  # ISTA's own
        S = np.eye(atoms, dtype=np.float32) - np.float32(0.2) * (D.T @ D)
        T = np.full(atoms, 0.02, np.float32)
        untrained, dW, dS, dT = step(W, S, T)
        rate = np.float32(0.1)
        for _ in range(50):
            W, S, T = W - rate * dW, S - rate * dS, np.maximum(T - rate * dT, 0)
            trained, dW, dS, dT = step(W, S, T)
        return untrained, trained
    untrained, trained = r.best_of(learn)

    print(f"loss of ISTA: {untrained:.6g}")
    print(f"loss of LISTA: {trained:.6g}")


main()
