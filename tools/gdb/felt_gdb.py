# SPDX-License-Identifier: BSD-3-Clause
"""How GDB prints felt::Tensor, View, extents, bfloat16 and expressions. In .gdbinit:

    source PREFIX/share/felt/gdb/felt_gdb.py

Extents, layout and strides come first, then the elements as NumPy prints them. It reads memory and
runs nothing of the program, so that core files will do, but for one thing: where a layout is the
program's own, it calls the tensor's strides(). Namespaces between felt and a name are passed over.
"""
import re
import struct

import gdb
import gdb.printing
import gdb.types

MOST, LINE = 1000, 75  # elements that are all shown, columns
DEPTH = 3  # functions in one another that are named
NOT_YET = ", not constructed yet, or overwritten"


def plain(t):
    """A type without typedef and const."""
    return t.strip_typedefs().unqualified()


def name_of(t):
    """Of felt::v1::Tensor<float, 2> it is Tensor."""
    return (plain(t).name or "").split("<")[0].split("::")[-1]


def argument(value, i):
    return plain(value.type).template_argument(i)


def in_brackets(numbers):
    return "(" + ", ".join(map(str, numbers)) + ")"


def extents_of(value):
    """felt::extents as a list. (Of rank 0 it stores a number, which says nothing.)"""
    return [int(value["value"][r]) for r in range(int(argument(value, 0)))]


# Elements.

def element_name(t):
    """As Felt spells it: float, index_t, uint8_t, bfloat16 const."""
    if str(t) != str(t.unqualified()):
        return element_name(t.unqualified()) + " const"
    p = plain(t)
    if name_of(p) == "complex":
        return f"std::complex<{p.template_argument(0)}>"
    if p.code != gdb.TYPE_CODE_INT or p.name == "int":
        return name_of(p)
    if p.is_signed and p.sizeof == 8:
        return "index_t"
    return f"{'' if p.is_signed else 'u'}int{8 * p.sizeof}_t"


def shortest(x, size):
    """A number in as few digits as tell it from the others of its size."""
    letter = "f" if size == 4 else "d"
    for digits in range(6, 10) if size == 4 else range(15, 18):
        text = f"{x:.{digits}g}"
        if struct.pack(letter, float(text)) == struct.pack(letter, x):
            break
    return text


def bfloat16(value):
    return shortest(struct.unpack("=f", struct.pack("=I", int(value["bits"]) << 16))[0], 4)


def element(value):
    t = plain(value.type)
    if name_of(t) == "bfloat16":
        return bfloat16(value)
    if name_of(t) == "complex":
        parts = value.address.cast(t.template_argument(0).pointer())
        real, imag = element(parts[0]), element(parts[1])
        return real + ("" if imag.startswith("-") else "+") + imag + "j"
    if t.code == gdb.TYPE_CODE_BOOL:
        return "true" if value else "false"
    return shortest(float(value), t.sizeof) if t.code == gdb.TYPE_CODE_FLT else str(int(value))


class Elements:
    """Nested rows. Of more than MOST elements three from each end of every axis are shown, or one
    from rank 5 on."""

    def __init__(self, data, extents, strides):
        self.extents, self.rank = extents, len(extents)
        size = 1
        for n in extents:
            size *= n
        self.ends = (3 if self.rank < 5 else 1) if size > MOST else size
        self.data, self.strides = data, strides

    def shown(self, axis):
        """The indices of an axis, None for those that are left out."""
        n = self.extents[axis]
        if n <= 2 * self.ends:
            return range(n)
        return [*range(self.ends), None, *range(n - self.ends, n)]

    def nested(self, axis, offset):
        if axis == self.rank:
            return element((self.data + offset).dereference())
        return ["..." if i is None else self.nested(axis + 1, offset + i * self.strides[axis])
                for i in self.shown(axis)]

    def width(self, part):
        return max(map(self.width, part)) if isinstance(part, list) else len(part)

    def text(self):
        if self.rank == 0:
            return self.nested(0, 0)
        rows = self.nested(0, 0)
        return self.joined(rows, 0, self.width(rows))

    def joined(self, part, axis, width):
        if part == "...":
            return part
        if axis + 1 < self.rank:
            between = "\n" * (self.rank - axis - 1) + " " * (axis + 1)
            return "[" + between.join(self.joined(p, axis + 1, width) for p in part) + "]"
        lines = []
        for word in part:
            word = word if word == "..." else word.rjust(width)
            if lines and len(lines[-1]) + 1 + len(word) <= LINE - 2 * self.rank:
                lines[-1] += " " + word
            else:
                lines.append(word)
        return "[" + ("\n" + " " * self.rank).join(lines) + "]"


# Tensors and views.

ORDERS = {  # the axes of a layout, that of the largest stride first
    "RowMajor": lambda rank: range(rank),
    "ColMajor": lambda rank: range(rank - 1, -1, -1),
    "ChannelsLast": lambda rank: (0, 2, 3, 1),
}


def strides_of(tensor, layout, extents):
    """None where the layout is the program's own, which does not run or has no such function."""
    if layout in ORDERS:
        strides, step = [0] * len(extents), 1
        for axis in reversed(ORDERS[layout](len(extents))):
            strides[axis], step = step, step * extents[axis]
        return strides
    try:
        gdb.set_convenience_variable("felt_tensor", tensor.address)
        return extents_of(gdb.parse_and_eval("$felt_tensor->strides()"))
    except gdb.error:
        return None


def array_text(title, space, data, extents, layout, strides):
    title = f"felt::{title}: extents {in_brackets(extents)}"
    if any(n < 0 for n in extents):
        return title + NOT_YET
    if strides is None:
        return title + f", elements not read: {layout} does not tell its strides"
    title += f", {layout} strides {in_brackets(strides)}".replace("  ", " ")
    if 0 in extents:
        return title + ", empty"
    if space != "Host":
        return title + f", at {int(data):#x} in memory of {space}, not read"
    if int(data) == 0:
        return title + ", null"
    try:
        return title + "\n" + Elements(data, extents, strides).text()
    except gdb.MemoryError:
        return title + f", unreadable memory at {int(data):#x}"


def tensor_text(x):
    extents, layout = extents_of(x["extents_"]), name_of(argument(x, 3))
    return array_text(f"Tensor<{element_name(argument(x, 0))}, {len(extents)}>",
                      name_of(argument(x, 2)), x["storage_"]["data_"], extents, layout,
                      strides_of(x, layout, extents))


def view_text(x):
    extents = extents_of(x["extents_"])
    return array_text(f"View<{element_name(argument(x, 0))}, {len(extents)}>",
                      name_of(argument(x, 2)), x["data_"], extents, "", extents_of(x["strides_"]))


# Expressions: what they are, and the extents that their nodes say or have.

def operands(node):
    if not gdb.types.has_field(plain(node.type), "x"):
        return []
    rest, found = node["x"], []
    if name_of(rest.type) != "tuple":
        return [rest]
    while gdb.types.has_field(plain(rest.type), "head"):
        found.append(rest["head"])
        if not gdb.types.has_field(plain(rest.type), "tail"):
            break
        rest = rest["tail"]
    return found


def of_first(node):
    return node_extents(operands(node)[0])


def broadcast(node):
    all_of = [node_extents(x) for x in operands(node)]
    rank = max(map(len, all_of))
    padded = [[1] * (rank - len(e)) + e for e in all_of]
    return [next((n for n in axis if n != 1), 1) for axis in zip(*padded)]


def kept(node):
    mask = int(argument(node, 1))
    return [n for r, n in enumerate(of_first(node)) if not mask >> r & 1]


def inserted(node):
    mask, rest = int(argument(node, 0)), of_first(node)
    rank = len(rest) + bin(mask).count("1")
    return [1 if mask >> r & 1 else rest.pop(0) for r in range(rank)]


def replaced(node, axis, change):
    e = of_first(node)
    e[axis] = change(e[axis])
    return e


def contracted(node):
    e = [1] * 16
    for x, label in zip(operands(node), (node["a_label"], node["b_label"])):
        for r, n in enumerate(node_extents(x)):
            if n != 1:
                e[int(label[r])] = n
    return e[:int(argument(node, 2))]


def second(node):
    return operands(node)[1]


def joined(node):
    axis = int(node["axis"])
    return replaced(node, axis, lambda n: n + node_extents(second(node))[axis])


def gathered(node):
    return replaced(node, int(node["axis"]), lambda n: node_extents(second(node))[0])


def part(node):
    return replaced(node, int(argument(node, 0)), lambda n: n // int(argument(node, 1)))


NODES = {
    "owned": lambda node: extents_of(node["view"]["e"]),
    "scalar": lambda node: [],
    "step_node": lambda node: extents_of(node["first"]["e"]),
    "view_node": lambda node: extents_of(node["map"]["e"]),
    "along_node": lambda node: [1] * int(argument(node, 0)) + of_first(node),
    "map_node": broadcast, "reduce_node": kept, "contract_node": contracted,
    "inserted_node": inserted, "part_node": part, "concat_node": joined, "gather_node": gathered,
    "composed_node": None,  # it has those of what a function of the program makes
}
for name in ("leaf", "generator_node", "packed_node", "reshape_node", "scatter_node"):
    NODES[name] = lambda node: extents_of(node["e"])
for name in ("scan_node", "once_node", "shared_node", "named_node", "let_node", "stop_node",
             "next_node", "known_norm", "batch_norm_node"):
    NODES[name] = of_first


def node_extents(node):
    """Throws TypeError where only the program knows them."""
    return NODES[name_of(node.type)](node)


def function_of(node):
    """What its plan calls it, or nearly so."""
    name = name_of(node.type)
    if name in ("view_node", "generator_node", "contract_node", "inserted_node", "along_node"):
        return node["name"].string()
    if name == "scan_node":
        return f"scan<{name_of(argument(node, 0))}>"
    if name in ("map_node", "reduce_node", "composed_node"):
        return name_of(argument(node, 0)).replace("user_function", "map")
    return name.removesuffix("_node")


def formula(node, depth=DEPTH):
    below = operands(node)
    if not below:
        return function_of(node)
    inner = ", ".join(formula(x, depth - 1) for x in below) if depth > 1 else ".."
    return f"{function_of(node)}({inner})"


def expression_text(node):
    try:
        extents = node_extents(node)
    except TypeError:
        return f"lazy {formula(node)}: computes nothing yet"
    if any(n < 0 for n in extents):
        return f"lazy {name_of(node.type)}" + NOT_YET
    return f"lazy {formula(node)}: extents {in_brackets(extents)}, computes nothing yet"


# What GDB asks.

TEXTS = {
    "Tensor": tensor_text, "View": view_text, "bfloat16": bfloat16,
    "extents": lambda value: in_brackets(extents_of(value)),
    **dict.fromkeys(NODES, expression_text),
}


class Printer:
    def __init__(self, value, text):
        self.value, self.text = value, text

    def to_string(self):
        """Says so where a value is optimised out, or nothing is constructed in its memory."""
        try:
            return self.text(self.value)
        except (gdb.error, ArithmeticError, LookupError, ValueError) as problem:
            return f"felt::{name_of(self.value.type)}, unreadable: {problem}"


def felt(value):
    if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    name = name_of(value.type)
    if name in TEXTS and re.match(rf"felt::(\w+::)*{name}\b", plain(value.type).name):
        return Printer(value, TEXTS[name])
    return None


gdb.printing.register_pretty_printer(gdb.current_objfile(), felt, replace=True)
