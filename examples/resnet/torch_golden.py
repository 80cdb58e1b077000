#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Residual networks in PyTorch, for Felt to agree with.

    torch_golden.py --layers 8 --width 4 --out cifar.npz             basic blocks, for CIFAR-10
    torch_golden.py --blocks 1 2 --width 4 --side 32 --out b.npz     bottlenecks, as ResNet-50 has
    torch_golden.py --resnet50 --out resnet50.npz                    torchvision's own

The .npz file holds seeded parameters and running statistics under torchvision's names (what
felt_resnet --import reads), what the network is made of, images x, their labels, and what PyTorch
finds: the logits at inference; of a training step the cost, all gradients as "gradient.NAME", and
the running statistics after it as "after.NAME". --no-gradients leaves the step out.
Needs PyTorch, and --resnet50 torchvision.
"""
import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, inputs, width, stride, how):
        super().__init__()
        self.outputs = width * (4 if how.bottleneck else 1)
        if how.bottleneck:
            first, second = (stride, 1) if how.stride_first else (1, stride)
            sizes = [(inputs, width, 1, first), (width, width, 3, second),
                     (width, self.outputs, 1, 1)]
        else:
            sizes = [(inputs, width, 3, stride), (width, width, 3, 1)]
        self.count, self.stride = len(sizes), stride
        for i, (a, b, k, s) in enumerate(sizes, 1):
            setattr(self, f"conv{i}", nn.Conv2d(a, b, k, s, k // 2, bias=False))
            setattr(self, f"bn{i}", nn.BatchNorm2d(b))
        changes = stride != 1 or inputs != self.outputs
        if changes and not how.padded:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, self.outputs, 1, stride, bias=False),
                                            nn.BatchNorm2d(self.outputs))

    def forward(self, x):
        y = x
        for i in range(1, self.count + 1):
            y = getattr(self, f"bn{i}")(getattr(self, f"conv{i}")(y))
            if i < self.count:
                y = F.relu(y)
        if hasattr(self, "downsample"):
            return F.relu(y + self.downsample(x))
        if self.stride > 1:  # every second pixel, and channels of zeros after those of x
            x = F.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, 0, y.shape[1] - x.shape[1]))
        return F.relu(y + x)


class Net(nn.Module):
    def __init__(self, how):
        super().__init__()
        self.large = how.large
        k, s = (7, 2) if how.large else (3, 1)
        self.conv1 = nn.Conv2d(3, how.width, k, s, k // 2, bias=False)
        self.bn1 = nn.BatchNorm2d(how.width)
        inputs, self.stages = how.width, len(how.blocks)
        for i, count in enumerate(how.blocks):
            stage = []
            for n in range(count):
                stage.append(Block(inputs, how.width << i, 2 if i and not n else 1, how))
                inputs = stage[-1].outputs
            setattr(self, f"layer{i + 1}", nn.Sequential(*stage))
        self.fc = nn.Linear(inputs, how.classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        if self.large:
            x = F.max_pool2d(x, 3, 2, 1)
        for i in range(self.stages):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(x.mean((2, 3)))


def randomise(net):
    """He's filters; normalisations that are not the identity, so that each part of them counts."""
    for m in net.modules():
        if isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
        if isinstance(m, nn.BatchNorm2d):
            nn.init.uniform_(m.weight, 0.5, 1.5)
            nn.init.normal_(m.bias, 0, 0.1)
            nn.init.normal_(m.running_mean, 0, 0.1)
            nn.init.uniform_(m.running_var, 0.5, 1.5)


def arrays_of(net):
    return {name: v.detach().numpy().copy() for name, v in net.state_dict().items()
            if not name.endswith("num_batches_tracked")}


def golden(net, how):
    out = arrays_of(net)
    for name in ("width", "side", "classes"):
        out[name] = np.int64(getattr(how, name))
    for name in ("bottleneck", "large", "stride_first", "padded"):
        out[name] = np.int64(bool(getattr(how, name)))
    out["blocks"] = np.array(how.blocks, np.int64)
    x = torch.randn(how.images, 3, how.side, how.side)
    labels = torch.arange(how.images) % how.classes
    out["x"], out["labels"] = x.numpy(), labels.numpy()
    net.eval()
    with torch.no_grad():
        out["logits"] = net(x).numpy()
    if how.no_gradients:
        return out
    net.train()
    cost = F.cross_entropy(net(x), labels)
    cost.backward()
    out["cost"] = np.float64(cost.item())
    for name, p in net.named_parameters():
        out["gradient." + name] = p.grad.numpy()
    for name, v in arrays_of(net).items():
        if "running" in name:
            out["after." + name] = v
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True)
    p.add_argument("--layers", type=int, default=0, help="6 n + 2, for CIFAR-10")
    p.add_argument("--blocks", type=int, nargs="+", help="bottlenecks of each stage")
    p.add_argument("--resnet50", action="store_true")
    p.add_argument("--stride-first", action="store_true", help="strides on the first 1x1")
    p.add_argument("--projected", action="store_true", help="no padded shortcuts with --layers")
    p.add_argument("--width", type=int, default=16)
    p.add_argument("--side", type=int, default=32)
    p.add_argument("--classes", type=int, default=10)
    p.add_argument("--images", type=int, default=2)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--no-gradients", action="store_true")
    how = p.parse_args()
    torch.manual_seed(how.seed)
    torch.set_num_threads(1)
    how.bottleneck = how.large = not how.layers
    how.padded = bool(how.layers) and not how.projected
    if how.layers:
        how.blocks = [(how.layers - 2) // 6] * 3
    if how.resnet50:
        import torchvision
        how.width, how.side, how.classes, how.blocks = 64, 224, 1000, [3, 4, 6, 3]
        net = torchvision.models.resnet50(weights=None)
        randomise(net)
        own = Net(how)
        own.load_state_dict(net.state_dict())  # the same names and extents, or an error
        x = torch.randn(1, 3, 224, 224)
        if not how.stride_first:
            with torch.no_grad():
                assert torch.allclose(net.eval()(x), own.eval()(x), rtol=1e-4, atol=1e-5)
        net = own
    else:
        net = Net(how)
        randomise(net)
    np.savez(how.out, **golden(net, how))
    print(f"{how.out}: {sum(p.numel() for p in net.parameters())} parameters")


if __name__ == "__main__":
    main()
