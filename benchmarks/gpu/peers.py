#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch on the same questions as the programs beside this file: eager and by torch.compile, with
cuDNN's convolution and LSTM in it. Rows are those of timing.hpp, to FELT_FIGURES and as a table.

    peers.py [--small]      small extents, checked and not timed

Without PyTorch or a GPU it says so and returns 77."""
import copy
import os
import statistics
import sys

SMALL = "--small" in sys.argv[1:]
if set(sys.argv[1:]) - {"--small"}:
    print(__doc__)
    sys.exit(0 if "--help" in sys.argv else 2)
try:
    import torch
except ImportError:
    print("Skipped: no PyTorch, so neither its eager mode, torch.compile nor cuDNN")
    sys.exit(77)
if not torch.cuda.is_available():
    print("Skipped: no GPU")
    sys.exit(77)

gpu = torch.device("cuda")
torch.manual_seed(1)
trash = torch.empty(1 if SMALL else 1 << 28, dtype=torch.int8, device=gpu)
wrong = 0


def seconds(run):
    """Of one run by events, the second-level cache overwritten before."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    trash.fill_(1)
    begin.record()
    run()
    end.record()
    end.synchronize()
    return 1e-3 * begin.elapsed_time(end)


def write_row(question, case, name, times, amount, unit, error):
    median = statistics.median(times)
    rate = 1e-9 * amount / median
    print(f"{case:24} {name:20} {1e6 * median:10.1f} us {rate:9.1f} {unit:8} {error:8.1g}")
    if path := os.environ.get("FELT_FIGURES"):
        with open(path, "a") as file:
            print(question, case, name, f"{median:.4g}", f"{min(times):.4g}", f"{rate:.4g}", unit,
                  f"{error:.2g}", sep="\t", file=file)


def contest(question, case, amount, unit, want, contestants):
    """contestants: (name, f, allowed error); each is checked against want, then timed in turns."""
    global wrong
    right = []
    for name, run, allowed in contestants:
        try:
            error = 0.0 if want is None else (run().double() - want).abs().max().item()
        except Exception as e:  # a compiler that is not there, memory that does not suffice
            print(f"{case:24} {name:20} not measured: {type(e).__name__}: {str(e).splitlines()[:1]}")
            continue
        if not error <= allowed:
            wrong += 1
            print(f"{case:24} {name:20} WRONG: error {error:.2g}, allowed {allowed:.2g}")
            continue
        for _ in range(3):
            run()
        right.append((name, run, error, []))
    for _ in range(0 if SMALL else 15):
        for _, run, _, times in right:
            times.append(seconds(run))
    for name, _, error, times in right:
        if times:
            write_row(question, case, name, times, amount, unit, error)


def with_tf32(f):
    """f with products in TF32, cuDNN's, too; without, both are in full float."""
    def run(*x):
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        try:
            return f(*x)
        finally:
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    return run


def each_way(f, exact, tf32=None, search=False):
    """Eager and compiled, in float, and in TF32 if an error is named for it; with `search` the
    compiler tries its own products, too, which takes it half a minute."""
    torch.compiler.reset()  # else, after 8 cases of a function, the compiler leaves it as it is
    ways = [("eager", f, exact), ("compile", torch.compile(f), exact)]
    if tf32 is not None:
        # A function of its own: what was compiled in float stays so.
        ways.append(("eager-tf32", with_tf32(f), tf32))
        ways.append(("compile-tf32", with_tf32(torch.compile(lambda: f())), tf32))
    if search:
        tuned = torch.compile(lambda: f(), mode="max-autotune-no-cudagraphs")
        ways.append(("compile-search-tf32", with_tf32(tuned), tf32))
    return ways


def chain():
    n = 64 if SMALL else 16384
    x, row = torch.rand(n, n, device=gpu), torch.rand(n, device=gpu) + 0.5
    column = torch.rand(n, 1, device=gpu) - 0.5
    f = lambda: torch.clamp((x * row + column).abs().sqrt(), min=0.1) * 0.5
    want = torch.clamp((x.double() * row + column).abs().sqrt(), min=0.1) * 0.5
    contest("copy", "chain", 8.0 * n * n, "GB/s", want, each_way(f, 2e-6))


def layers():
    n = 96 if SMALL else 4096
    for k in [40] if SMALL else [64, 128, 256, 512, 1024, 2048, 4096]:
        w, x = torch.rand(n, k, device=gpu) * 2 - 1, torch.rand(k, n, device=gpu) * 2 - 1
        b = torch.rand(n, 1, device=gpu) - 0.5
        f = lambda: torch.sigmoid(w @ x + b)
        want = torch.sigmoid(w.double() @ x.double() + b)
        contest("epilogue", f"{n}x{n}x{k}", 2.0 * n * n * k, "GFLOP/s", want,
                each_way(f, 3e-5 * k**0.5, 5e-3 * k**0.5, search=k == 256))


def products():
    sizes = [(96, 160, 72)] if SMALL else [(n, n, n) for n in (1024, 2048, 4096, 8192)]
    for m, n, k in sizes:
        a, b = torch.rand(m, k, device=gpu) * 2 - 1, torch.rand(k, n, device=gpu) * 2 - 1
        short_a, short_b = a.bfloat16(), b.bfloat16()
        f, short = lambda: a @ b, lambda: short_a @ short_b
        contest("matmul", f"{m}x{n}x{k}", 2.0 * m * n * k, "GFLOP/s", a.double() @ b.double(),
                [("eager", f, 3e-5 * k**0.5), ("eager-tf32", with_tf32(f), 5e-3 * k**0.5),
                 ("eager-bf16-own", short, 6e-2 * k**0.5)])


def convolutions():
    from torch.nn.functional import avg_pool2d, conv2d
    for images in [3] if SMALL else [256, 4096]:
        filters = 5 if SMALL else 20
        x = torch.rand(images, 1, 28, 28, device=gpu)
        w = (torch.rand(filters, 1, 9, 9, device=gpu) * 2 - 1) / 9
        b = torch.rand(filters, device=gpu) - 0.5
        f = lambda: avg_pool2d(torch.sigmoid(conv2d(x, w, b)), 2)
        want = avg_pool2d(torch.sigmoid(conv2d(x.double(), w.double(), b.double())), 2)
        torch.backends.cudnn.benchmark = True
        contest("convolve", f"layer-{images}", 2.0 * images * filters * 400 * 81, "GFLOP/s", want,
                each_way(f, 1e-5, 2e-3))


def recurrence():
    for steps, batch, units in [(3, 5, 24)] if SMALL else [(30, 128, 1024), (30, 32, 128)]:
        layer = torch.nn.LSTM(units, units).to(gpu)
        layer.flatten_parameters()
        x = torch.rand(steps, batch, units, device=gpu) * 2 - 1
        dy = torch.rand(steps, batch, units, device=gpu) * 2 - 1
        with torch.no_grad():
            twin = torch.nn.LSTM(units, units).to(gpu).double()
            twin.load_state_dict({k: v.double() for k, v in layer.state_dict().items()})
            want = twin(x.double())[0]

        def forward():
            with torch.no_grad():
                return layer(x)[0]

        def training():
            given = x.detach().requires_grad_()
            layer.zero_grad(set_to_none=True)
            y = layer(given)[0]
            y.backward(dy)
            return y.detach()

        size, flops = f"{batch}x{units}", 16.0 * steps * batch * units * units
        for case, f, times in (("forward-", forward, 1), ("training-", training, 3)):
            contest("lstm", case + size, times * flops, "GFLOP/s", want,
                    [("cudnn", f, 1e-4), ("cudnn-tf32", with_tf32(f), 1e-2)])


def residual():
    """torchvision's ResNet-50 in channels_last, eager: logits, and a step at rate 0, after which
    the gradient of the first filters is compared."""
    try:
        from torchvision.models import resnet
    except ImportError:
        print("Skipped: ResNet-50, no torchvision")
        return
    classes, side = (5, 32) if SMALL else (1000, 224)
    blocks = [1, 1, 1, 1] if SMALL else [3, 4, 6, 3]
    torch.backends.cudnn.benchmark = True

    def network(training):
        net = resnet.ResNet(resnet.Bottleneck, blocks, num_classes=classes).to(gpu)
        return net.to(memory_format=torch.channels_last).train(training)

    for training, images in ([(False, 3), (True, 3)] if SMALL
                             else [(False, 1), (False, 32), (True, 32)]):
        net = network(training)
        x = torch.randn(images, 3, side, side, device=gpu)
        x = x.to(memory_format=torch.channels_last)
        labels = torch.arange(images, device=gpu)
        twin = copy.deepcopy(net).double()

        def infer(of=net, shown=x):
            with torch.no_grad():
                return of(shown)

        def gradient(of, shown):
            of.zero_grad(set_to_none=True)
            torch.nn.functional.cross_entropy(of(shown), labels).backward()
            return of.conv1.weight.grad

        optimiser = torch.optim.SGD(net.parameters(), lr=0.0, momentum=0.9, weight_decay=1e-4)

        def step():
            found = gradient(net, x)
            optimiser.step()
            return found

        f = step if training else infer
        want = gradient(twin, x.double()) if training else infer(twin, x.double())
        most = want.abs().max().item()
        del twin
        allowed, in_tf32 = (1e-2, 0.5) if training else (1e-4, 2e-2)
        contest("resnet", f"{'training' if training else 'inference'}-{images}", 1e9 * images,
                "images/s", want, [("eager", f, allowed * most),
                                   ("eager-tf32", with_tf32(f), in_tf32 * most)])


def networks():
    """Forward and backward of the networks of network_*.cu; with random parameters of their own, so
    only against themselves in double."""
    from torch import nn
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, os.path.join(here, "../../examples/networks"))
    import torch_peer

    class Recurrent(nn.Module):
        def __init__(self, units):
            super().__init__()
            self.layer, self.out = nn.LSTM(units // 2, units), nn.Linear(units, 10)

        def forward(self, x):
            y = self.layer(x)[0]
            return self.out(y.reshape(-1, y.shape[-1]))

    wide, n = (40, 24) if SMALL else (26752, 2048)
    steps, units, images = (3, 16, 3) if SMALL else (32, 256, 128)
    dense = nn.Sequential(nn.Linear(wide, n), nn.Sigmoid(), nn.Linear(n, n), nn.Sigmoid(),
                          nn.Linear(n, n // 2))
    for question, case, batch, net, shape, rows in (
            ("network_dense", "dense, 64", 64, dense, (64, wide), 64),
            ("network_lstm", "LSTM, 64", steps, Recurrent(units), (steps, 64, units // 2), steps * 64),
            ("network_residual", "ResNet-20, 128", images, torch_peer.resnet_cifar(20),
             (images, 3, 32, 32), images)):
        net, x = net.to(gpu), torch.randn(*shape, device=gpu)
        if x.dim() == 4:
            net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
        labels = torch.arange(rows, device=gpu) * 7 % 10
        twin = copy.deepcopy(net).double()

        def gradient(of=net, shown=x):
            of.zero_grad(set_to_none=True)
            torch.nn.functional.cross_entropy(of(shown), labels).backward()
            return torch.cat([p.grad.flatten() for p in of.parameters()])

        want = gradient(twin, x.double())
        contest(question, case, 1e9 * batch, "samples/s", want,
                [("eager", gradient, 2e-3 * want.norm().item())])


torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
print(f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}, "
      f"CUDA {torch.version.cuda} on {torch.cuda.get_device_name()}")
for question in (chain, products, layers, convolutions, recurrence, residual, networks):
    question()
    torch.cuda.empty_cache()
sys.exit(1 if wrong else 0)
