#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a trained network as Felt statements: MODEL.hpp, and its weights as MODEL.npz.

    tools/felt_import.py model.onnx [--out DIR] [--name NAME] [--embed]

MODEL.hpp has a class: model(felt::load_npz("model.npz"))(x) gives what the network makes of x; with
--embed the weights stand in it, and model()(x) does. What is elementwise stands in the statement that
reads it; a value lies in memory where several read it, or a convolution, a product or a pool does, and
shares it with values that do not live at the same time. Needs the package onnx; PyTorch writes a file
for it with torch.onnx.export. Extents are those of the file."""

import argparse
import os
import re
import sys

import numpy as np


class Refused(Exception):
    """One line for the user."""


class Value:
    """A value of the graph in C++: its code, its extents, and whether it lies in memory."""

    def __init__(self, code, shape, in_memory, lies=None, inner=None):
        self.code, self.shape, self.in_memory = code, tuple(shape), in_memory
        self.lies = lies      # (buffer, array): how it lies there, by the array's address and strides
        self.inner = inner    # the value of which this is one with further axes of extent 1
        self.flattened = None  # the extents of the images of which these are rows, channels last

    @property
    def rank(self):
        return len(self.shape)


class Part(Value):
    """Elements of a buffer in another shape, as they lie. It has a name once somebody reads it."""

    def __init__(self, writer, buffer, array):
        self.writer, self.name = writer, None
        super().__init__(None, array.shape, True, (buffer, array))

    @property
    def code(self):
        if self.name is None:
            self.name = self.writer.part(*self.lies)
        return self.name

    @code.setter
    def code(self, _):
        pass


class Buffer:
    """A value that lies in the memory which all of them share, while somebody reads it."""

    def __init__(self, name, shape, images):
        self.name, self.shape, self.images, self.names = name, tuple(shape), images, [name]
        self.floats, self.offset = (int(np.prod(shape)) + 15) // 16 * 16, 0
        # One byte for each element: what its addresses and strides are is what the buffer's are.
        n, c, h, w = shape if images else (0, 0, 0, 0)
        self.array = np.empty((n, h, w, c), np.int8).transpose(0, 3, 1, 2) if images else np.empty(shape, np.int8)

    def declared(self):
        layout = "<felt::ChannelsLast>" if self.images else ""
        place = f"memory.data() + {self.offset}" if self.offset else "memory.data()"
        return f"auto const {self.name} = felt::view{layout}({place}, {braced_list(self.shape)});"


def share(buffers, lifetimes):
    """Gives each buffer its offset, the largest first at the lowest where no other lives; floats in all."""
    placed = []
    for b in sorted(buffers, key=lambda b: -b.floats):
        first, last = lifetimes[b]
        beside = sorted((o for o in placed if lifetimes[o][0] <= last and first <= lifetimes[o][1]),
                        key=lambda o: o.offset)
        for o in beside:
            if b.offset + b.floats <= o.offset:
                break
            b.offset = max(b.offset, o.offset + o.floats)
        placed.append(b)
    return max((b.offset + b.floats for b in buffers), default=0)


UNARY = {"Relu": "relu", "Sigmoid": "sigmoid", "Tanh": "tanh", "Erf": "erf", "Sqrt": "sqrt", "Exp": "exp",
         "Log": "log", "Abs": "abs", "Floor": "floor", "Ceil": "ceil", "Softplus": "softplus",
         "Reciprocal": "reciprocal", "Sin": "sin", "Cos": "cos"}
BINARY = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/"}
FUNCTIONS_OF_TWO = {"Pow": "pow", "Max": "maximum", "Min": "minimum"}
# Their operands are read more than once, or by windows.
READ_MEMORY = {"Conv", "MaxPool", "AveragePool", "GlobalAveragePool", "MatMul", "Gemm", "LSTM", "Softmax",
               "LayerNormalization", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Gather", "Slice"}
RESHAPES = {"Reshape", "Flatten", "Squeeze", "Unsqueeze"}
# What they give is written where their reader wants it.
WRITTEN_ANYWHERE = {*UNARY, *BINARY, *FUNCTIONS_OF_TWO, "Neg", "Clip", "LeakyRelu", "Conv", "BatchNormalization",
                    "MaxPool", "AveragePool", "GlobalAveragePool", "Gemm", "MatMul", "Softmax", "LayerNormalization"}
# What several rows of a product read column by column lies so; a single row reads it as it is in the file.
FEW_ROWS = 4


class Writer:
    def __init__(self, model, name, embed=False):
        import onnx
        from onnx import numpy_helper
        self.onnx, self.name, self.embed = onnx, name, embed
        self.graph = model.graph
        self.constants = {i.name: numpy_helper.to_array(i) for i in self.graph.initializer}
        inputs = [i for i in self.graph.input if i.name not in self.constants]
        if len(inputs) != 1 or len(self.graph.output) != 1:
            raise Refused(f"{len(inputs)} inputs and {len(self.graph.output)} outputs; one of each is known")
        self.input, self.output = inputs[0].name, self.graph.output[0].name
        self.shapes = self.inferred(model)
        self.fold_constants()
        self.count_readers()
        self.has_images = any(n.op_type in ("Conv", "MaxPool", "AveragePool") for n in self.nodes)
        self.values, self.weights, self.members, self.statements, self.set_up = {}, {}, [], [], []
        self.buffers, self.folded = [], set()  # folded: normalisations, by their outputs
        self.places = {}  # of what is written into a part of a buffer
        self.taken = {"x", "y", "how", "weights", "memory", "tensor", "images", "filters", "columns", "run", "assign",
                      name.lower(), name}

    # ---- the graph ----

    def inferred(self, model):
        model = self.onnx.shape_inference.infer_shapes(model, data_prop=True)
        shapes = {}
        for v in [*model.graph.value_info, *model.graph.input, *model.graph.output]:
            dims = v.type.tensor_type.shape.dim
            if v.type.tensor_type.HasField("shape") and all(d.HasField("dim_value") for d in dims):
                shapes[v.name] = tuple(d.dim_value for d in dims)
        return shapes

    def fold_constants(self):
        """Computes what depends on weights and extents alone, and from that on more extents."""
        from onnx.reference import ReferenceEvaluator
        helper = self.onnx.helper
        self.nodes = []
        for n in self.graph.node:
            if n.op_type == "Shape" and n.input[0] in self.shapes:
                self.constants[n.output[0]] = np.array(self.shapes[n.input[0]], np.int64)
                continue
            known = [i for i in n.input if i]
            if not all(i in self.constants for i in known):
                self.nodes.append(n)
                self.infer_one(n)
                continue
            graph = helper.make_graph(
                [n], "one", [helper.make_tensor_value_info(i, helper.np_dtype_to_tensor_dtype(
                    self.constants[i].dtype), self.constants[i].shape) for i in dict.fromkeys(known)],
                [helper.make_empty_tensor_value_info(o) for o in n.output])
            one = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
            results = ReferenceEvaluator(one).run(None, {i: self.constants[i] for i in known})
            for o, r in zip(n.output, results):
                self.constants[o] = np.asarray(r)

    def infer_one(self, n):
        """Extents of what n gives, where the whole graph's inference did not know them."""
        if all(o in self.shapes for o in n.output if o):
            return
        helper, kind = self.onnx.helper, self.onnx.TensorProto.FLOAT
        inputs, initial = [], []
        for i in dict.fromkeys(i for i in n.input if i):
            if i in self.constants:
                initial.append(self.onnx.numpy_helper.from_array(self.constants[i], i))
            elif i in self.shapes:
                inputs.append(helper.make_tensor_value_info(i, kind, self.shapes[i]))
            else:
                return
        graph = helper.make_graph([n], "one", inputs, [helper.make_empty_tensor_value_info(o) for o in n.output],
                                  initial)
        one = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        for name, shape in self.inferred(one).items():
            self.shapes.setdefault(name, shape)

    def count_readers(self):
        self.readers = {}
        for n in self.nodes:
            for i in n.input:
                self.readers.setdefault(i, []).append(n)
        self.readers.setdefault(self.output, [])

    def shape(self, name):
        if name not in self.shapes:
            raise Refused(f"the extents of '{name}' are not known; export with a fixed batch")
        return self.shapes[name]

    # ---- names and memory ----

    def unused(self, wish):
        word = re.sub(r"\W+", "_", wish).strip("_").lower() or "h"
        word = "w_" + word if word[0].isdigit() else word
        name, k = word, 2
        while name in self.taken:
            name, k = f"{word}_{k}", k + 1
        self.taken.add(name)
        return name

    def tensor_type(self, rank):
        return "images" if rank == 4 and self.has_images else f"tensor<{rank}>"

    def weight(self, wish, array, kind=None):
        """A member that is read from the .npz."""
        array = np.ascontiguousarray(array, np.float32)
        name = self.unused(wish)
        self.weights[name] = array
        extents = braced_list(array.shape)
        self.members.append(f"{kind or self.tensor_type(array.ndim)} {name}{{{extents}}};")
        if self.embed:
            self.set_up.append(f"{name} = felt::view({name}_values, {extents});")
        else:
            self.set_up.append(f'weights.get("{name}", {name});')
        return name

    def value(self, name):
        """What is called so in the graph, as C++."""
        if name in self.values:
            return self.values[name]
        if name not in self.constants:
            raise Refused(f"'{name}' is read before it is written")
        array = self.constants[name]
        if array.size == 1:
            v = Value(number(array.reshape(-1)[0]), (), True)
        else:
            v = Value(self.weight(name, array), array.shape, True)
        self.values[name] = v
        return v

    def in_memory(self, wish, v):
        if v.in_memory:
            return v
        b = self.buffer(wish, v.shape)
        self.statements.append(f"run(how, assign({b.name}, {v.code}));")
        return Value(b.name, v.shape, True, (b, b.array))

    def buffer(self, wish, shape):
        self.buffers.append(Buffer(self.unused(wish), shape, len(shape) == 4 and self.has_images))
        return self.buffers[-1]

    def part(self, b, array):
        """Declares elements of a buffer as they lie, and gives the name."""
        name = self.unused("h")
        first = array.__array_interface__["data"][0] - b.array.__array_interface__["data"][0]
        place = f"{b.name}.data() + {first}" if first else f"{b.name}.data()"
        code = f"felt::view({place}, {braced_list(array.shape)}"
        if not array.flags["C_CONTIGUOUS"]:
            code += f", {braced_list(array.strides)}"
        self.statements.append(f"auto const {name} = {code});")
        b.names.append(name)
        return name

    def viewed(self, name, x, change, otherwise):
        """What change(array) makes of the way x lies, without moving anything; else the code `otherwise`."""
        if x.lies is not None:
            b, array = x.lies
            changed = change(array)
            if np.may_share_memory(changed, array):
                self.values[name] = Part(self, b, changed)
                return
        self.give(name, otherwise())

    def give(self, name, v):
        """The value of that name in the graph: a tensor if somebody wants it in memory."""
        readers = self.readers.get(name, [])
        if name in self.places:
            self.statements.append(f"run(how, assign({self.places[name]}, {v.code}));")
            v = Value(self.places[name], v.shape, True)
        elif len(readers) > 1 or any(self.wants_memory(r, v) for r in readers):
            v = self.in_memory("h", v)
        self.values[name] = v

    def wants_memory(self, reader, v):
        if reader.op_type in RESHAPES and inserted_axes(v.shape, self.shape(reader.output[0])) is not None:
            return False
        return reader.op_type in READ_MEMORY

    # ---- operators ----

    def write(self):
        shape = self.shape(self.input)
        self.values[self.input] = Value("x", shape, True)
        self.place_parts()
        for n in self.nodes:
            rule = getattr(self, "op_" + n.op_type.lower(), None)
            if n.op_type in UNARY:
                rule = self.unary
            elif n.op_type in BINARY or n.op_type in FUNCTIONS_OF_TWO:
                rule = self.binary
            if rule is None:
                raise Refused(f"operator {n.op_type} ('{n.name or n.output[0]}') is not known")
            attributes = {a.name: self.onnx.helper.get_attribute_value(a) for a in n.attribute}
            rule(n, attributes)
        y = self.value(self.output)
        self.statements.append(f"run(how, assign(y, {y.code}));")
        self.members.append(f"{self.tensor_type(y.rank)} y{{{braced_list(y.shape)}}};")
        self.share_memory()
        return self.text(shape, y)

    def share_memory(self):
        """Buffers are declared where they are first written, and live until they are last read."""
        lifetimes = {}
        for b in self.buffers:
            words = re.compile(rf"\b({'|'.join(b.names)})\b")
            uses = [k for k, s in enumerate(self.statements) if words.search(s)]
            lifetimes[b] = uses[0], uses[-1]
        self.floats = share(self.buffers, lifetimes)
        self.floats_apart = sum(b.floats for b in self.buffers)
        for b in sorted(self.buffers, key=lambda b: -lifetimes[b][0]):
            self.statements.insert(lifetimes[b][0], b.declared())

    def place_parts(self):
        """What a concat alone reads is written into its part of the tensor."""
        given = {o for n in self.nodes for o in n.output if n.op_type in WRITTEN_ANYWHERE}
        for n in self.nodes:
            if n.op_type != "Concat" or any(len(self.readers[i]) > 1 or i not in given for i in n.input):
                continue
            shape = self.shape(n.output[0])
            axis = n.attribute[0].i % len(shape)
            b, first = self.buffer("joined", shape), 0
            name = b.name
            for i in n.input:
                last = first + self.shape(i)[axis]
                parts = ["felt::all()"] * len(shape)
                parts[axis] = f"felt::range({first}, {last})"
                self.places[i] = f"slice({name}, {', '.join(parts)})"
                first = last
            self.values[n.output[0]] = Value(name, shape, True, (b, b.array))

    def unary(self, n, _):
        x = self.value(n.input[0])
        self.give(n.output[0], Value(f"{UNARY[n.op_type]}({x.code})", x.shape, False))

    def binary(self, n, _):
        a, b = (self.value(i) for i in n.input)
        if n.op_type in BINARY:
            code = f"{grouped(a.code)} {BINARY[n.op_type]} {grouped(b.code)}"
        else:
            code = f"{FUNCTIONS_OF_TWO[n.op_type]}({a.code}, {b.code})"
        self.give(n.output[0], Value(code, np.broadcast_shapes(a.shape, b.shape), False))

    def op_neg(self, n, _):
        x = self.value(n.input[0])
        self.give(n.output[0], Value(f"-{grouped(x.code)}", x.shape, False))

    def op_identity(self, n, _):
        self.give(n.output[0], self.value(n.input[0]))

    op_dropout = op_cast = op_identity

    def op_clip(self, n, _):
        x = self.value(n.input[0])
        low, high = (self.value(i).code if i else None for i in [*n.input[1:], "", ""][:2])
        code = x.code
        code = f"maximum({code}, {low})" if low else code
        code = f"minimum({code}, {high})" if high else code
        self.give(n.output[0], Value(code, x.shape, False))

    def op_leakyrelu(self, n, a):
        x = self.value(n.input[0])
        self.give(n.output[0], Value(f"leaky_relu({x.code}, {number(a.get('alpha', 0.01))})", x.shape, False))

    def op_conv(self, n, a):
        w = self.constants[n.input[1]]
        if w.ndim != 4:
            raise Refused(f"operator Conv ('{n.name}'): over {w.ndim - 2} axes, known are 2")
        x, bias = self.value(n.input[0]), n.input[2] if len(n.input) > 2 else ""
        w, shift, out = self.with_norm_behind(n, w, self.constants[bias] if bias else None)
        options = window_options(n, a, {"stride": a.get("strides", [1, 1]), "dilation": a.get("dilations", [1, 1])})
        if a.get("group", 1) != 1:
            options.append(f".groups = {a['group']}")
        code = f"conv2d({x.code}, {self.weight(n.input[1], w, 'filters')}{braced(options)})"
        if shift is not None:
            code += f" + felt::along<1>({self.weight(bias or n.input[1] + '_shift', shift)})"
        self.give(out, Value(code, self.shape(out), False))

    def with_norm_behind(self, n, w, bias):
        """Weights w (outputs, ..), bias and output of n, of a batch normalisation too if it alone reads n."""
        readers = self.readers.get(n.output[0], [])
        if len(readers) != 1 or readers[0].op_type != "BatchNormalization" or n.output[0] == self.output:
            return w, bias, n.output[0]
        self.folded.add(readers[0].output[0])
        scale, shift = self.scale_and_shift(readers[0])
        w = w * scale.reshape(-1, *[1] * (w.ndim - 1))
        return w, shift + (0 if bias is None else bias * scale), readers[0].output[0]

    def scale_and_shift(self, n):
        if any(at.name == "training_mode" and at.i for at in n.attribute):
            raise Refused(f"operator BatchNormalization ('{n.name}'): that of training is not known; export net.eval()")
        gamma, beta, mean, variance = (self.constants[i] for i in n.input[1:5])
        epsilon = next((at.f for at in n.attribute if at.name == "epsilon"), 1e-5)
        scale = gamma / np.sqrt(variance + epsilon)
        return scale, beta - mean * scale

    def op_batchnormalization(self, n, _):
        if n.output[0] in self.folded:
            return
        x = self.value(n.input[0])
        scale, shift = self.scale_and_shift(n)
        code = (f"{grouped(x.code)} * felt::along<1>({self.weight(n.input[1], scale)}) + "
                f"felt::along<1>({self.weight(n.input[2], shift)})")
        self.give(n.output[0], Value(code, x.shape, False))

    def pool(self, n, a, function):
        x = self.value(n.input[0])
        if a.get("ceil_mode", 0) and self.shape(n.output[0]) != floored(x.shape, a):
            raise Refused(f"operator {n.op_type} ('{n.name}'): ceil_mode is not known")
        options = window_options(n, a, {"window": a["kernel_shape"], "stride": a.get("strides", [1, 1])})
        self.give(n.output[0], Value(f"{function}({x.code}{braced(options)})", self.shape(n.output[0]), False))

    def op_maxpool(self, n, a):
        if a.get("dilations", [1, 1]) != [1, 1]:
            raise Refused(f"operator MaxPool ('{n.name}'): dilations are not known")
        self.pool(n, a, "max_pool2d")

    def op_averagepool(self, n, a):
        if any(a.get("pads", [0])) and not a.get("count_include_pad", 0):
            raise Refused(f"operator AveragePool ('{n.name}'): padding that does not count is not known")
        self.pool(n, a, "avg_pool2d")

    def op_globalaveragepool(self, n, _):
        x = self.value(n.input[0])
        self.give(n.output[0], Value(f"felt::mean<2, 3>({x.code}, felt::keepdims)", self.shape(n.output[0]), False))

    def op_flatten(self, n, _):
        x, shape = self.value(n.input[0]), self.shape(n.output[0])
        rows = self.readers.get(n.output[0], [])
        if x.lies is not None and x.lies[0].images and rows and all(r.op_type == "Gemm" for r in rows):
            b, array = x.lies
            lie = array.transpose(0, 2, 3, 1).reshape(shape)
            if np.may_share_memory(lie, array):  # read as they lie, by weights in the same order
                self.values[n.output[0]] = Part(self, b, lie)
                self.values[n.output[0]].flattened = x.shape
                return
        self.op_reshape(n, _)

    def op_reshape(self, n, _):
        x, shape = self.value(n.input[0]), tuple(self.shape(n.output[0]))
        if x.inner is not None and x.inner.shape == shape:
            self.values[n.output[0]] = x.inner
            return
        def otherwise():
            axes = inserted_axes(x.shape, shape)
            if axes is None:
                return Value(f"reshape({x.code}, {braced_list(shape)})", shape, False)
            code = x.code
            for axis in axes:
                code = f"felt::expand_dims<{axis}>({code})"
            return Value(code, shape, x.in_memory)

        self.viewed(n.output[0], x, lambda a: a.reshape(shape), otherwise)

    op_squeeze = op_unsqueeze = op_reshape

    def op_gemm(self, n, a):
        x, w = self.value(n.input[0]), self.constants[n.input[1]]
        if a.get("transA", 0) or a.get("alpha", 1) != 1 or a.get("beta", 1) != 1:
            raise Refused(f"operator Gemm ('{n.name}'): transA, alpha and beta are not known")
        w = w if a.get("transB", 0) else w.T
        if x.flattened is not None:
            w = w.reshape(-1, *x.flattened[1:]).transpose(0, 2, 3, 1).reshape(w.shape)
        bias = self.constants[n.input[2]] if len(n.input) > 2 and n.input[2] else None
        folded, shift, out = self.with_norm_behind(n, w, bias)
        kind = None if x.shape[0] <= FEW_ROWS else "columns"
        code = f"matmul({x.code}, transpose({self.weight(n.input[1], folded, kind)}))"
        if out != n.output[0]:
            code += f" + {self.weight(n.input[1] + '_shift', shift)}"
        elif bias is not None:
            code += f" + {self.value(n.input[2]).code}"
        self.give(out, Value(code, self.shape(out), False))

    def op_matmul(self, n, _):
        a, b = (self.value(i) for i in n.input)
        self.give(n.output[0], Value(f"matmul({a.code}, {b.code})", self.shape(n.output[0]), False))

    def op_transpose(self, n, a):
        x = self.value(n.input[0])
        axes = a.get("perm", list(range(x.rank))[::-1])
        self.viewed(n.output[0], x, lambda array: array.transpose(axes), lambda: Value(
            f"felt::permute<{', '.join(map(str, axes))}>({x.code})", self.shape(n.output[0]), x.in_memory))

    def op_softmax(self, n, a):
        x = self.value(n.input[0])
        self.give(n.output[0], Value(f"felt::softmax<{a.get('axis', -1)}>({x.code})", x.shape, False))

    def op_layernormalization(self, n, a):
        x = self.value(n.input[0])
        if a.get("axis", -1) not in (-1, x.rank - 1):
            raise Refused(f"operator LayerNormalization ('{n.name}'): of several axes is not known")
        x = self.in_memory("h", x)
        mean, var = (f"felt::{f}<-1>({x.code}, felt::keepdims)" for f in ("mean", "var"))
        code = f"({x.code} - {mean}) / sqrt({var} + {number(a.get('epsilon', 1e-5))}) * {self.value(n.input[1]).code}"
        if len(n.input) > 2:
            code += f" + {self.value(n.input[2]).code}"
        self.give(n.output[0], Value(code, x.shape, False))

    def op_concat(self, n, a):
        if n.output[0] in self.values:
            return  # its parts have been written where they belong
        parts = ", ".join(self.value(i).code for i in n.input)
        self.give(n.output[0], Value(f"felt::concat<{a['axis']}>({parts})", self.shape(n.output[0]), False))

    def op_gather(self, n, a):
        index = self.constants.get(n.input[1])
        if index is None or index.ndim != 0:
            raise Refused(f"operator Gather ('{n.name}'): by other than one fixed index is not known")
        x = self.value(n.input[0])
        axis, shape = a.get("axis", 0) % x.rank, list(x.shape)
        at = int(index) % shape.pop(axis)
        parts = ["felt::all()"] * x.rank
        parts[axis] = str(at)
        self.viewed(n.output[0], x, lambda array: array[(slice(None),) * axis + (at,)],
                    lambda: Value(f"slice({x.code}, {', '.join(parts)})", shape, x.in_memory))

    def op_slice(self, n, _):
        x = self.value(n.input[0])
        starts, ends = (self.constants[i] for i in n.input[1:3])
        axes = self.constants[n.input[3]] if len(n.input) > 3 else range(len(starts))
        if len(n.input) > 4 and any(s != 1 for s in self.constants[n.input[4]]):
            raise Refused(f"operator Slice ('{n.name}'): steps are not known")
        parts, shape, taken = ["felt::all()"] * x.rank, list(x.shape), [slice(None)] * x.rank
        for axis, s, e in zip(axes, starts, ends):
            first, last, _ = slice(int(s), int(e)).indices(x.shape[axis])
            parts[axis], shape[axis] = f"felt::range({first}, {last})", last - first
            taken[axis] = slice(first, last)
        self.viewed(n.output[0], x, lambda array: array[tuple(taken)],
                    lambda: Value(f"slice({x.code}, {', '.join(parts)})", shape, x.in_memory))

    def op_lstm(self, n, a):
        if a.get("direction", b"forward") != b"forward" or "activations" in a or n.input[4:5] not in ([""], []):
            raise Refused(f"operator LSTM ('{n.name}'): other than plain and forward is not known")
        if any(np.any(self.constants[i]) for i in n.input[5:7] if i):
            raise Refused(f"operator LSTM ('{n.name}'): a first state is not known")
        x, (w, r) = self.value(n.input[0]), (self.constants[i][0] for i in n.input[1:3])
        hidden = r.shape[1]
        b = self.constants[n.input[3]][0] if len(n.input) > 3 and n.input[3] else np.zeros(8 * hidden)
        weight = self.weight(n.input[1], np.concatenate([w, r], 1).T)
        bias = self.weight(n.input[1] + "_bias", b[:4 * hidden] + b[4 * hidden:])
        steps, batch, inputs = x.shape
        layer = self.unused("lstm")
        self.members.append(
            f"felt::lstm<float> {layer}{{felt::recurrent_shape_for({steps}, {batch}, {inputs}, {hidden}), "
            '{.order = "iofj"}};')
        self.set_up.append(f"{layer}.weights(felt::view({weight}), felt::view({bias}));")
        self.statements.append(f"{layer}.reset(), {layer}.infer(how, {constant_view(x)});")
        y = Value(f"{layer}.outputs()", (steps, batch, hidden), True)
        self.values[n.output[0]] = one_more_axis(y, 1)
        for o, what in zip(n.output[1:3], ("last", "last_cell")):
            self.values[o] = one_more_axis(Value(f"{layer}.{what}()", (batch, hidden), True), 0)

    # ---- C++ ----

    def text(self, shape, y):
        lines = [
            "// SPDX-License-Identifier: BSD-3-Clause",
            "//",
            f"// {self.name}: written by felt_import.py from an ONNX file."
            + ("" if self.embed else f" Weights are in {self.name}.npz."),
            "#pragma once", "#include <felt/felt.hpp>"]
        if not self.embed:
            lines.append("#include <felt/npz_arrays.hpp>")
        if any("felt::lstm" in m for m in self.members):
            lines.append("#include <felt/nn/lstm.hpp>")
        extents = ", ".join(map(str, shape))
        lines += ["", "namespace imported {", "", f"class {self.name} {{", "public:"]
        if self.embed:
            lines.append(f"    {self.name}() {{")
        else:
            lines += [f"    // {self.name}(felt::load_npz(\"{self.name}.npz\")). Throws io_error that names what it lacks.",
                      f"    explicit {self.name}(felt::npz const& weights) {{"]
        lines += ["        " + s for s in self.set_up] + ["    }"]
        if any("felt::lstm" in m for m in self.members):
            lines.append(f"    {self.name}({self.name} const&) = delete;  // layers look at its weights")
        lines.append("")
        lines += [f"    // Of x ({extents}); how is felt::fused or felt::unfused. What it returns is written anew by",
                  "    // the next call.", "    template <class How = felt::fused_t>",
                  f"    auto const& operator()(felt::View<float const, {len(shape)}> const& x, How how = {{}}) {{",
                  *("        " + s for s in self.statements),
                  "        return y;", "    }", "", "private:",
                  "    template <std::size_t R>", "    using tensor = felt::Tensor<float, R>;"]
        uses = lambda kind: any(m.startswith(kind + " ") for m in self.members)
        if uses("images"):
            lines.append("    using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;")
        if uses("filters") or uses("columns"):
            lines.append("    // What a product multiplies side by side lies so: weights of one input for all outputs.")
        if uses("filters"):
            lines.append("    using filters = felt::Tensor<float, 4, felt::Host, felt::ColMajor>;")
        if uses("columns"):
            lines.append("    using columns = felt::Tensor<float, 2, felt::Host, felt::ColMajor>;")
        lines += ["", *("    " + m for m in self.members)]
        if self.buffers:
            lines += [f"    // Values that do not live at the same time share it: {self.floats / 256:.1f} KiB for "
                      f"{self.floats_apart / 256:.1f}.", f"    tensor<1> memory{{{{{self.floats}}}}};"]
        if self.embed:
            lines += ["", *(embedded(*w) for w in self.weights.items())]
        lines += ["};", "", "}  // namespace imported", ""]
        return "\n".join(lines)


def number(v):
    text = repr(float(np.float32(v)))
    text = np.format_float_positional(np.float32(v), unique=True, trim="0") if "e" not in text else f"{np.float32(v)}"
    return text + "f"


def embedded(name, array):
    values = [f"{number(v)}," for v in array.reshape(-1)]
    rows = [" ".join(values[k:k + 8]) for k in range(0, len(values), 8)]
    return f"    static constexpr float {name}_values[] = {{\n        " + "\n        ".join(rows) + "};"


def grouped(code):
    """In parentheses if an operator stands outside all parentheses."""
    depth = 0
    for k, c in enumerate(code):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c in "+-*/" and 0 < k and code[k - 1] == " ":
            return f"({code})"
    return code


def braced_list(numbers):
    return f"{{{', '.join(map(str, numbers))}}}"


def inserted_axes(old, new):
    """The axes of extent 1 that make `new` of `old`, in this order; None if more has changed."""
    axes, rest = [], list(old)
    for axis, extent in enumerate(new):
        if rest and rest[0] == extent:
            rest.pop(0)
        elif extent == 1:
            axes.append(axis)
        else:
            return None
    return None if rest else axes


def one_more_axis(x, axis):
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    return Value(f"felt::expand_dims<{axis}>({x.code})", shape, True, inner=x)


def constant_view(x):
    return x.code if x.code == "x" else f"felt::View<float const, {x.rank}>({x.code})"


def braced(options):
    return f", {{{', '.join(options)}}}" if options else ""


def window_options(n, a, pairs):
    pads = a.get("pads", [0, 0, 0, 0])
    if a.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID") or pads[:2] != pads[2:]:
        raise Refused(f"operator {n.op_type} ('{n.name}'): padding that differs on two sides is not known")
    plain = {"stride": [1, 1] if "window" not in pairs else None, "dilation": [1, 1]}
    # In the order of the fields of conv_options and pool_options.
    fields = {"window": pairs.get("window"), "stride": pairs.get("stride"), "padding": pads[:2] if any(pads) else None,
              "dilation": pairs.get("dilation")}
    return [f".{k} = {{{v[0]}, {v[1]}}}" for k, v in fields.items() if v is not None and list(v) != plain.get(k)]


def floored(x, a):
    pads = a.get("pads", [0, 0, 0, 0])
    sides = [(x[2 + i] + pads[i] + pads[2 + i] - a["kernel_shape"][i]) // a.get("strides", [1, 1])[i] + 1
             for i in range(2)]
    return (*x[:2], *sides)


def write_whole(path, data):
    """A reader sees the old file or the new one."""
    part = path + ".part"
    with open(part, "wb") as f:
        f.write(data)
    os.replace(part, path)


def convert(path, out, name, embed):
    import io
    import onnx
    try:
        model = onnx.load(path)
        onnx.checker.check_model(model)
    except Exception as e:
        raise Refused(f"no ONNX file, or a damaged one: {str(e).splitlines()[0]}") from None
    writer = Writer(model, name, embed)
    text = writer.write()
    weights = io.BytesIO()
    np.savez(weights, **writer.weights)
    os.makedirs(out, exist_ok=True)
    if not embed:
        write_whole(os.path.join(out, name + ".npz"), weights.getvalue())
    write_whole(os.path.join(out, name + ".hpp"), text.encode())
    return writer


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model", help="the .onnx file")
    p.add_argument("--out", default=".", help="folder of the two files")
    p.add_argument("--name", help="of the class and the files; the model's if not given")
    p.add_argument("--embed", action="store_true", help="weights in the source, for small networks")
    a = p.parse_args()
    name = re.sub(r"\W+", "_", a.name or os.path.splitext(os.path.basename(a.model))[0])
    name = "net_" + name if name[0].isdigit() else name
    try:
        w = convert(a.model, a.out, name, a.embed)
    except Refused as e:
        sys.exit(f"felt_import.py: {a.model}: {e}")
    except ModuleNotFoundError as e:
        sys.exit(f"felt_import.py: needs the Python package {e.name}: pip install {e.name}")
    size = sum(v.nbytes for v in w.weights.values())
    where = f"{name}.hpp" if a.embed else f"{name}.npz"
    print(f"{name}.hpp: {sum('(how, ' in s for s in w.statements)} statements, values in {w.floats / 256:.1f} KiB of "
          f"{w.floats_apart / 256:.1f}; {where}: {len(w.weights)} arrays, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
