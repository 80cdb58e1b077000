#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Networks from PyTorch by tools/felt_import.py, beside ONNX Runtime and PyTorch: one thread, one image.

Exports each network with random weights, imports it, compiles it with $CXX -O3 -march=native, compares
what it gives with ONNX Runtime's (at most 1e-4 of the largest apart) and measures fused, unfused, ONNX
Runtime and PyTorch (eager, channels_last) in turns. Prints a Markdown table of ms, each the best turn's
mean, and of the processor's seconds that compiling takes. Needs torch, onnx, onnxruntime.
"""
import argparse
import os
import resource
import subprocess
import sys
import time

import numpy as np
import onnxruntime
import torch
from torch import nn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "examples", "networks"))
from torch_peer import NETWORKS  # noqa: E402


class Outputs(nn.Module):
    """Of a recurrent layer: the outputs of all steps."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0]


def encoder(width, heads, hidden):
    layer = nn.TransformerEncoderLayer(width, heads, hidden, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def of_catalogue(name):
    make, sample = NETWORKS[name]
    return make, (1, *sample)


# What makes it, and the extents of x: (1, channels, height, width), (steps, 1, width), (1, steps, width).
NETS = {name: of_catalogue(name) for name in ("alexnet", "vgg-16", "googlenet", "resnet-50")} | {
    "lstm": (lambda: Outputs(nn.LSTM(64, 64, 2)), (16, 1, 64)),
    "encoder": (lambda: encoder(64, 4, 128), (1, 32, 64)),
    "lstm-256": (lambda: Outputs(nn.LSTM(256, 256, 2)), (32, 1, 256)),
    "encoder-256": (lambda: encoder(256, 8, 1024), (1, 64, 256)),
    "study": of_catalogue("study"),
}
SIX = ["alexnet", "vgg-16", "googlenet", "resnet-50", "lstm", "encoder"]

MAIN = """#include "{name}.hpp"
#include <felt/npz.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>

using clock_type = std::chrono::steady_clock;
double since(clock_type::time_point start) {{
    return std::chrono::duration<double>(clock_type::now() - start).count();
}}

// A way to run statements that measures each.
struct measured {{
    std::vector<double>* best;
    std::size_t* next;
}};
template <class... S>
void run(measured m, S const&... s) {{
    auto const start = clock_type::now();
    felt::run(felt::fused, s...);
    double const seconds = since(start);
    if (*m.next == m.best->size()) m.best->push_back(seconds);
    double& best = (*m.best)[(*m.next)++];
    best = std::min(best, seconds);
}}

int main() {{
    felt::Tensor<float, {rank}> x({{{extents}}});
    felt::load_npz("{name}_x.npz").get("x", x);
    imported::{name} net(felt::load_npz("{name}.npz"));
    felt::npz y;
    y.put("fused", net(felt::view(x)));
    y.put("unfused", net(felt::view(x), felt::unfused));
    felt::save_npz("{name}_y.npz", y);
    std::cout << "ready" << std::endl;
    std::string how;
    for (int times; std::cin >> how >> times;) {{
        std::vector<double> best;
        auto const start = clock_type::now();
        for (int t = 0; t < times; ++t) {{
            std::size_t next = 0;
            if (how == "fused") net(felt::view(x));
            else if (how == "unfused") net(felt::view(x), felt::unfused);
            else net(felt::view(x), measured{{&best, &next}});
        }}
        std::cout << since(start) / times;
        for (double b : best) std::cout << " " << b;
        std::cout << std::endl;
    }}
}}
"""


def alive(net):
    """Random weights by which values keep their size, and statistics that a fold has to heed."""
    for m in net.modules():
        if isinstance(m, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(m.weight)
        if isinstance(m, nn.BatchNorm2d):
            for values, low in ((m.weight, 0.2), (m.bias, -0.5), (m.running_mean, -0.5), (m.running_var, 0.5)):
                nn.init.uniform_(values, low, low + 1)
    return net.eval()


class Felt:
    """The imported network, compiled: a process that measures on request."""

    def __init__(self, name, x, folder, cxx, again):
        run = lambda *command: subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
        importer = os.path.join(ROOT, "tools", "felt_import.py")
        self.said = run(sys.executable, importer, f"{name}.onnx").strip()
        np.savez(os.path.join(folder, f"{name}_x.npz"), x=x)
        with open(os.path.join(folder, f"{name}_main.cpp"), "w") as f:
            f.write(MAIN.format(name=name, rank=x.ndim, extents=", ".join(map(str, x.shape))))
        flags = ["-std=c++20", "-O3", "-march=native", "-I", os.path.join(ROOT, "include")]
        start = seconds_of_children()
        if not again:
            run(cxx, *flags, f"{name}_main.cpp", "-o", f"{name}_main", "-lzip", "-lz")
        self.compiled = "-" if again else f"{seconds_of_children() - start:.1f}"
        self.process = subprocess.Popen([f"./{name}_main"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=os.environ | {"FELT_NUM_THREADS": "1"})
        if self.process.stdout.readline().strip() != "ready":
            sys.exit(f"{name}: the compiled program failed")
        self.y = np.load(os.path.join(folder, f"{name}_y.npz"))

    def seconds(self, how, times):
        self.process.stdin.write(f"{how} {times}\n")
        self.process.stdin.flush()
        return [float(s) for s in self.process.stdout.readline().split()]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def mean_seconds(f, times):
    start = time.perf_counter()
    for _ in range(times):
        f()
    return (time.perf_counter() - start) / times


def runtime(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def apart(a, b):
    return abs(a - b).max() / abs(b).max()


def statements(folder, name, seconds):
    """The statements that take longest."""
    with open(os.path.join(folder, f"{name}.hpp")) as f:
        lines = [s.strip() for s in f if s.startswith("        run(")]
    print(f"    {1e3 * sum(seconds):8.3f} ms  all of them")
    for s, line in sorted(zip(seconds, lines), reverse=True)[:40]:
        print(f"    {1e3 * s:8.3f} ms  {line}")


def measure(name, a):
    torch.manual_seed(1)
    make, shape = NETS[name]
    net, x = alive(make()), torch.rand(shape) - 0.5
    identifier = name.replace("-", "_")
    path = os.path.join(a.folder, identifier + ".onnx")
    torch.onnx.export(net, x, path, dynamo=False, input_names=["x"])
    if len(shape) == 4:
        net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    felt, session = Felt(identifier, x.numpy(), a.folder, a.cxx, a.again), runtime(path)
    feed = {"x": np.ascontiguousarray(x.numpy())}
    expected = session.run(None, feed)[0]
    error = max(apart(felt.y[how], expected) for how in ("fused", "unfused"))
    assert error <= 1e-4, f"{name}: {error:.1e} apart from ONNX Runtime"
    with torch.no_grad():
        assert apart(net(x).numpy(), expected) <= 1e-4, f"{name}: PyTorch and ONNX Runtime differ"
        ways = {"fused": lambda n: felt.seconds("fused", n)[0], "unfused": lambda n: felt.seconds("unfused", n)[0],
                "ONNX Runtime": lambda n: mean_seconds(lambda: session.run(None, feed), n),
                "PyTorch": lambda n: mean_seconds(lambda: net(x), n)}
        times = {w: max(1, int(a.seconds / f(2))) for w, f in ways.items()}
        found = {w: [] for w in ways}
        for _ in range(a.rounds):
            for w, f in ways.items():
                found[w].append(f(times[w]))
    ms = {w: 1e3 * min(s) for w, s in found.items()}
    print(f"| {name} | " + " | ".join(f"{ms[w]:.3g}" for w in ways) +
          f" | {ms['ONNX Runtime'] / ms['fused']:.2f} | {error:.0e} | {felt.compiled} | {felt.said} |", flush=True)
    if a.statements:
        statements(a.folder, identifier, felt.seconds("each", max(5, times["fused"]))[1:])
    felt.close()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", default=SIX, help=f"of {', '.join(NETS)}; the first six if none is given")
    p.add_argument("--folder", default="build/imported", help="where files are written")
    p.add_argument("--rounds", type=int, default=50, help="turns, of which the best counts")
    p.add_argument("--seconds", type=float, default=0.02, help="of one way in one turn, at least one run")
    p.add_argument("--statements", action="store_true", help="and the statements that take longest, best times")
    p.add_argument("--again", action="store_true", help="programs are those that the last run has compiled")
    p.add_argument("--cxx", default=os.environ.get("CXX", "g++"))
    a = p.parse_args()
    for name in a.names:
        if name not in NETS:
            p.error(f"{name} is none of {', '.join(NETS)}")
    os.makedirs(a.folder, exist_ok=True)
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)  # it has no form in ONNX
    print("| network | fused | unfused | ONNX Runtime | PyTorch | ONNX Runtime / fused | apart | compiled in, s | written |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|---|")
    for name in a.names:
        measure(name, a)


if __name__ == "__main__":
    main()
