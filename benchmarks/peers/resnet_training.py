#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Trains ResNet-20 by PyTorch on CIFAR-10's binary files as felt_resnet does, seed after seed.

  resnet_training.py DIR --epochs 15 --seeds 1 2 3 4 5

The same network, initial distributions, order of steps, rate, momentum, decay, shifts and mirrors;
only the random numbers are others. DIR has train*.bin or data_batch_*.bin, and test*.bin.
"""
import argparse
import math
import pathlib
import statistics

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from resnet import Cifar


def read(folder, *patterns):
    files = sorted(f for pattern in patterns for f in pathlib.Path(folder).glob(pattern))
    records = np.concatenate([np.fromfile(f, np.uint8).reshape(-1, 3073) for f in files])
    return torch.from_numpy(records[:, 1:].reshape(-1, 3, 32, 32).astype(np.float32)), \
        torch.from_numpy(records[:, 0].astype(np.int64))


def begin(net):
    for layer in net.modules():
        if isinstance(layer, nn.Conv2d):
            nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
    return net.to(memory_format=torch.channels_last)


def varied(x):
    """Shifted by up to 4 pixels, with zeros, and mirrored half of the time."""
    wide = F.pad(x, (4, 4, 4, 4))
    shown = []
    for image in wide:
        down, right = torch.randint(0, 9, (2,)).tolist()
        image = image[:, down:down + 32, right:right + 32]
        shown.append(image.flip(2) if torch.rand(()) < 0.5 else image)
    return torch.stack(shown).to(memory_format=torch.channels_last)


def right_of(net, x, y):
    net.eval()
    with torch.no_grad():
        said = torch.cat([net(part).argmax(1) for part in x.split(100)])
    net.train()
    return 100 * (said == y).double().mean().item()


def train(seed, epochs, batch, images, held_out):
    torch.manual_seed(seed)
    x, y = images
    net = begin(Cifar(20))
    optimiser = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    drops = [math.ceil(epochs / 2), math.ceil(3 * epochs / 4)]
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimiser, drops)
    per_epoch = len(y) // batch
    for epoch in range(epochs):
        order = torch.randperm(len(y))
        for k in range(per_epoch):
            chosen = order[k * batch:(k + 1) * batch]
            optimiser.zero_grad()
            F.cross_entropy(net(varied(x[chosen])), y[chosen]).backward()
            optimiser.step()
        schedule.step()
    learned = right_of(net, x[:1000], y[:1000])
    return right_of(net, *held_out), learned


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    args = parser.parse_args()
    torch.set_num_threads(1)
    x, y = read(args.folder, "data_batch_*.bin", "train*.bin")
    mean, deviation = x.mean((0, 2, 3)), x.std((0, 2, 3))
    normal = [((part - mean[:, None, None]) / deviation[:, None, None]) for part in
              (x, read(args.folder, "test*.bin")[0])]
    held_out = (normal[1], read(args.folder, "test*.bin")[1])
    found = []
    for seed in args.seeds:
        found.append(train(seed, args.epochs, args.batch, (normal[0], y), held_out))
        print(f"seed {seed}: {found[-1][0]:.1f} % of those held out, {found[-1][1]:.1f} % of those "
              "it learned from", flush=True)
    if len(found) > 1:
        for what, values in zip(("held out", "learned from"), zip(*found)):
            print(f"{what}: {statistics.mean(values):.1f} +- {statistics.stdev(values):.1f} %")


if __name__ == "__main__":
    main()
