# SPDX-License-Identifier: BSD-3-Clause
"""Convolutions, products of matrices, and layers of an LSTM."""

import numpy as np

from . import refuse
from .cpp import further_options
from .normalisation import with_norm_behind
from .values import Value, one_more_axis
from .windows import window_options

# What several rows of a product read column by column lies so; a single row reads it as it is in the file.
FEW_ROWS = 4


def conv(writer, n, a):
    w = writer.graph.constants[n.input[1]]
    if w.ndim != 4:
        refuse(n, f"over {w.ndim - 2} axes, known are 2")
    x, bias = writer.value(n.input[0]), n.input[2] if len(n.input) > 2 else ""
    w, shift, out = with_norm_behind(writer, n, w, writer.graph.constants[bias] if bias else None)
    options = window_options(n, a, {"stride": a.get("strides", [1, 1]), "dilation": a.get("dilations", [1, 1])})
    if a.get("group", 1) != 1:
        options.append(f".groups = {a['group']}")
    code = f"conv2d({x.code}, {writer.weight(n.input[1], w, 'filters')}{further_options(options)})"
    if shift is not None:
        code += f" + felt::along<1>({writer.weight(bias or n.input[1] + '_shift', shift)})"
    writer.give(out, Value(code, writer.graph.shape(out), False))


def gemm(writer, n, a):
    constants = writer.graph.constants
    x, w = writer.value(n.input[0]), constants[n.input[1]]
    if a.get("transA", 0) or a.get("alpha", 1) != 1 or a.get("beta", 1) != 1:
        refuse(n, "transA, alpha and beta are not known")
    w = w if a.get("transB", 0) else w.T
    if x.flattened is not None:
        w = w.reshape(-1, *x.flattened[1:]).transpose(0, 2, 3, 1).reshape(w.shape)
    bias = constants[n.input[2]] if len(n.input) > 2 and n.input[2] else None
    folded, shift, out = with_norm_behind(writer, n, w, bias)
    kind = None if x.shape[0] <= FEW_ROWS else "columns"
    code = f"matmul({x.code}, transpose({writer.weight(n.input[1], folded, kind)}))"
    if out != n.output[0]:
        code += f" + {writer.weight(n.input[1] + '_shift', shift)}"
    elif bias is not None:
        code += f" + {writer.value(n.input[2]).code}"
    writer.give(out, Value(code, writer.graph.shape(out), False))


def matmul(writer, n, _):
    a, b = (writer.value(i) for i in n.input)
    writer.give(n.output[0], Value(f"matmul({a.code}, {b.code})", writer.graph.shape(n.output[0]), False))


def lstm(writer, n, a):
    constants = writer.graph.constants
    if a.get("direction", b"forward") != b"forward" or "activations" in a or n.input[4:5] not in ([""], []):
        refuse(n, "other than plain and forward is not known")
    if any(np.any(constants[i]) for i in n.input[5:7] if i):
        refuse(n, "a first state is not known")
    x, (w, r) = writer.value(n.input[0]), (constants[i][0] for i in n.input[1:3])
    hidden = r.shape[1]
    b = constants[n.input[3]][0] if len(n.input) > 3 and n.input[3] else np.zeros(8 * hidden)
    weight = writer.weight(n.input[1], np.concatenate([w, r], 1).T)
    bias = writer.weight(n.input[1] + "_bias", b[:4 * hidden] + b[4 * hidden:])
    steps, batch, inputs = x.shape
    layer = writer.unused("lstm")
    writer.members.append(
        f"felt::lstm<float> {layer}{{felt::recurrent_shape_for({steps}, {batch}, {inputs}, {hidden}), "
        '{.order = "iofj"}};')
    writer.set_up.append(f"{layer}.weights(felt::view({weight}), felt::view({bias}));")
    series = x.code if x.code == "x" else f"felt::View<float const, {x.rank}>({x.code})"
    writer.statements.append(f"{layer}.reset(), {layer}.infer(how, {series});")
    y = Value(f"{layer}.outputs()", (steps, batch, hidden), True)
    writer.values[n.output[0]] = one_more_axis(y, 1)
    for o, what in zip(n.output[1:3], ("last", "last_cell")):
        writer.values[o] = one_more_axis(Value(f"{layer}.{what}()", (batch, hidden), True), 0)


OPERATORS = {"Conv": conv, "Gemm": gemm, "MatMul": matmul, "LSTM": lstm}
