# SPDX-License-Identifier: BSD-3-Clause
"""Writes a graph as statements, and the members of a class that they need."""

import re

import numpy as np

from . import Refused
from .cpp import braced_list, number, sliced
from .graph import Graph, attributes
from .header import header
from .operators import OPERATORS, READ_MEMORY, WRITTEN_ANYWHERE
from .shapes import RESHAPES
from .values import Buffer, Part, Value, inserted_axes, share


class Writer:
    def __init__(self, model, name, embed=False):
        self.graph, self.name, self.embed = Graph(model), name, embed
        self.has_images = any(n.op_type in ("Conv", "MaxPool", "AveragePool") for n in self.graph.nodes)
        self.values, self.weights, self.members, self.statements, self.set_up = {}, {}, [], [], []
        self.buffers = []
        self.places = {}  # of what is written into a part of a buffer
        self.taken = {"x", "y", "how", "weights", "memory", "tensor", "images", "filters", "columns", "run", "assign",
                      name.lower(), name}

    def write(self):
        graph = self.graph
        self.values[graph.input] = Value("x", graph.shape(graph.input), True)
        self.place_parts()
        for n in graph.nodes:
            if n.op_type not in OPERATORS:
                raise Refused(f"operator {n.op_type} ('{n.name or n.output[0]}') is not known")
            OPERATORS[n.op_type](self, n, attributes(n))
        y = self.value(graph.output)
        self.statements.append(f"run(how, assign(y, {y.code}));")
        self.members.append(f"{self.tensor_type(y.rank)} y{{{braced_list(y.shape)}}};")
        self.share_memory()
        return header(self)

    def place_parts(self):
        """What a concat alone reads is written into its part of the tensor."""
        graph = self.graph
        given = {o for n in graph.nodes for o in n.output if n.op_type in WRITTEN_ANYWHERE}
        for n in graph.nodes:
            if n.op_type != "Concat" or any(len(graph.readers_of(i)) > 1 or i not in given for i in n.input):
                continue
            shape = graph.shape(n.output[0])
            axis = attributes(n)["axis"] % len(shape)
            b, first = self.buffer("joined", shape), 0
            for i in n.input:
                last = first + graph.shape(i)[axis]
                self.places[i] = sliced(b.name, len(shape), {axis: f"felt::range({first}, {last})"})
                first = last
            self.values[n.output[0]] = Value(b.name, shape, True, (b, b.array))

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

    # ---- operands ----

    def value(self, name):
        """What is called so in the graph, as C++."""
        if name in self.values:
            return self.values[name]
        if name not in self.graph.constants:
            raise Refused(f"'{name}' is read before it is written")
        array = self.graph.constants[name]
        if array.size == 1:
            v = Value(number(array.reshape(-1)[0]), (), True)
        else:
            v = Value(self.weight(name, array), array.shape, True)
        self.values[name] = v
        return v

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

    def in_memory(self, wish, v):
        if v.in_memory:
            return v
        b = self.buffer(wish, v.shape)
        self.statements.append(f"run(how, assign({b.name}, {v.code}));")
        return Value(b.name, v.shape, True, (b, b.array))

    # ---- results ----

    def give(self, name, v):
        """The value of that name in the graph: a tensor if somebody wants it in memory."""
        readers = self.graph.readers_of(name)
        if name in self.places:
            self.statements.append(f"run(how, assign({self.places[name]}, {v.code}));")
            v = Value(self.places[name], v.shape, True)
        elif len(readers) > 1 or any(self.wants_memory(r, v) for r in readers):
            v = self.in_memory("h", v)
        self.values[name] = v

    def wants_memory(self, reader, v):
        if reader.op_type in RESHAPES and inserted_axes(v.shape, self.graph.shape(reader.output[0])) is not None:
            return False
        return reader.op_type in READ_MEMORY

    def viewed(self, name, x, change, otherwise):
        """What change(array) makes of the way x lies, without moving anything; else otherwise()."""
        if x.lies is not None:
            b, array = x.lies
            changed = change(array)
            if np.may_share_memory(changed, array):
                self.values[name] = Part(self, b, changed)
                return
        self.give(name, otherwise())

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
