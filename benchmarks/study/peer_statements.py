# SPDX-License-Identifier: BSD-3-Clause
"""The study's statements as people write them in NumPy and PyTorch."""
try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
    import torch.nn.functional as F
except ImportError:
    torch = F = None


def drawn(*shape):
    return np.random.default_rng(1).standard_normal(shape, dtype=np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def shrunk(z, by):
    return np.sign(z) * np.maximum(np.abs(z) - by, 0)


def gates(z, c):
    i, f, g, o = np.split(z, 4, axis=1)
    return sigmoid(o) * np.tanh(sigmoid(f) * c + sigmoid(i) * np.tanh(g))


def torch_gates(x, w, c):
    i, f, g, o = (x @ w).chunk(4, 1)
    return o.sigmoid() * (f.sigmoid() * c + i.sigmoid() * g.tanh()).tanh()


# name: (shapes of operands at n, NumPy's function or None, PyTorch's)
STATEMENTS = {
    "clip": (lambda n: [(n, n), (n,), (n, 1)],
             lambda x, r, c: np.clip((x * r + c) * np.float32(0.5) - np.abs(x), -1, 1),
             lambda x, r, c: torch.clip((x * r + c) * 0.5 - x.abs(), -1, 1)),
    "transpose": (lambda n: [(n, n)], lambda x: x + x.T, lambda x: x + x.t()),
    "gelu": (lambda n: [(n, n)],
             lambda x: x * np.float32(0.5) * (1 + np.tanh(np.float32(0.797885) * (x + np.float32(0.044715) * x * x * x))),
             lambda x: F.gelu(x, approximate="tanh")),
    "softmax": (lambda n: [(n, 1000)], softmax, lambda x: x.softmax(1)),
    "normalise": (lambda n: [(n, 1000)],
                  lambda x: (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + np.float32(1e-5)),
                  lambda x: F.layer_norm(x, (1000,))),
    "distance": (lambda n: [(n, 1000), (n, 1000)], lambda x, y: np.square(x - y).sum(1),
                 lambda x, y: (x - y).square().sum(1)),
    "product": (lambda n: [(n, n), (n, n)], lambda a, b: a @ b, lambda a, b: a @ b),
    "layer": (lambda k: [(1024, k), (k, 1024), (1024,)], lambda w, x, b: sigmoid(w @ x + b),
              lambda w, x, b: torch.sigmoid(w @ x + b)),
    "perceptron": (lambda n: [(256, 64), (256, 1), (64, 256), (64, 1), (64, n)],
                   lambda v, b, w, c, x: sigmoid(w @ sigmoid(v @ x + b) + c),
                   lambda v, b, w, c, x: torch.sigmoid(w @ torch.sigmoid(v @ x + b) + c)),
    "attention": (lambda n: [(n, 64)] * 3, lambda q, k, v: softmax(q @ k.T / 8) @ v,
                  lambda q, k, v: F.scaled_dot_product_attention(q[None], k[None], v[None])),
    "fista step": (lambda n: [(121, 121), (121, n), (121, n)],
                   lambda g, y, c: shrunk(y - (g @ y - c) / 64, np.float32(0.01)),
                   lambda g, y, c: F.softshrink(y - (g @ y - c) / 64, 0.01)),
    "lstm cell": (lambda n: [(n, 128), (128, 512), (n, 128)], lambda x, w, c: gates(x @ w, c), torch_gates
                  if torch else None),
    "digits": (lambda n: [(n, 1, 28, 28), (20, 1, 9, 9)], None,
               lambda x, w: F.avg_pool2d(torch.sigmoid(F.conv2d(x, w)), 2)),
    "channels": (lambda n: [(n, 64, 28, 28), (64, 64, 3, 3)], None,
                 lambda x, w: F.max_pool2d(F.relu(F.conv2d(x, w, padding=1)), 2)),
}
