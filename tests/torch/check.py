# SPDX-License-Identifier: BSD-3-Clause
"""check.py FOLDER_OF_TORCH_LEARN FELT_NETWORKS: what torch_learn.py calls the same is the same."""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch

sys.path.insert(0, sys.argv[1])
import torch_learn

X = numpy.array([[1, 2], [-1, 0.5], [0.3, -2]])
Y = numpy.array([[1], [0], [-1.0]])
RATE = 0.05


class Given:
    """In the place of Samples: all of X and Y as a batch."""

    x = torch.tensor(X, dtype=torch.float64)
    y = torch.tensor(Y, dtype=torch.float64)

    def shown(self, which):
        return self.x[which]


def sgd(rule):
    v = 0

    def step(w, g):  # felt/nn/sgd.hpp
        nonlocal v
        v = rule["momentum"] * v + RATE * (g + rule["weight_decay"] * w)
        return w - v
    return step


def adam(rule):
    m, v, t, b1, b2 = 0, 0, 0, rule["beta1"], rule["beta2"]

    def step(w, g):  # felt/nn/adam.hpp
        nonlocal m, v, t
        m, v, t = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g, t + 1
        rate = RATE * math.sqrt(1 - b2 ** t) / (1 - b1 ** t)
        return w - rate * m / (numpy.sqrt(v) + rule["epsilon"])
    return step


def adadelta(rule):
    s, d, rho, epsilon = 0, 0, rule["rho"], rule["epsilon"]

    def step(w, g):  # felt/nn/adadelta.hpp
        nonlocal s, d
        s = rho * s + (1 - rho) * g * g
        u = numpy.sqrt((d + epsilon) / (s + epsilon)) * g
        d = rho * d + (1 - rho) * u * u
        return w - RATE * u
    return step


def check_steps(by, **rule):
    rule["rate"] = RATE
    net = torch.nn.Linear(2, 1, bias=False, dtype=torch.float64)
    w, step = net.weight.detach().numpy().copy(), by(rule)
    learner = torch_learn.Learner({"rule": rule, "batch": 3}, {"classes": 0}, net, (Given(), Given()))
    for _ in range(5):
        learner.step(torch.arange(3))
        w = step(w, 2 / 3 * (X @ w.T - Y).T @ X)  # of the mean square
    assert numpy.allclose(w, net.weight.detach().numpy(), rtol=1e-9), rule["kind"]


def check_beginnings():
    """Deviations of felt/nn/initial.hpp, of filters (64, 32, 3, 3)."""
    fans, outputs = 32 * 9, 64 * 9
    expected = {"equal": 0, "normal": 0.1, "truncated": 0.1 * 0.8594, "uniform": 0.1 / math.sqrt(3),
                "he": math.sqrt(2 / fans), "glorot": math.sqrt(2 / (fans + outputs))}
    for kind, deviation in expected.items():
        p = torch.nn.Parameter(torch.empty(64, 32, 3, 3))
        torch_learn.begin(p, {"extents": list(p.shape), "begin": kind, "value": 0.1})
        assert abs(p.std().item() - deviation) < 0.03 * deviation + 1e-7, kind
        assert abs(p.mean().item() - (0.1 if kind == "equal" else 0)) < 0.01, kind


def check_scores():
    """As tests/examples/networks_data.cpp has them."""
    macro, micro = torch_learn.f1(torch.tensor([0, 0, 1, 2]), torch.tensor([0, 2, 2, 2]))
    assert abs(micro - 0.5) < 1e-6 and abs(macro - (2 / 3 + 0 + 2 / 4) / 3) < 1e-6
    x, y = torch.tensor([[1.0, 2], [3, 5]]), torch.tensor([[1.0, -1], [-1, 1]])
    assert abs(torch_learn.correlation(x, y) - 1 / math.sqrt(8.75 * 4)) < 1e-6


def check_images():
    """(h, w, c) in a row is channels_last."""
    task = {"extents": [3, 2, 4], "classes": 2}
    pixels = numpy.arange(48, dtype=numpy.float32).reshape(2, 24)
    images = torch_learn.Samples({"train_x": pixels}, "train", task, "cpu").shown([1])
    assert images.shape == (1, 3, 2, 4) and images[0, 2, 1, 3] == 24 + (1 * 4 + 3) * 3 + 2
    assert images.is_contiguous(memory_format=torch.channels_last)


def check_lesson(felt_networks, name, epochs):
    """It takes Felt's settings and samples, and learns about as well."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        subprocess.run([felt_networks, "--learn", name, "--data", folder, "--samples", "1000",
                        "--epochs", str(epochs), "--seeds", "1", "--quiet", "--out", out,
                        "--python", sys.executable], check=True, stdout=subprocess.DEVNULL)
        ours, peer = json.loads((out / "learned.json").read_text())[0]["ways"]
    assert peer["by"] == "PyTorch" and len(peer["scores"][0]) == epochs
    print(name, ours["mean"], peer["mean"])
    assert abs(ours["mean"] - peer["mean"]) < 0.2, name  # one seed each: .1 is usual


torch.manual_seed(1)
check_steps(sgd, kind="sgd", momentum=0.9, weight_decay=0.01)
check_steps(adam, kind="adam", beta1=0.9, beta2=0.999, epsilon=1e-2)
check_steps(adadelta, kind="adadelta", rho=0.95, epsilon=1e-7)
check_beginnings()
check_scores()
check_images()
check_lesson(sys.argv[2], "softmax", 3)  # labels in rows
check_lesson(sys.argv[2], "keras-cnn", 3)  # images, dropout
check_lesson(sys.argv[2], "p3b1", 1)  # three tasks with one first layer
