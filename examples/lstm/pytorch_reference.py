#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Trains the model of felt_lstm with PyTorch, from the same start on the same batches.

    felt_lstm --data DIR --reference --out ref
    python3 examples/lstm/pytorch_reference.py ref/reference.npz [--time 10000]

Prints both perplexities of the text held out, and fails if they differ by more than 5 %.
--time VOCABULARY also times training steps of batch 128 on one thread.
"""

import argparse
import sys
import time

import numpy
import torch


class Model(torch.nn.Module):
    def __init__(self, vocabulary, hidden, layers):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocabulary, hidden)
        self.lstm = torch.nn.LSTM(hidden, hidden, layers)
        self.projection = torch.nn.Linear(hidden, vocabulary)

    def forward(self, words, state):
        h, state = self.lstm(self.embedding(words), state)
        return self.projection(h), state


def model_of(file):
    """The start that felt_lstm had: columns of gates i, j, f, o, here rows of i, f, g, o."""
    vocabulary, hidden = file["E"].shape
    layers = sum(name.startswith("W") for name in file.files)
    model = Model(vocabulary, hidden, layers)

    def reordered(columns):
        i, j, f, o = numpy.split(columns, 4, axis=-1)
        return torch.from_numpy(numpy.concatenate([i, f, j, o], axis=-1).T.copy())

    with torch.no_grad():
        model.embedding.weight.copy_(torch.from_numpy(file["E"]))
        model.projection.weight.copy_(torch.from_numpy(file["P"].T.copy()))
        model.projection.bias.copy_(torch.from_numpy(file["q"]))
        for k in range(layers):
            w = file[f"W{k + 1}"]
            getattr(model.lstm, f"weight_ih_l{k}").copy_(reordered(w[:hidden]))
            getattr(model.lstm, f"weight_hh_l{k}").copy_(reordered(w[hidden:]))
            getattr(model.lstm, f"bias_ih_l{k}").copy_(reordered(file[f"b{k + 1}"]))
            getattr(model.lstm, f"bias_hh_l{k}").zero_().requires_grad_(False)
    return model


def windows(text, steps, batch):
    """Sequence n of the batch goes through the n-th part of the text."""
    part = (len(text) - 1) // batch
    rows = [text[n * part : n * part + part + 1] for n in range(batch)]
    columns = torch.from_numpy(numpy.stack(rows, axis=1))
    for k in range(part // steps):
        at = k * steps
        yield columns[at : at + steps], columns[at + 1 : at + steps + 1]


def cost_of(model, words, following, state):
    scores, state = model(words, state)
    loss = torch.nn.functional.cross_entropy(
        scores.flatten(0, 1), following.flatten(), reduction="sum"
    )
    return loss / words.shape[1], tuple(s.detach() for s in state)


def step(model, words, following, state, rate, clip):
    cost, state = cost_of(model, words, following, state)
    parameters = [p for p in model.parameters() if p.requires_grad]
    for p in parameters:
        p.grad = None
    cost.backward()
    torch.nn.utils.clip_grad_norm_(parameters, clip)
    with torch.no_grad():
        for p in parameters:
            p -= rate * p.grad
    return cost.item(), state


def perplexity(model, text, steps, batch):
    total, count, state = 0.0, 0, None
    with torch.no_grad():
        for words, following in windows(text, steps, batch):
            cost, state = cost_of(model, words, following, state)
            total, count = total + cost.item() / steps, count + 1
    return float(numpy.exp(total / count))


def time_steps(vocabulary, hidden, layers, steps, batch):
    torch.set_num_threads(1)
    model = Model(vocabulary, hidden, layers)
    words, following = torch.randint(vocabulary, (2, steps, batch))
    times = []
    for _ in range(6):
        start = time.process_time()
        step(model, words, following, None, 1, 5)
        times.append(time.process_time() - start)
    return min(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference", help="reference.npz of felt_lstm --reference")
    parser.add_argument("--time", type=int, metavar="VOCABULARY", help="also time training steps")
    arguments = parser.parse_args()
    file = numpy.load(arguments.reference)
    steps, batch, iterations = (int(file[name]) for name in ("steps", "batch", "iterations"))
    rate, clip = float(file["rate"]), float(file["clip"])

    model, done = model_of(file), 0
    while done < iterations:
        state = None
        for words, following in windows(file["train"], steps, batch):
            if done == iterations:
                break
            cost, state = step(model, words, following, state, rate, clip)
            done += 1
            if done % 25 == 0:
                print(f"{done}/{iterations}  cost {cost / steps:.4f}", flush=True)
    here, theirs = float(file["perplexity"]), perplexity(model, file["test"], steps, batch)
    print(f"perplexity: felt_lstm {here:.2f}, PyTorch {theirs:.2f}, ratio {here / theirs:.4f}")
    if arguments.time:
        hidden = file["E"].shape[1]
        seconds = time_steps(arguments.time, hidden, model.lstm.num_layers, steps, 128)
        print(f"PyTorch, one thread, batch 128, {steps} steps, {arguments.time} words: "
              f"{1e3 * seconds:.0f} ms a training step")
    return 0 if abs(here / theirs - 1) < 0.05 else 1


if __name__ == "__main__":
    sys.exit(main())
