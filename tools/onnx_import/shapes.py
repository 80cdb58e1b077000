# SPDX-License-Identifier: BSD-3-Clause
"""Operators that choose, join or reorder elements: without moving any, where strides can say so."""

import numpy as np

from . import refuse
from .cpp import braced_list, sliced
from .values import Part, Value, inserted_axes


def same(writer, n, _):
    writer.give(n.output[0], writer.value(n.input[0]))


def flatten(writer, n, a):
    graph, name = writer.graph, n.output[0]
    x, rows = writer.value(n.input[0]), graph.readers_of(name)
    if x.lies is not None and x.lies[0].images and rows and all(r.op_type == "Gemm" for r in rows):
        b, array = x.lies
        lie = array.transpose(0, 2, 3, 1).reshape(graph.shape(name))
        if np.may_share_memory(lie, array):  # read as they lie, by weights in the same order
            writer.values[name] = Part(writer, b, lie)
            writer.values[name].flattened = x.shape
            return
    reshape(writer, n, a)


def reshape(writer, n, _):
    x, shape = writer.value(n.input[0]), writer.graph.shape(n.output[0])
    if x.inner is not None and x.inner.shape == shape:
        writer.values[n.output[0]] = x.inner
        return

    def otherwise():
        axes = inserted_axes(x.shape, shape)
        if axes is None:
            return Value(f"reshape({x.code}, {braced_list(shape)})", shape, False)
        code = x.code
        for axis in axes:
            code = f"felt::expand_dims<{axis}>({code})"
        return Value(code, shape, x.in_memory)

    writer.viewed(n.output[0], x, lambda array: array.reshape(shape), otherwise)


def transpose(writer, n, a):
    x = writer.value(n.input[0])
    axes = a.get("perm", list(range(x.rank))[::-1])
    writer.viewed(n.output[0], x, lambda array: array.transpose(axes), lambda: Value(
        f"felt::permute<{', '.join(map(str, axes))}>({x.code})", writer.graph.shape(n.output[0]), x.in_memory))


def concat(writer, n, a):
    if n.output[0] in writer.values:
        return  # its parts have been written where they belong
    parts = ", ".join(writer.value(i).code for i in n.input)
    writer.give(n.output[0], Value(f"felt::concat<{a['axis']}>({parts})", writer.graph.shape(n.output[0]), False))


def gather(writer, n, a):
    index = writer.graph.constants.get(n.input[1])
    if index is None or index.ndim != 0:
        refuse(n, "by other than one fixed index is not known")
    x = writer.value(n.input[0])
    axis, shape = a.get("axis", 0) % x.rank, list(x.shape)
    at = int(index) % shape.pop(axis)
    writer.viewed(n.output[0], x, lambda array: array[(slice(None),) * axis + (at,)],
                  lambda: Value(sliced(x.code, x.rank, {axis: str(at)}), shape, x.in_memory))


def slice_of(writer, n, _):
    x, constants = writer.value(n.input[0]), writer.graph.constants
    starts, ends = (constants[i] for i in n.input[1:3])
    axes = constants[n.input[3]] if len(n.input) > 3 else range(len(starts))
    if len(n.input) > 4 and any(s != 1 for s in constants[n.input[4]]):
        refuse(n, "steps are not known")
    parts, shape, taken = {}, list(x.shape), [slice(None)] * x.rank
    for axis, s, e in zip(axes, starts, ends):
        first, last, _ = slice(int(s), int(e)).indices(x.shape[axis])
        parts[axis % x.rank], shape[axis] = f"felt::range({first}, {last})", last - first
        taken[axis] = slice(first, last)
    writer.viewed(n.output[0], x, lambda array: array[tuple(taken)],
                  lambda: Value(sliced(x.code, x.rank, parts), shape, x.in_memory))


RESHAPES = {"Reshape": reshape, "Flatten": flatten, "Squeeze": reshape, "Unsqueeze": reshape}
OPERATORS = {**RESHAPES, **dict.fromkeys(["Identity", "Dropout", "Cast"], same), "Transpose": transpose,
             "Concat": concat, "Gather": gather, "Slice": slice_of}
