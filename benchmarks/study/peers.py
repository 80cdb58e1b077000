# SPDX-License-Identifier: BSD-3-Clause
"""The study's statements in NumPy and PyTorch (eager, and compiled at the largest size), one thread, and
the examples' training steps in PyTorch. `measure.py` runs it by the Python that --python names.

    peers.py '{"clip": [64, 1024]}' '{"ae": ""}' [--quick]        prints JSON
"""
import contextlib
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import kept_memory  # noqa: E402

kept_memory.keep()

from peer_statements import F, STATEMENTS, drawn, np, torch  # noqa: E402

QUICK = "--quick" in sys.argv


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
    with torch.no_grad() if torch else contextlib.nullcontext():
        if torch:
            tensors = [torch.from_numpy(x) for x in operands]
            if name == "channels":
                tensors = [t.contiguous(memory_format=torch.channels_last) for t in tensors]
            if by_numpy and not np.allclose(by_numpy(*operands), by_torch(*tensors).numpy(), 1e-3, 1e-3):
                MISSING[name] = f"NumPy's and PyTorch's {name}: they differ"
                return {}
        if by_numpy:
            out["NumPy"] = seconds(lambda: by_numpy(*operands))
        if torch:
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
        np.seterr(over="ignore")  # of exp in a sigmoid, which is right all the same
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
