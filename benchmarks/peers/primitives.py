#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Inference of the suites' networks beside the sum of oneDNN's primitives: one thread.

    primitives.py BUILD [NAMES ..] [--batches 1,16]

The layers of each network of examples/networks/torch_peer.py (convolutions, dense layers, pools,
recurrent layers; activations and residual sums belong to the layer before, normalisations are folded)
go to felt_bench_network_primitives, and felt_networks measures Felt's, in turns. Prints a Markdown table
of ms, the best of three turns. Concatenations, flattening, embeddings take oneDNN no time here. Needs
torch.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import torch
from torch import nn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "examples", "networks"))
from torch_peer import NETWORKS, Last, Plus, Thinned, Words  # noqa: E402

ACTS = {nn.ReLU: "relu", nn.Sigmoid: "sigmoid", nn.Tanh: "tanh"}


class Layers:
    """What a network runs: lists of words, of which the last layer's may still change."""

    def __init__(self, net, x):
        self.lines = []
        for module in net.modules():
            if not list(module.children()):
                module.register_forward_hook(self.ran)
            if isinstance(module, Plus):
                module.way.register_forward_hook(self.is_summed)
        with torch.no_grad():
            net(x)

    def ran(self, module, inputs, y):
        x, kind = inputs[0], type(module)
        if kind is nn.Conv2d:
            self.lines.append(["conv", *x.shape, module.out_channels, module.kernel_size[0],
                               module.stride[0], module.padding[0], "none", 0])
        elif kind is nn.Linear:
            self.lines.append(["dense", *x.shape, module.out_features, "none"])
        elif kind in (nn.MaxPool2d, nn.AvgPool2d):
            self.pool("max" if kind is nn.MaxPool2d else "mean", x, y, module.kernel_size,
                      module.stride, module.padding)
        elif kind is nn.AdaptiveAvgPool2d:
            self.pool("mean", x, y, x.shape[2], x.shape[2], 0)
        elif kind in (nn.LSTM, nn.RNN):
            steps, n, inputs = x.shape
            for _ in range(module.num_layers):
                self.lines.append([kind.__name__.lower(), steps, n, inputs, module.hidden_size])
                inputs = module.hidden_size
        elif kind in ACTS:
            self.activated(ACTS[kind])
        elif kind not in (nn.BatchNorm2d, nn.Dropout, nn.Flatten, nn.Embedding, nn.Identity, Thinned):
            raise SystemExit(f"no primitive for {kind.__name__}")

    def pool(self, kind, x, y, window, stride, before):
        after = (y.shape[2] - 1) * stride + window - before - x.shape[2]
        self.lines.append(["pool", kind, *x.shape, *y.shape[2:], window, stride, before, max(after, 0)])

    def activated(self, act):
        line = self.lines[-1]
        line[9 if line[0] == "conv" else 4] = act

    def is_summed(self, *_):
        self.lines[-1][10] = 1


def layers_of(name, batch):
    make, sample = NETWORKS[name]
    net = make().eval()
    if isinstance(net, Words):
        x = torch.zeros((*sample, batch), dtype=torch.long)
    elif isinstance(net, Last):
        x = torch.zeros((sample[0], batch, sample[1]))
    else:
        x = torch.zeros((batch, *sample))
    return [" ".join(map(str, line)) for line in Layers(net, x).lines]


def felt_ms(build, name, batch, folder):
    command = [os.path.join(build, "examples", "networks", "felt_networks"), name, "--batches", str(batch),
               "--threads", "1", "--steps", "30", "--seconds", "2", "--quiet", "--force", "--out", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "sweep.json")) as file:
        ways = json.load(file)[0]["lines"]
    return {way["by"]: 1e3 * batch / way["y"][0] for way in ways}


def primitives_ms(build, lines):
    command = [os.path.join(build, "benchmarks", "felt_bench_network_primitives")]
    text = subprocess.run(command, check=True, input="\n".join(lines), capture_output=True, text=True)
    return json.loads(text.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of a build with benchmarks and examples")
    parser.add_argument("names", nargs="*", default=list(NETWORKS), metavar="NAMES")
    parser.add_argument("--batches", default="1,16")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--layers", action="store_true", help="also each primitive's ms and kernel")
    args = parser.parse_args()
    print("| network, batch | Felt | unfused | primitives, in turn | alone | in turn / Felt |\n|---|--:|--:|--:|--:|--:|")
    for name in args.names or NETWORKS:
        for batch in map(int, args.batches.split(",")):
            lines, best = layers_of(name, batch), {}
            for _ in range(args.turns):
                with tempfile.TemporaryDirectory() as folder:
                    felt = felt_ms(args.build, name, batch, folder)
                peer = primitives_ms(args.build, lines)
                each = peer.pop("layers")
                for by, ms in {**felt, **peer}.items():
                    best[by] = min(ms, best.get(by, ms))
            print(f"| {name}, {batch} | {best['fused']:.4g} | {best['unfused']:.4g} | {best['in turn']:.4g} "
                  f"| {best['alone']:.4g} | {best['in turn'] / best['fused']:.2f} |", flush=True)
            if args.layers:
                for line, (ms, kernel) in zip(lines, each):
                    print(f"    {ms:8.3f}  {line}  {kernel}")


if __name__ == "__main__":
    main()
