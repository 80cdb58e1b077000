# SPDX-License-Identifier: BSD-3-Clause
"""The networks of the suites in PyTorch, measured as felt_networks measures its own:

    torch_peer.py NAME BATCH STEPS SECONDS [THREADS [all|infer|steps]]

prints one line of JSON: seconds of inference, of a forward pass, of forward and backward, of a step
with its update, and the most memory that the process held in a step; or of inference alone, or of
that and steps. Images are channels_last.

    torch_peer.py learn FOLDER ..

is in torch_learn.py."""

import json
import sys
import time

import torch
from torch import nn


def conv_relu(inputs, out, k, stride, padding):
    return [nn.Conv2d(inputs, out, k, stride, padding), nn.ReLU(inplace=True)]


def dense_relu(inputs, out):
    return [nn.Linear(inputs, out), nn.ReLU(inplace=True)]


def fcn(hidden):
    layers, inputs = [], 26752
    for _ in range(hidden):
        layers += [nn.Linear(inputs, 2048), nn.Sigmoid()]
        inputs = 2048
    return nn.Sequential(*layers, nn.Linear(2048, 26752))


def chain(sizes, act, last=None):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]), *([last] if last else []))


def alexnet(widths):
    a, b, c, d, e = widths
    return nn.Sequential(
        *conv_relu(3, a, 11, 4, 2), nn.MaxPool2d(3, 2), *conv_relu(a, b, 5, 1, 2), nn.MaxPool2d(3, 2),
        *conv_relu(b, c, 3, 1, 1), *conv_relu(c, d, 3, 1, 1), *conv_relu(d, e, 3, 1, 1),
        nn.MaxPool2d(3, 2), nn.Flatten(), *dense_relu(e * 36, 4096), *dense_relu(4096, 4096),
        nn.Linear(4096, 1000))


def alexnet_s_same():
    pool = lambda: nn.MaxPool2d(3, 2, 1)
    return nn.Sequential(
        *conv_relu(3, 96, 11, 4, 4), pool(), *conv_relu(96, 256, 5, 1, 2), pool(),
        *conv_relu(256, 384, 3, 1, 1), *conv_relu(384, 384, 3, 1, 1), *conv_relu(384, 256, 3, 1, 1),
        pool(), nn.Flatten(), *dense_relu(256 * 49, 4096), *dense_relu(4096, 4096),
        *dense_relu(4096, 1000))


def alexnet_s_caffe():
    pool = lambda: nn.MaxPool2d(3, 2, ceil_mode=True)
    return nn.Sequential(
        *conv_relu(3, 96, 11, 4, 0), pool(), *conv_relu(96, 256, 5, 1, 2), pool(),
        *conv_relu(256, 384, 3, 1, 1), *conv_relu(384, 384, 3, 1, 1), *conv_relu(384, 256, 3, 1, 1),
        pool(), nn.Flatten(), *dense_relu(256 * 36, 4096), nn.Dropout(0.5), *dense_relu(4096, 4096),
        nn.Dropout(0.5), nn.Linear(4096, 1000))


def alexnet_227():
    return nn.Sequential(*conv_relu(3, 64, 11, 4, 0), *list(alexnet((64, 192, 384, 256, 256)))[2:],
                         nn.ReLU(inplace=True))


def alexnet_r():
    return nn.Sequential(
        *conv_relu(3, 32, 5, 1, 2), nn.MaxPool2d(3, 2), *conv_relu(32, 32, 5, 1, 2),
        nn.MaxPool2d(3, 2), *conv_relu(32, 64, 5, 1, 2), nn.AvgPool2d(3, 2), nn.Flatten(),
        nn.Linear(576, 10))


def vgg(columns):
    layers, inputs, width = [], 3, 64
    for n in columns:
        for _ in range(n):
            layers += conv_relu(inputs, width, 3, 1, 1)
            inputs = width
        layers.append(nn.MaxPool2d(2))
        width = min(2 * width, 512)
    return nn.Sequential(*layers, nn.Flatten(), *dense_relu(25088, 4096), *dense_relu(4096, 4096),
                         nn.Linear(4096, 1000))


def overfeat():
    return nn.Sequential(
        *conv_relu(3, 96, 11, 4, 0), nn.MaxPool2d(2), *conv_relu(96, 256, 5, 1, 0), nn.MaxPool2d(2),
        *conv_relu(256, 512, 3, 1, 1), *conv_relu(512, 1024, 3, 1, 1),
        *conv_relu(1024, 1024, 3, 1, 1), nn.MaxPool2d(2), nn.Flatten(), *dense_relu(36864, 3072),
        *dense_relu(3072, 4096), nn.Linear(4096, 1000))


class Beside(nn.Module):
    def __init__(self, *branches):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x):
        return torch.cat([b(x) for b in self.branches], 1)


def inception(i, a, b0, b, d0, d, e):
    return Beside(
        nn.Sequential(*conv_relu(i, a, 1, 1, 0)),
        nn.Sequential(*conv_relu(i, b0, 1, 1, 0), *conv_relu(b0, b, 3, 1, 1)),
        nn.Sequential(*conv_relu(i, d0, 1, 1, 0), *conv_relu(d0, d, 5, 1, 2)),
        nn.Sequential(nn.MaxPool2d(3, 1, 1), *conv_relu(i, e, 1, 1, 0)))


def googlenet():
    pool = lambda: nn.MaxPool2d(3, 2, 1)
    return nn.Sequential(
        *conv_relu(3, 64, 7, 2, 3), pool(), *conv_relu(64, 64, 1, 1, 0), *conv_relu(64, 192, 3, 1, 1),
        pool(), inception(192, 64, 96, 128, 16, 32, 32), inception(256, 128, 128, 192, 32, 96, 64),
        pool(), inception(480, 192, 96, 208, 16, 48, 64), inception(512, 160, 112, 224, 24, 64, 64),
        inception(512, 128, 128, 256, 24, 64, 64), inception(512, 112, 144, 288, 32, 64, 64),
        inception(528, 256, 160, 320, 32, 128, 128), pool(),
        inception(832, 256, 160, 320, 32, 128, 128), inception(832, 384, 192, 384, 48, 128, 128),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1024, 1000))


def conv_norm(inputs, out, k, stride):
    return [nn.Conv2d(inputs, out, k, stride, k // 2, bias=False), nn.BatchNorm2d(out)]


class Thinned(nn.Module):
    def __init__(self, more):
        super().__init__()
        self.more = more

    def forward(self, x):
        return nn.functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, 0, self.more))


class Plus(nn.Module):
    def __init__(self, way, shortcut=None):
        super().__init__()
        self.way, self.shortcut = way, shortcut or nn.Identity()
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.way(x) + self.shortcut(x))


def resnet50():
    layers = [*conv_norm(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs, width = 64, 64
    for blocks in (3, 4, 6, 3):
        for k in range(blocks):
            stride = 2 if k == 0 and width > 64 else 1
            way = nn.Sequential(*conv_norm(inputs, width, 1, 1), nn.ReLU(inplace=True),
                                *conv_norm(width, width, 3, stride), nn.ReLU(inplace=True),
                                *conv_norm(width, 4 * width, 1, 1))
            shortcut = nn.Sequential(*conv_norm(inputs, 4 * width, 1, stride)) if k == 0 else None
            layers.append(Plus(way, shortcut))
            inputs = 4 * width
        width *= 2
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000))


def resnet_cifar(depth):
    layers = [*conv_norm(3, 16, 3, 1), nn.ReLU(inplace=True)]
    inputs = 16
    for width in (16, 32, 64):
        for k in range((depth - 2) // 6):
            widens = k == 0 and width > 16
            way = nn.Sequential(*conv_norm(inputs, width, 3, 2 if widens else 1),
                                nn.ReLU(inplace=True), *conv_norm(width, width, 3, 1))
            layers.append(Plus(way, Thinned(width - inputs) if widens else None))
            inputs = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class Words(nn.Module):
    """The state goes on from batch to batch. Words are (steps, batch)."""

    def __init__(self, words=10000, width=256):
        super().__init__()
        self.table, self.head = nn.Embedding(words, width), nn.Linear(width, words)
        self.lstm, self.state = nn.LSTM(width, width, 2), None

    def forward(self, x):
        y, state = self.lstm(self.table(x), self.state)
        self.state = tuple(s.detach() for s in state)
        return self.head(y.flatten(0, 1))


class Last(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0][-1]


def p1b1(features=60483):
    return chain([features, 2000, 600, 2, 600, 2000, features], nn.ReLU, nn.Sigmoid())


def p3b1(classes=13):
    return chain([400, 1200, 1200, 1200, classes], nn.ReLU)


NETWORKS = {
    "lstm-32": (Words, (32,)),
    "lstm-64": (Words, (64,)),
    "basic-lstm": (lambda: Last(nn.LSTM(1024, 1024)), (30, 1024)),
    "basic-rnn": (lambda: Last(nn.RNN(1024, 1024)), (30, 1024)),
    "fcn5": (lambda: fcn(3), (26752,)),
    "fcn8": (lambda: fcn(6), (26752,)),
    "fcn5-r": (lambda: chain([784, 2048, 4096, 1024, 10], nn.Sigmoid), (784,)),
    "alexnet": (lambda: alexnet((64, 192, 384, 256, 256)), (3, 224, 224)),
    "alexnet-s": (lambda: alexnet((96, 256, 384, 384, 256)), (3, 224, 224)),
    "alexnet-227": (alexnet_227, (3, 227, 227)),
    "alexnet-s-same": (alexnet_s_same, (3, 224, 224)),
    "alexnet-s-caffe": (alexnet_s_caffe, (3, 224, 224)),
    "alexnet-r": (alexnet_r, (3, 32, 32)),
    "vgg-a": (lambda: vgg((1, 1, 2, 2, 2)), (3, 224, 224)),
    "vgg-16": (lambda: vgg((2, 2, 3, 3, 3)), (3, 224, 224)),
    "vgg-19": (lambda: vgg((2, 2, 4, 4, 4)), (3, 224, 224)),
    "overfeat": (overfeat, (3, 231, 231)),
    "googlenet": (googlenet, (3, 224, 224)),
    "resnet-50": (resnet50, (3, 224, 224)),
    "resnet-20": (lambda: resnet_cifar(20), (3, 32, 32)),
    "resnet-56": (lambda: resnet_cifar(56), (3, 32, 32)),
    "study": (lambda: nn.Sequential(nn.Conv2d(1, 20, 9), nn.Sigmoid(), nn.AvgPool2d(2), nn.Flatten(),
                                    nn.Linear(2000, 10)), (1, 28, 28)),
    "trial": (lambda: nn.Sequential(*conv_relu(1, 32, 5, 1, 2), nn.MaxPool2d(2),
                                    *conv_relu(32, 64, 5, 1, 2), nn.MaxPool2d(2), nn.Flatten(),
                                    *dense_relu(3136, 1024), nn.Dropout(0.5), nn.Linear(1024, 10)),
              (1, 28, 28)),
    "keras-cnn": (lambda: nn.Sequential(*conv_relu(1, 32, 3, 1, 0), *conv_relu(32, 32, 3, 1, 0),
                                        nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(),
                                        *dense_relu(4608, 128), nn.Dropout(0.5), nn.Linear(128, 10)),
                  (1, 28, 28)),
    "caffe-conv": (lambda: nn.Sequential(nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Flatten(),
                                         nn.Linear(2880, 10)), (1, 28, 28)),
    "keras-dense": (lambda: chain([100, 64, 10], nn.ReLU), (100,)),
    "softmax": (lambda: nn.Sequential(nn.Linear(784, 10)), (784,)),
    "yacht": (lambda: chain([6, 8, 1], nn.Tanh), (6,)),
    "p1b1": (p1b1, (60483,)),
    "p3b1": (p3b1, (400,)),
}
OF_VALUES = {"yacht", "p1b1", "basic-lstm", "basic-rnn"}


def measured(f, steps, seconds):
    f()
    times, begin = [], time.perf_counter()
    while len(times) < steps and (len(times) < 2 or time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return times


def peak_memory_of(f):
    open("/proc/self/clear_refs", "w").write("5")
    f()
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM"):
            return 1024 * int(line.split()[1])
    return 0


def main(name, batch, steps, seconds, threads=1, what="all"):
    torch.manual_seed(1)
    torch.set_num_threads(threads)
    make, sample = NETWORKS[name]
    net = make()
    if isinstance(net, Words):
        x = torch.randint(0, 10000, (*sample, batch))
    elif isinstance(net, Last):
        x = torch.rand((sample[0], batch, sample[1]))
    else:
        x = torch.rand((batch, *sample)) * 0.1
    if len(sample) == 3:
        net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    out = net.eval()(x)
    y = torch.rand_like(out) if name in OF_VALUES else torch.randint(0, out.shape[1], out.shape[:1])
    cost = nn.MSELoss() if name in OF_VALUES else nn.CrossEntropyLoss()
    optimiser = torch.optim.SGD(net.parameters(), lr=1e-4)

    def infer():
        with torch.no_grad():
            net(x)

    def forward():
        cost(net(x), y)

    def gradient():
        optimiser.zero_grad()
        cost(net(x), y).backward()

    def step():
        gradient()
        optimiser.step()

    figures = {"network": name, "batch": batch, "infer": measured(infer, steps, seconds)}
    net.train()
    if what == "all":
        figures["forward"] = measured(forward, steps, seconds)
        figures["gradient"] = measured(gradient, steps, seconds)
    if what != "infer":
        figures["step"] = measured(step, steps, seconds)
        figures["peak"] = peak_memory_of(step)
    print(json.dumps(figures))


if __name__ == "__main__":
    if sys.argv[1:2] == ["learn"]:
        import torch_learn

        sys.exit(torch_learn.main(sys.argv[2:]))
    main(sys.argv[1], *(int(a) for a in sys.argv[2:4]), float(sys.argv[4]), *map(int, sys.argv[5:6]),
         *sys.argv[6:])
