# SPDX-License-Identifier: BSD-3-Clause
"""The graph of a model: constants, extents, the nodes that are left, and who reads what they give."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

from . import Refused


class Graph:
    def __init__(self, model):
        graph = model.graph
        self.constants = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        inputs = [i for i in graph.input if i.name not in self.constants]
        if len(inputs) != 1 or len(graph.output) != 1:
            raise Refused(f"{len(inputs)} inputs and {len(graph.output)} outputs; one of each is known")
        self.input, self.output = inputs[0].name, graph.output[0].name
        self.shapes = inferred_shapes(model)
        self.nodes = []
        for n in graph.node:
            self.add(n)
        self.readers = {}
        for n in self.nodes:
            for i in n.input:
                self.readers.setdefault(i, []).append(n)

    def add(self, n):
        """Computes what depends on weights and extents alone; anything else is a node of the network."""
        known = [i for i in n.input if i]
        if n.op_type == "Shape" and n.input[0] in self.shapes:
            self.constants[n.output[0]] = np.array(self.shapes[n.input[0]], np.int64)
        elif all(i in self.constants for i in known):
            self.compute(n, {i: self.constants[i] for i in known})
        else:
            self.nodes.append(n)
            self.infer(n)

    def compute(self, n, inputs):
        kinds = [helper.make_tensor_value_info(i, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
                 for i, array in inputs.items()]
        results = ReferenceEvaluator(model_of(n, kinds)).run(None, inputs)
        for o, r in zip(n.output, results):
            self.constants[o] = np.asarray(r)

    def infer(self, n):
        """Extents of what n gives, where the whole graph's inference did not know them."""
        if all(o in self.shapes for o in n.output if o):
            return
        inputs, initial = [], []
        for i in dict.fromkeys(i for i in n.input if i):
            if i in self.constants:
                initial.append(numpy_helper.from_array(self.constants[i], i))
            elif i in self.shapes:
                inputs.append(helper.make_tensor_value_info(i, TensorProto.FLOAT, self.shapes[i]))
            else:
                return
        for name, shape in inferred_shapes(model_of(n, inputs, initial)).items():
            self.shapes.setdefault(name, shape)

    def shape(self, name):
        if name not in self.shapes:
            raise Refused(f"the extents of '{name}' are not known; export with a fixed batch")
        return self.shapes[name]

    def readers_of(self, name):
        return self.readers.get(name, [])


def attributes(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def inferred_shapes(model):
    """Of the values whose extents are all known."""
    model = shape_inference.infer_shapes(model, data_prop=True)
    shapes = {}
    for v in [*model.graph.value_info, *model.graph.input, *model.graph.output]:
        dims = v.type.tensor_type.shape.dim
        if v.type.tensor_type.HasField("shape") and all(d.HasField("dim_value") for d in dims):
            shapes[v.name] = tuple(d.dim_value for d in dims)
    return shapes


def model_of(node, inputs, initial=()):
    """A model that is this node alone."""
    outputs = [helper.make_empty_tensor_value_info(o) for o in node.output]
    graph = helper.make_graph([node], "one", inputs, outputs, initial)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
