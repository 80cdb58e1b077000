#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The steps of felt_bench_derived by PyTorch's autograd: eager, float, one thread of the processor.

Cost and gradient of an autoencoder, the study's convolutional network and a layer of LSTM. Prints
the best of some in microseconds, under the names that felt_bench_derived has.
"""
import argparse
import time

import kept_memory

kept_memory.keep()

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402


def autoencoder(visible, hidden, samples, rho, decay, beta):
    x = torch.rand(samples, visible)
    w1, w2 = (0.1 * torch.randn(hidden, visible)), (0.1 * torch.randn(visible, hidden))
    b1, b2 = torch.zeros(hidden), torch.zeros(visible)

    def cost(w1, w2, b1, b2):
        h = torch.sigmoid(F.linear(x, w1, b1))
        y = torch.sigmoid(F.linear(h, w2, b2))
        r = h.mean(0)
        sparse = (rho * torch.log(rho / r) + (1 - rho) * torch.log((1 - rho) / (1 - r))).sum()
        return (
            0.5 / samples * (y - x).square().sum()
            + decay / 2 * (w1.square().sum() + w2.square().sum())
            + beta * sparse
        )

    return cost, [w1, w2, b1, b2]


def study(images):
    x = torch.rand(images, 1, 28, 28).to(memory_format=torch.channels_last)
    label = torch.arange(images) % 10
    wc, bc = 0.1 * torch.randn(20, 1, 9, 9), torch.zeros(20)
    wd, bd = 0.04 * torch.randn(10, 2000), torch.zeros(10)

    def cost(wc, bc, wd, bd):
        h = F.avg_pool2d(torch.sigmoid(F.conv2d(x, wc, bc)), 2)
        return F.cross_entropy(F.linear(h.flatten(1), wd, bd), label)

    return cost, [wc, bc, wd, bd]


def lstm(steps, batch, units):
    layer = torch.nn.LSTM(units, units)
    x = torch.rand(steps, batch, units)
    dy = torch.rand(steps, batch, units)

    def cost(x, *_):
        return (layer(x)[0] * dy).sum()

    return cost, [x, *layer.parameters()]


def best(cost, parameters, seconds):
    for p in parameters:
        p.requires_grad_(True)
    shortest, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        torch.autograd.grad(cost(*parameters), parameters)
        shortest = min(shortest, time.perf_counter() - start)
    return 1e6 * shortest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3, help="for each")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    steps = {
        "ae/64x25x10000": autoencoder(64, 25, 10000, 0.01, 1e-4, 3),
        "ae/784x196x2000": autoencoder(784, 196, 2000, 0.1, 3e-3, 3),
        "study/250": study(250),
    }
    for batch, units in ((32, 128), (128, 256)):
        steps[f"lstm/{batch}x{units}x30"] = lstm(30, batch, units)
    for name, (cost, parameters) in steps.items():
        print(f"derived/{name}/torch {best(cost, parameters, args.seconds):.0f} us", flush=True)


if __name__ == "__main__":
    main()
