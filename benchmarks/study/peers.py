# SPDX-License-Identifier: BSD-3-Clause
"""The study's statements in NumPy and PyTorch (eager, and compiled at the largest size), one thread, and
the examples' training steps in PyTorch. `measure.py` runs it by the Python that --python names.

    peers.py '{"clip": [64, 1024]}' '{"ae": ""}' [--quick]        prints JSON
"""
import json
import pathlib
import re
import sys
import time

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
    import torch.nn.functional as F
except ImportError:
    torch = None

QUICK = "--quick" in sys.argv


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


def seconds(f):
    """Of the clock, of some turns, in each of which f runs as often as fills 0.2 ms."""
    f()
    start = time.perf_counter()
    f()
    once = max(time.perf_counter() - start, 1e-7)
    times, out, end = max(1, min(int(2e-4 / once), 10000)), [], time.perf_counter() + (0.05 if QUICK else 0.3)
    while len(out) < 5 or (time.perf_counter() < end and len(out) < 25):
        start = time.perf_counter()
        for _ in range(times):
            f()
        out.append((time.perf_counter() - start) / times)
    return out


def of_statement(name, at, largest):
    shapes, by_numpy, by_torch = STATEMENTS[name]
    operands, out = [drawn(*s) for s in shapes(at)], {}
    if by_numpy:
        out["NumPy"] = seconds(lambda: by_numpy(*operands))
    if torch:
        tensors = [torch.from_numpy(x) for x in operands]
        if name == "channels":
            tensors = [t.contiguous(memory_format=torch.channels_last) for t in tensors]
        with torch.no_grad():
            out["PyTorch"] = seconds(lambda: by_torch(*tensors))
            if at == largest:
                compiled(out, by_torch, tensors)
    return out


def compiled(out, by_torch, tensors):
    try:
        torch._dynamo.reset()
        f = torch.compile(by_torch)
        out["torch.compile"] = seconds(lambda: f(*tensors))
    except Exception as error:  # of any kind: no compiler, a Python that is too new
        MISSING["torch.compile"] = f"torch.compile: {type(error).__name__}"


def of_lstm(heads):
    from pytorch_reference import Model
    batch, length, tokens = map(int, re.findall(r"\d+", heads["lstm"])[:3])
    model, words = Model(tokens, 128, 2), torch.randint(tokens, (length, batch))
    start = (torch.zeros(2, batch, 128),) * 2
    cost = lambda *_: F.cross_entropy(model(words, start)[0].flatten(0, 1), words.flatten(), reduction="sum") / batch
    return cost, list(model.parameters())


def of_resnet(heads):
    from resnet import Cifar
    images = int(re.findall(r"\d+", heads["resnet"])[0])
    net = Cifar(20).to(memory_format=torch.channels_last)
    x = torch.rand(images, 3, 32, 32).to(memory_format=torch.channels_last)
    return lambda *_: F.cross_entropy(net(x), torch.arange(images) % 10), list(net.parameters())


def fista_step(heads):
    g, y, c = (torch.from_numpy(drawn(121, n)) for n in [121] + 2 * [int(re.findall(r"\d+", heads["fista"])[0])])
    before = y.clone()

    def step():
        s = F.softshrink(y - (g @ y - c) / 64, 0.01)
        return s + 0.5 * (s - before)

    return step


def steps(heads):
    """{"ae": {"PyTorch": [seconds]}}: cost and gradient, or a step of FISTA, as the examples have them."""
    for folder in ("peers", "../examples/lstm"):
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / folder))
    import derived
    makers = {"ae": lambda _: derived.autoencoder(784, 196, 10000, 0.1, 3e-3, 3), "cnn": lambda _: derived.study(256),
              "lstm": of_lstm, "resnet": of_resnet}
    out = {}
    for name in heads:
        try:
            if name == "fista":
                with torch.no_grad():
                    out[name] = {"PyTorch": seconds(fista_step(heads))}
                continue
            cost, parameters = makers[name](heads)
            for p in parameters:
                p.requires_grad_(True)
            out[name] = {"PyTorch": seconds(lambda: torch.autograd.grad(cost(*parameters), parameters))}
        except ImportError as error:
            MISSING[name] = f"PyTorch's step of {name}: {error}"
        print(name, "by PyTorch", file=sys.stderr, flush=True)
    return out


MISSING = {}


def main():
    out = {"statements": {}, "steps": {}, "versions": {}}
    if np is None:
        MISSING["NumPy"] = f"NumPy and PyTorch: {sys.executable} has no NumPy"
    else:
        out["versions"]["NumPy"] = np.__version__
        for name, at in json.loads(sys.argv[1]).items():
            if name in STATEMENTS:
                out["statements"][name] = {n: of_statement(name, n, max(at)) for n in at}
                print(name, "by Python", file=sys.stderr, flush=True)
    if torch is None:
        MISSING["PyTorch"] = f"PyTorch and torch.compile: {sys.executable} has no torch"
    elif np is not None:
        out["versions"]["PyTorch"] = torch.__version__
        out["steps"] = steps(json.loads(sys.argv[2]))
    out["missing"] = list(MISSING.values())
    print(json.dumps(out))


if torch is not None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
main()
