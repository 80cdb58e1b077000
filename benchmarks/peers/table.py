#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""felt_bench_table, with its peers, beside PyTorch, eager and compiled: a Markdown table, one thread.

    python table.py BUILD/benchmarks/felt_bench_table [PART OF A NAME] [--compile]

Each statement is written with torch as people do, and run in the same hour on the same machine: the least
of several times of the clock. `of the limit` is what a core could do at best by what Felt takes.
"""
import os
import re
import subprocess
import sys
import time

import kept_memory

kept_memory.keep()

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402


def drawn(*shape):
    return torch.randn(*shape)


def streams():
    n = 4096
    x, y, row, column = drawn(n, n), drawn(n, n), drawn(n), drawn(n, 1)
    images = drawn(64, 64, 64, 64)
    data = torch.randint(0, 256, (n, n), dtype=torch.uint8)
    return {
        "clip((x * row + column) / 2 - abs(x), -1, 1)":
            lambda: torch.clip((x * row + column) * 0.5 - x.abs(), -1, 1),
        "transpose(x)": lambda: x.t().contiguous(),
        "x + transpose(x)": lambda: x + x.t(),
        "sum<0>(x)": lambda: x.sum(0),
        "sum<1>(x)": lambda: x.sum(1),
        "sum<0>(transpose(x))": lambda: x.t().sum(0),
        "max<1>(x)": lambda: x.amax(1),
        "max<0>(x)": lambda: x.amax(0),
        "argmax<1>(x)": lambda: x.argmax(1),
        "concat<0>(x, y)": lambda: torch.cat((x, y)),
        "pad(x)": lambda: F.pad(x, (1, 1, 1, 1)),
        "slice(x, inner)": lambda: x[1:-1, 1:-1].contiguous(),
        "permute<0, 3, 1, 2>(images)": lambda: images.permute(0, 3, 1, 2).contiguous(),
        "(float(bytes) / 255 - 0.5) * 2": lambda: (data.float() / 255 - 0.5) * 2,
    }


def rows(m, n):
    x, of = drawn(m, n), f" of {m} x {n}"
    return {
        "x - mean<1>(x)" + of: lambda: x - x.mean(1, keepdim=True),
        "standardised rows" + of: lambda: F.layer_norm(x, (n,)),
        "RMS norm" + of: lambda: F.rms_norm(x, (n,), eps=1e-5),
        "softmax<1>" + of: lambda: x.softmax(1),
        "log_softmax<1>" + of: lambda: x.log_softmax(1),
        "logsumexp<1>" + of: lambda: x.logsumexp(1),
        "var<1>" + of: lambda: x.var(1),
        "standardised columns" + of:
            lambda: (x - x.mean(0)) / torch.sqrt(x.var(0, correction=0) + 1e-5),
        "softmax<0>" + of: lambda: x.softmax(0),
    }


def products():
    out = {}
    for m, n, k in ((1024, 1024, 1024), (2048, 64, 1024), (128, 128, 128)):
        a, b, c, of = drawn(m, k), drawn(k, n), drawn(n), f" of ({m}, {n}, {k})"
        out["matmul(a, b)" + of] = lambda a=a, b=b: a @ b
        out["sigmoid(matmul(a, b) + c)" + of] = lambda a=a, b=b, c=c: torch.sigmoid(a @ b + c)
    a, v = drawn(4096, 4096), drawn(4096, 1)
    out["matmul(a, v) of 4096 x 4096"] = lambda: a @ v
    q, k, w = drawn(4, 1024, 64), drawn(4, 1024, 64), drawn(4, 1024, 64)
    out["attention of 4 x 1024 x 64"] = lambda: F.scaled_dot_product_attention(q, k, w)
    x, wx, c = drawn(32, 128), drawn(128, 512), drawn(32, 128)

    def cell():
        i, f, g, o = (x @ wx).chunk(4, 1)
        return o.sigmoid() * (f.sigmoid() * c + i.sigmoid() * g.tanh()).tanh()

    out["LSTM cell of 32 x 128"] = cell
    return out


def convolutions():
    last = torch.channels_last
    x = drawn(8, 128, 28, 28).contiguous(memory_format=last)
    w = drawn(128, 128, 3, 3).contiguous(memory_format=last)
    digits, small = drawn(256, 1, 28, 28), drawn(8, 1, 9, 9)
    return {
        "conv2d 3 x 3 of 8 x 28 x 28 x 128": lambda: F.conv2d(x, w, padding=1),
        "max pool of relu of that": lambda: F.max_pool2d(F.relu(F.conv2d(x, w, padding=1)), 2),
        "mean pool of sigmoid of conv2d 9 x 9 of 256 digits":
            lambda: F.avg_pool2d(torch.sigmoid(F.conv2d(digits, small)), 2),
    }


def least(f):
    best, total, i = 1e9, 0, 0
    while i < 5 or (total < 0.3 and i < 200):
        start = time.perf_counter()
        f()
        t = time.perf_counter() - start
        best, total, i = min(best, t) if i else 1e9, total + t, i + 1
    return 1e3 * best


def text(ms):
    return f"{ms:.3g}" if ms < 100 else f"{ms:.0f}"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--compile"]
    compiles = "--compile" in sys.argv
    torch.set_num_threads(1)
    torch.manual_seed(1)
    peers = {**streams(), **rows(16384, 1000), **rows(2048, 8192), **rows(16, 1000), **products(),
             **convolutions()}
    plain = {k: v for k, v in os.environ.items() if k != "GLIBC_TUNABLES"}
    run = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True, env=plain)
    others = run.stdout.splitlines()[0].split("\t")[6:-1]
    titles = ["statement", "limit", "by", "felt", "of the limit", "unfused", "PyTorch"]
    titles += ["compiled"] * compiles + others + ["two threads"]
    print("| " + " | ".join(titles) + " |\n|---|--:|---|" + "--:|" * (len(titles) - 3))
    for line in run.stdout.splitlines()[1:]:
        name, limit, by, fused, unfused, two, *found, wrong = line.split("\t")
        limit, fused, unfused, two = (float(v) for v in (limit, fused, unfused, two))
        with torch.no_grad():
            f = peers.get(name)
            cells = [text(least(f)) if f else ""]
            if compiles:
                torch._dynamo.reset()
                cells.append(text(least(torch.compile(f))) if f else "")
        cells += [text(float(t)) if t else "" for t in found]
        shown = re.sub(r"\|", r"\\|", name)
        print(f"| `{shown}` | {text(limit)} | {by} | {text(fused)} | {limit / fused:.2f} | "
              f"{unfused / fused:.2f} x | " + " | ".join(cells) + f" | {fused / two:.2f} x |"
              + (" WRONG" if wrong.strip() else ""), flush=True)


if __name__ == "__main__":
    main()
