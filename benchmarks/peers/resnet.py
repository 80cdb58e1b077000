#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ResNet by PyTorch on one thread of the processor: eager, channels_last, as examples/resnet has it.

  resnet.py 20 128          a training step of ResNet-20 on 128 pictures of 32 x 32
  resnet.py 50 8            of torchvision's ResNet-50 on 8 of 224 x 224
  resnet.py 50 8 --infer    the logits alone

Prints the best time of some, and how much resident memory grew at most.
"""
import argparse
import resource
import time

import torch
import torch.nn.functional as F
from torch import nn


class Basic(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.stride, self.more = stride, outputs - inputs

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        if self.stride > 1:
            x = F.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, 0, self.more))
        return F.relu(y + x)


class Cifar(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        blocks, inputs = [], 16
        for outputs in (16, 32, 64):
            for k in range((layers - 2) // 6):
                blocks.append(Basic(inputs, outputs, 2 if k == 0 and outputs > 16 else 1))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        return self.fc(self.blocks(F.relu(self.bn1(self.conv1(x)))).mean((2, 3)))


def best(run, times):
    run()
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", type=int)
    parser.add_argument("batch", type=int)
    parser.add_argument("--infer", action="store_true")
    parser.add_argument("--times", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    large = args.layers == 50
    if large:
        import torchvision
    net = torchvision.models.resnet50() if large else Cifar(args.layers)
    net = net.to(memory_format=torch.channels_last)
    side = 224 if large else 32
    x = torch.randn(args.batch, 3, side, side).to(memory_format=torch.channels_last)
    y = torch.arange(args.batch) % 10
    optimiser = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)

    def step():
        optimiser.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimiser.step()

    def infer():
        with torch.no_grad():
            net(x)

    def resident():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    net.train(not args.infer)
    before = resident()
    seconds = best(infer if args.infer else step, args.times)
    print(f"{1e3 * seconds:.1f} ms, {resident() - before:.0f} MiB more")


if __name__ == "__main__":
    main()
