# SPDX-License-Identifier: BSD-3-Clause
"""The operators that are known: OPERATORS[name](writer, node, attributes) writes a node."""

from . import elementwise, normalisation, products, shapes, windows

OPERATORS = {**elementwise.OPERATORS, **normalisation.OPERATORS, **products.OPERATORS, **shapes.OPERATORS,
             **windows.OPERATORS}
# Their operands are read more than once, or by windows.
READ_MEMORY = {*products.OPERATORS, *windows.OPERATORS, "LayerNormalization", "Softmax", *shapes.RESHAPES, "Gather",
               "Slice"}
# What they give is written where their reader wants it.
WRITTEN_ANYWHERE = {*elementwise.OPERATORS, *normalisation.OPERATORS, *windows.OPERATORS, "Conv", "Gemm", "MatMul"}
