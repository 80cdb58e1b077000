# SPDX-License-Identifier: BSD-3-Clause
"""Normalisations, and how one of a batch is folded into the product before it."""

import numpy as np

from . import refuse
from .cpp import grouped, number
from .values import Value


def with_norm_behind(writer, n, w, bias):
    """Weights w (outputs, ..), bias and output of n, of a batch normalisation too if it alone reads n."""
    graph, out = writer.graph, n.output[0]
    readers = graph.readers_of(out)
    if len(readers) != 1 or readers[0].op_type != "BatchNormalization" or out == graph.output:
        return w, bias, out
    scale, shift = scale_and_shift(graph, readers[0])
    w = w * scale.reshape(-1, *[1] * (w.ndim - 1))
    return w, shift + (0 if bias is None else bias * scale), readers[0].output[0]


def scale_and_shift(graph, n):
    if any(at.name == "training_mode" and at.i for at in n.attribute):
        refuse(n, "that of training is not known; export net.eval()")
    gamma, beta, mean, variance = (graph.constants[i] for i in n.input[1:5])
    epsilon = next((at.f for at in n.attribute if at.name == "epsilon"), 1e-5)
    scale = gamma / np.sqrt(variance + epsilon)
    return scale, beta - mean * scale


def batch_norm(writer, n, _):
    if n.output[0] in writer.values:
        return  # the product before it has it in its weights
    x = writer.value(n.input[0])
    scale, shift = scale_and_shift(writer.graph, n)
    code = (f"{grouped(x.code)} * felt::along<1>({writer.weight(n.input[1], scale)}) + "
            f"felt::along<1>({writer.weight(n.input[2], shift)})")
    writer.give(n.output[0], Value(code, x.shape, False))


def layer_norm(writer, n, a):
    x = writer.value(n.input[0])
    if a.get("axis", -1) not in (-1, x.rank - 1):
        refuse(n, "of several axes is not known")
    x = writer.in_memory("h", x)
    mean, var = (f"felt::{f}<-1>({x.code}, felt::keepdims)" for f in ("mean", "var"))
    epsilon = number(a.get("epsilon", 1e-5))
    code = f"({x.code} - {mean}) / sqrt({var} + {epsilon}) * {writer.value(n.input[1]).code}"
    if len(n.input) > 2:
        code += f" + {writer.value(n.input[2]).code}"
    writer.give(n.output[0], Value(code, x.shape, False))


def softmax(writer, n, a):
    x = writer.value(n.input[0])
    writer.give(n.output[0], Value(f"felt::softmax<{a.get('axis', -1)}>({x.code})", x.shape, False))


OPERATORS = {"BatchNormalization": batch_norm, "LayerNormalization": layer_norm, "Softmax": softmax}
