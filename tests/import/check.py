# SPDX-License-Identifier: BSD-3-Clause
"""Imports small networks, compiles what was written, and compares with ONNX's own evaluator:

    check.py IMPORTER FOLDER COMPILER [FLAGS..]

The program that is compiled reads and writes .npz files in FOLDER."""

import os
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

random = np.random.default_rng(1)


class Graph:
    """A network under construction: f = Graph("x", shape); f("Relu", "x") gives the result's name."""

    def __init__(self, shape):
        self.shape, self.nodes, self.weights = shape, [], []

    def __call__(self, op, *inputs, results=1, **attributes):
        names = []
        for i in inputs:
            if not isinstance(i, str):
                name = f"w.{len(self.weights)}"
                self.weights.append(numpy_helper.from_array(np.asarray(i), name))
                i = name
            names.append(i)
        outs = [f"{op}_{len(self.nodes)}_{k}" for k in range(results)]
        self.nodes.append(helper.make_node(op, names, outs, f"the {op}", **attributes))
        return outs[0] if results == 1 else outs

    def model(self, y):
        shape = ReferenceEvaluator(self.with_result(y, None)).run(None, {"x": some(*self.shape)})[0].shape
        return self.with_result(y, shape)

    def with_result(self, y, shape):
        graph = helper.make_graph(
            self.nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.shape)],
            [helper.make_tensor_value_info(y, TensorProto.FLOAT, shape)], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def some(*shape):
    return random.normal(size=shape).astype(np.float32)


def convolutions():
    f = Graph((2, 4, 11, 9))
    a = f("Conv", "x", some(6, 2, 3, 3), some(6), group=2, pads=[1, 1, 1, 1], strides=[2, 1])
    a = f("BatchNormalization", a, some(6), some(6), some(6), abs(some(6)) + 0.5, epsilon=1e-3)
    a = f("MaxPool", f("Relu", a), kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 0])
    a = f("Conv", a, some(5, 6, 2, 2), dilations=[1, 2])
    a = f("AveragePool", f("Sigmoid", a), kernel_shape=[2, 2])
    a = f("Flatten", a)
    return f, f("Gemm", a, some(7, 5), some(7), transB=1)


def branches():
    f = Graph((2, 3, 6, 6))
    a = f("Relu", f("Conv", "x", some(4, 3, 1, 1), some(4)))
    b = f("Relu", f("Conv", a, some(2, 4, 3, 3), some(2), pads=[1, 1, 1, 1]))
    c = f("MaxPool", a, kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1])
    d = f("Concat", b, c, axis=1)
    e = f("BatchNormalization", f("Conv", d, some(6, 6, 1, 1)), some(6), some(6), some(6), abs(some(6)) + 1)
    s = f("Relu", f("Add", e, d))
    return f, f("Gemm", f("Flatten", f("GlobalAveragePool", s)), some(6, 3), some(3))


def norms():
    """Batch normalisations that fold, and NOT_FOLDED that do not."""
    norm = lambda f, x, n: f("BatchNormalization", x, some(n), some(n), some(n), abs(some(n)) + 0.5)
    few = lambda *shape: some(*shape) / 4
    f = Graph((2, 3, 7, 7))
    a = norm(f, f("Conv", "x", few(4, 3, 3, 3)), 4)                   # folds, without a bias
    a = norm(f, f("Relu", f("Conv", a, few(4, 4, 1, 1), few(4))), 4)  # does not: a relu between
    b = f("Conv", a, few(4, 4, 1, 1), few(4))
    c = f("Add", norm(f, b, 4), b)                                     # does not: b is read twice
    d = norm(f, f("Conv", c, few(6, 2, 2, 2), few(6), group=2), 6)   # folds, in groups
    e = norm(f, f("Gemm", f("Flatten", d), few(5, 96), few(5), transB=1), 5)   # folds
    e = norm(f, f("Gemm", f("Relu", e), few(5, 3)), 3)                # folds, without a bias
    return f, norm(f, f("Sigmoid", e), 3)                              # does not


NOT_FOLDED = 3


def joined():
    """Parts of a concat that cannot be written where they belong: the input, and one that is read twice."""
    f = Graph((2, 3, 4, 4))
    a = f("Relu", "x")
    b = f("Concat", "x", f("Exp", a), axis=1)
    c = f("Concat", a, f("Neg", b), axis=1)
    d = f("Conv", c, some(2, 9, 3, 3))
    return f, f("Concat", f("Reshape", d, np.array([2, 8])), f("Flatten", f("AveragePool", d, kernel_shape=[2, 2])), axis=1)


def elementwise():
    f = Graph((6, 8))
    a = f("Gemm", "x", some(8, 5), some(5))
    b = f("Clip", f("LeakyRelu", a, alpha=0.2), np.float32(-0.5), np.float32(2))
    b = f("Max", b, np.float32(-np.inf))
    c = f("Mul", f("Sub", f("Tanh", b), np.float32(0.25)), f("Exp", f("Neg", f("Abs", b))))
    d = f("LayerNormalization", f("Div", c, abs(some(5)) + 1), some(5), some(5), epsilon=1e-4)
    e = f("Max", f("Pow", f("Sigmoid", d), np.float32(2)), f("Identity", some(5)))
    return f, f("Softmax", f("Add", e, some(6, 1)), axis=1)


def attention():
    f = Graph((5, 2, 12))
    q = f("Reshape", f("Add", f("MatMul", "x", some(12, 36)), some(36)), np.array([5, 2, 3, 12]))
    q = f("Transpose", q, perm=[2, 1, 0, 3])
    a, b, c = (f("Gather", q, np.array(k), axis=0) for k in range(3))
    s = f("Softmax", f("MatMul", f("Mul", a, np.float32(0.3)), f("Transpose", b, perm=[0, 2, 1])), axis=-1)
    y = f("Transpose", f("MatMul", s, c), perm=[1, 0, 2])
    y = f("Slice", y, np.array([1]), np.array([4]), np.array([0]))
    return f, f("Unsqueeze", y, np.array([0]))


def recurrent():
    f = Graph((4, 3, 5))
    y, last, _ = f("LSTM", "x", some(1, 24, 5), some(1, 24, 6), some(1, 48), hidden_size=6, results=3)
    a = f("Squeeze", y, np.array([1]))
    z, last, _ = f("LSTM", a, some(1, 8, 6), some(1, 8, 2), some(1, 16), hidden_size=2, results=3)
    return f, f("Gemm", f("Squeeze", last, np.array([0])), some(2, 3), some(3))


NETWORKS = (convolutions, branches, norms, joined, elementwise, attention, recurrent)

MAIN = """#include <felt/npz.hpp>
{includes}
#include "embedded.hpp"
template <class Net, std::size_t R, class Embedded = Net>
void run(char const* name) {{
    felt::npz const in = felt::load_npz("x.npz");
    felt::extents<R> e;
    for (std::size_t r = 0; r < R; ++r) e[r] = in.array(name).extents[r];
    felt::Tensor<float, R> x(e);
    in.get(name, x);
    Net net(felt::load_npz(std::string(name) + ".npz"));
    felt::npz out;
    out.put("fused", net(felt::view(x)));
    out.put("unfused", net(felt::view(x), felt::unfused));
    if constexpr (!std::is_same_v<Net, Embedded>) out.put("embedded", Embedded()(felt::view(x)));
    felt::save_npz(std::string(name) + "_y.npz", out);
}}
int main() {{
{calls}
}}
"""


def import_it(importer, path, folder, *more):
    command = [sys.executable, "-B", importer, path, "--out", folder, *more]
    return subprocess.run(command, capture_output=True, text=True)


def call(name, rank):
    embedded = ", imported::embedded" if name == "branches" else ""
    return f'    run<imported::{name}, {rank}{embedded}>("{name}");'


def check_memory(name, said, folder):
    """Values that follow one another share memory, those that live together do not; as it is reported."""
    shared, apart = map(float, re.search(r"values in ([\d.]+) KiB of ([\d.]+)", said).groups())
    with open(os.path.join(folder, name + ".hpp")) as source:
        text = source.read()
    views = re.findall(r"(\w+) = felt::view(?:<\S+>)?\(memory\.data\(\)(?: \+ (\d+))?, {([\d, ]+)}\)", text)
    lives = []
    for buffer, first, extents in views:
        floats = int(np.prod([int(e) for e in extents.split(",")]))
        names = {buffer, *re.findall(rf"(\w+) = felt::view\({buffer}\.data", text)}
        uses = [k for k, line in enumerate(text.splitlines()) if names & set(re.findall(r"\w+", line))]
        lives.append((int(first or 0), int(first or 0) + floats, uses[0] + 1, uses[-1]))
    size = int((re.search(r"memory{{(\d+)}}", text) or [0, 0])[1])
    assert abs(shared - size / 256) <= 0.051 and all(last <= size for _, last, _, _ in lives)
    for k, (a, b, first, last) in enumerate(lives):
        for c, d, other_first, other_last in lives[:k]:
            together = first <= other_last and other_first <= last
            assert not together or b <= c or d <= a, f"{name}: two values that live together overlap"
    assert shared < apart or len(views) < 3, f"{name}: {shared} KiB of {apart}"
    print(f"{name}: {len(views)} values in {shared} KiB of {apart}")


def check_folds(folder):
    with open(os.path.join(folder, "norms.hpp")) as source:
        left = source.read().count(" * felt::along<1>(")
    assert left == NOT_FOLDED, f"{left} normalisations are left, {NOT_FOLDED} should be"


def compare(importer, folder, compiler, flags):
    nets, shown, expected = {}, {}, {}
    for make in NETWORKS:
        f, y = make()
        name, path = make.__name__, os.path.join(folder, make.__name__ + ".onnx")
        model = f.model(y)
        onnx.save(model, path)
        done = import_it(importer, path, folder)
        assert done.returncode == 0, done.stderr
        check_memory(name, done.stdout, folder)
        if name == "branches":
            assert import_it(importer, path, folder, "--embed", "--name", "embedded").returncode == 0
            assert not os.path.exists(os.path.join(folder, "embedded.npz"))
        nets[name], shown[name] = len(f.shape), some(*f.shape)
        expected[name] = ReferenceEvaluator(model).run(None, {"x": shown[name]})[0]
    check_folds(folder)
    np.savez(os.path.join(folder, "x.npz"), **shown)
    with open(os.path.join(folder, "main.cpp"), "w") as out:
        out.write(MAIN.format(includes="\n".join(f'#include "{n}.hpp"' for n in nets),
                              calls="\n".join(call(*net) for net in nets.items())))
    subprocess.run([compiler, *flags, "main.cpp", "-o", "all", "-lzip", "-lz"], cwd=folder, check=True)
    subprocess.run(["./all"], cwd=folder, check=True)
    for name, y in expected.items():
        for how, mine in np.load(os.path.join(folder, name + "_y.npz")).items():
            assert mine.shape == y.shape, f"{name}: {mine.shape} is not {y.shape}"
            apart = abs(mine - y).max() / abs(y).max()
            print(f"{name}, {how}: {apart:.1e} apart")
            assert apart < 1e-4


def refuse(importer, folder):
    """One line that names what is wrong, and no file."""
    def refused(name, data, *words):
        path = os.path.join(folder, name + ".onnx")
        with open(path, "wb") as out:
            out.write(data)
        done = import_it(importer, path, folder)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
        assert all(w in done.stderr for w in (path, *words)), done.stderr
        assert not os.path.exists(os.path.join(folder, name + ".hpp"))

    f = Graph((2, 2))
    good = f.model(f("Det", f("Reshape", "x", np.array([1, 2, 2])))).SerializeToString()
    refused("unknown", good, "operator Det", "the Det")
    refused("truncated", good[:len(good) // 2], "damaged")
    refused("text", b"not a network", "damaged")
    g = Graph((1, 2, 5, 5))
    sides = g.model(g("MaxPool", "x", kernel_shape=[2, 2], pads=[0, 0, 1, 1])).SerializeToString()
    refused("sides", sides, "MaxPool", "two sides")
    h = Graph((1, 2, 5, 5))
    wider = h("BatchNormalization", h("ConvTranspose", "x", some(2, 3, 2, 2)), some(3), some(3), some(3), abs(some(3)))
    refused("wider", h.model(wider).SerializeToString(), "operator ConvTranspose", "the ConvTranspose")
    t = Graph((2, 3, 5, 5))
    trained = t("BatchNormalization", "x", some(3), some(3), some(3), abs(some(3)), training_mode=1, results=3)
    refused("trained", t.model(trained[0]).SerializeToString(), "BatchNormalization", "training")


def say_what_is_missing(importer):
    """Without the packages of this Python: one line as well."""
    done = subprocess.run([sys.executable, "-BES", importer, "any.onnx"], capture_output=True, text=True)
    assert done.stderr == "felt_import.py: needs the Python package onnx: pip install onnx\n", done.stderr


if __name__ == "__main__":
    tool, where, cxx, *options = sys.argv[1:]
    os.makedirs(where, exist_ok=True)
    say_what_is_missing(tool)
    refuse(tool, where)
    compare(tool, where, cxx, options)
