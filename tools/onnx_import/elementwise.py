# SPDX-License-Identifier: BSD-3-Clause
"""Operators whose elements depend on one element of each operand."""

import numpy as np

from .cpp import grouped, number
from .values import Value

UNARY = {"Relu": "relu", "Sigmoid": "sigmoid", "Tanh": "tanh", "Erf": "erf", "Sqrt": "sqrt", "Exp": "exp",
         "Log": "log", "Abs": "abs", "Floor": "floor", "Ceil": "ceil", "Softplus": "softplus",
         "Reciprocal": "reciprocal", "Sin": "sin", "Cos": "cos"}
BINARY = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/"}
FUNCTIONS_OF_TWO = {"Pow": "pow", "Max": "maximum", "Min": "minimum"}


def unary(writer, n, _):
    x = writer.value(n.input[0])
    writer.give(n.output[0], Value(f"{UNARY[n.op_type]}({x.code})", x.shape, False))


def binary(writer, n, _):
    a, b = (writer.value(i) for i in n.input)
    if n.op_type in BINARY:
        code = f"{grouped(a.code)} {BINARY[n.op_type]} {grouped(b.code)}"
    else:
        code = f"{FUNCTIONS_OF_TWO[n.op_type]}({a.code}, {b.code})"
    writer.give(n.output[0], Value(code, np.broadcast_shapes(a.shape, b.shape), False))


def neg(writer, n, _):
    x = writer.value(n.input[0])
    writer.give(n.output[0], Value(f"-{grouped(x.code)}", x.shape, False))


def clip(writer, n, _):
    x = writer.value(n.input[0])
    low, high = (writer.value(i).code if i else None for i in [*n.input[1:], "", ""][:2])
    code = x.code
    code = f"maximum({code}, {low})" if low else code
    code = f"minimum({code}, {high})" if high else code
    writer.give(n.output[0], Value(code, x.shape, False))


def leaky_relu(writer, n, a):
    x = writer.value(n.input[0])
    writer.give(n.output[0], Value(f"leaky_relu({x.code}, {number(a.get('alpha', 0.01))})", x.shape, False))


OPERATORS = {**dict.fromkeys(UNARY, unary), **dict.fromkeys([*BINARY, *FUNCTIONS_OF_TWO], binary),
             "Neg": neg, "Clip": clip, "LeakyRelu": leaky_relu}
