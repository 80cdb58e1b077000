# SPDX-License-Identifier: BSD-3-Clause
"""A lesson of felt_networks in PyTorch, from a folder that `felt_networks --lessons` wrote:

    torch_peer.py learn FOLDER [--device cuda] [--first-seed K] [--seeds N] [--epochs N] > scores.json

prints what felt_networks writes into learned.json; `felt_networks --add` puts such files together.
Samples lie on the device as wholes, and a step waits for nothing. What is random, initial values,
the order of samples and masks of dropout, has the same distributions as in Felt, and other values."""

import argparse
import json
import math
import pathlib
import sys
import time

import numpy
import torch
from torch import nn

import torch_peer


class Samples:
    """(samples, features), and of images (samples, h w c) behind their extents {c, h, w}."""

    def __init__(self, arrays, part, task, device):
        self.extents, self.classes = task["extents"], task["classes"]
        self.x = torch.from_numpy(arrays[part + "_x"]).to(device)
        has_target = part + "_y" in arrays
        self.y = torch.from_numpy(arrays[part + "_y"]).to(device) if has_target else self.x

    def shown(self, which):
        x = self.x[which]
        if len(self.extents) == 1:
            return x
        c, h, w = self.extents
        return x.view(-1, h, w, c).permute(0, 3, 1, 2)  # channels_last


def samples_of(task, folder, device):
    with numpy.load(folder / task["data"]) as arrays:
        return [Samples(arrays, part, task, device) for part in ("train", "test")]


def begin(p, how):
    """Felt's initial.hpp: of w (o, i, ..) fan_in is i.., fan_out is o times what follows i."""
    e, kind, v = how["extents"], how["begin"], how["value"]
    inner = math.prod(e[1:]) if len(e) > 1 else p.numel()
    outputs = inner // e[1] * e[0] if len(e) > 1 else e[0]
    glorot = math.sqrt(6 / (inner + outputs))
    with torch.no_grad():
        if kind == "equal":
            p.fill_(v)
        elif kind in ("normal", "truncated"):
            p.normal_(0, v)
            if kind == "truncated":
                p.masked_fill_(p.abs() >= 2 * v, 0)
        elif kind == "he":
            p.normal_(0, math.sqrt(2 / inner))
        else:
            r = {"uniform": v, "glorot": glorot}[kind]
            p.uniform_(-r, r)


def network(name, task, device):
    features, classes = task["extents"][0], task["classes"]
    if name == "p1b1":
        net = torch_peer.p1b1(features)
    elif name == "p3b1":
        net = torch_peer.p3b1(classes)
    elif name == "yacht-pca":
        net = torch_peer.chain([features, 8, 1], nn.Tanh)
    else:
        net = torch_peer.NETWORKS[name][0]()
    shapes = [(p.shape[0], p.numel()) for p in net.parameters()]
    expected = [(how["extents"][0], math.prod(how["extents"])) for how in task["parameters"]]
    if shapes != expected:
        sys.exit(f"torch_peer.py: the parameters of {name} are not those of the lesson")
    if len(task["extents"]) == 3:
        net = net.to(memory_format=torch.channels_last)
    net = net.to(device)
    for p, how in zip(net.parameters(), task["parameters"]):
        begin(p, how)
    return net


def optimiser_of(parameters, rule):
    if rule["kind"] == "adam":
        return torch.optim.Adam(parameters, rule["rate"], (rule["beta1"], rule["beta2"]))
    if rule["kind"] == "adadelta":
        return torch.optim.Adadelta(parameters, rule["rate"], rule["rho"], rule["epsilon"])
    return torch.optim.SGD(parameters, rule["rate"], rule["momentum"],
                           weight_decay=rule["weight_decay"])


class Learner:
    def __init__(self, lesson, task, net, data):
        self.rule, self.batch, self.net, self.steps = lesson["rule"], lesson["batch"], net, 0
        self.train, self.test = data
        if len(self.train.x) < self.batch:
            sys.exit(f"torch_peer.py: batches of {self.batch} from {len(self.train.x)} samples")
        self.cost = nn.CrossEntropyLoss() if task["classes"] else nn.MSELoss()
        self.optimiser = optimiser_of(net.parameters(), self.rule)

    def step(self, which):
        self.steps += 1
        if self.rule["kind"] == "adam":  # in Felt it is added to sqrt(v) before v is corrected
            corrected = math.sqrt(1 - self.rule["beta2"] ** self.steps)
            self.optimiser.param_groups[0]["eps"] = self.rule["epsilon"] / corrected
        self.optimiser.zero_grad()
        cost = self.cost(self.net(self.train.shown(which)), self.train.y[which])
        cost.backward()
        self.optimiser.step()
        return cost.detach()

    def epoch(self, steps):
        self.net.train()
        order = torch.randperm(len(self.train.x), device=self.train.x.device)
        costs = [self.step(order[k * self.batch:(k + 1) * self.batch]) for k in range(steps)]
        if not torch.stack(costs).isfinite().all():
            sys.exit("torch_peer.py: the cost is no finite number")

    def outputs(self):
        self.net.eval()
        with torch.no_grad():
            parts = torch.arange(len(self.test.x), device=self.test.x.device).split(self.batch)
            return torch.cat([self.net(self.test.shown(which)) for which in parts])


def correlation(x, y):
    return torch.corrcoef(torch.stack([x.flatten().double(), y.flatten().double()]))[0, 1].item()


def f1(said, right):
    """By class and then the mean, and of all at once; of classes that occur in either."""
    each = []
    for c in torch.cat([said, right]).unique():
        hits = ((said == c) & (right == c)).sum()
        each.append((2 * hits / ((said == c).sum() + (right == c).sum())).item())
    return [sum(each) / len(each), (said == right).double().mean().item()]


def score(measure, learners):
    outputs = [(l.outputs(), l.test.y) for l in learners]
    if measure == "correlation":
        return correlation(*outputs[0])
    if measure == "accuracy":
        return (outputs[0][0].argmax(1) == outputs[0][1]).double().mean().item()
    six = [s for z, y in outputs for s in f1(z.argmax(1), y)]
    return math.prod(six) ** (1 / len(six))


def learners_of(lesson, data, device):
    nets = [network(lesson["network"], task, device) for task in lesson["tasks"]]
    for net in nets[1:]:
        for k in range(lesson["shared_layers"]):
            net[k] = nets[0][k]
    return [Learner(lesson, *of) for of in zip(lesson["tasks"], nets, data)]


def learn(lesson, data, seed, device, say):
    torch.manual_seed(seed)
    learners = learners_of(lesson, data, device)
    left = lesson["steps"] or math.inf
    scores, seconds = [], []
    while len(scores) < lesson["epochs"] and left > 0:
        start = time.perf_counter()
        for one in learners:
            steps = min(left, len(one.train.x) // one.batch)
            one.epoch(steps)  # it ends in a look at the costs, which waits for the device
            left -= steps
        seconds.append(time.perf_counter() - start)
        scores.append(score(lesson["measure"], learners))
        say(f"{lesson['network']}, PyTorch, seed {seed}, epoch {len(scores)}: "
            f"{scores[-1]:.4f}, {seconds[-1]:.3g} s")
    return scores, seconds


def arguments(words):
    p = argparse.ArgumentParser(prog="torch_peer.py learn")
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--device", default="cpu")
    for option in ("--first-seed", "--seeds", "--epochs", "--threads"):
        p.add_argument(option, type=int)
    p.add_argument("--quiet", action="store_true")
    return p.parse_args(words)


def main(words):
    a = arguments(words)
    lesson = json.loads((a.folder / "lesson.json").read_text())
    for key in ("first_seed", "seeds", "threads"):
        if getattr(a, key):
            lesson[key] = getattr(a, key)
    if a.epochs:
        lesson.update(epochs=a.epochs, steps=0)
    torch.set_num_threads(lesson["threads"])
    torch.backends.cudnn.allow_tf32 = False  # float, as Felt
    device = torch.device(a.device)
    data = [samples_of(task, a.folder, device) for task in lesson["tasks"]]
    say = (lambda text: None) if a.quiet else (lambda text: print(text, file=sys.stderr, flush=True))
    seeds = range(lesson["first_seed"], lesson["first_seed"] + lesson["seeds"])
    way = {"by": "PyTorch", "seeds": list(seeds), "scores": [], "seconds": []}
    for seed in seeds:
        scores, seconds = learn(lesson, data, seed, device, say)
        way["scores"].append(scores)
        way["seconds"] += seconds
    kept = ("network", "measure", "source", "batch", "published")
    train, test = (sum(len(part.x) for part in parts) for parts in zip(*data))
    print(json.dumps([{**{key: lesson[key] for key in kept}, "train": train, "test": test,
                       "ways": [way]}]))
