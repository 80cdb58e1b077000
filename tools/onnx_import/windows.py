# SPDX-License-Identifier: BSD-3-Clause
"""Operators that read windows of images: pools, and the options that a convolution has as well."""

from . import refuse
from .cpp import further_options
from .values import Value


def window_options(n, a, pairs):
    pads = a.get("pads", [0, 0, 0, 0])
    if a.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID") or pads[:2] != pads[2:]:
        refuse(n, "padding that differs on two sides is not known")
    plain = {"stride": [1, 1] if "window" not in pairs else None, "dilation": [1, 1]}
    # In the order of the fields of conv_options and pool_options.
    fields = {"window": pairs.get("window"), "stride": pairs.get("stride"), "padding": pads[:2] if any(pads) else None,
              "dilation": pairs.get("dilation")}
    return [f".{k} = {{{v[0]}, {v[1]}}}" for k, v in fields.items() if v is not None and list(v) != plain.get(k)]


def floored(x, a):
    """The extents of a pool of x that leaves out what is less than a window."""
    pads = a.get("pads", [0, 0, 0, 0])
    sides = [(x[2 + i] + pads[i] + pads[2 + i] - a["kernel_shape"][i]) // a.get("strides", [1, 1])[i] + 1
             for i in range(2)]
    return (*x[:2], *sides)


def pool(writer, n, a, function):
    x, shape = writer.value(n.input[0]), writer.graph.shape(n.output[0])
    if a.get("ceil_mode", 0) and shape != floored(x.shape, a):
        refuse(n, "ceil_mode is not known")
    options = window_options(n, a, {"window": a["kernel_shape"], "stride": a.get("strides", [1, 1])})
    writer.give(n.output[0], Value(f"{function}({x.code}{further_options(options)})", shape, False))


def max_pool(writer, n, a):
    if a.get("dilations", [1, 1]) != [1, 1]:
        refuse(n, "dilations are not known")
    pool(writer, n, a, "max_pool2d")


def average_pool(writer, n, a):
    if any(a.get("pads", [0])) and not a.get("count_include_pad", 0):
        refuse(n, "padding that does not count is not known")
    pool(writer, n, a, "avg_pool2d")


def global_average_pool(writer, n, _):
    x, shape = writer.value(n.input[0]), writer.graph.shape(n.output[0])
    writer.give(n.output[0], Value(f"felt::mean<2, 3>({x.code}, felt::keepdims)", shape, False))


OPERATORS = {"MaxPool": max_pool, "AveragePool": average_pool, "GlobalAveragePool": global_average_pool}
