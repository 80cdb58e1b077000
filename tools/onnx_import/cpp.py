# SPDX-License-Identifier: BSD-3-Clause
"""How numbers, lists and parts of expressions are spelt in C++."""

import numpy as np


def number(v):
    if not np.isfinite(v):
        limit = "quiet_NaN" if np.isnan(v) else "infinity"
        return f"{'-' if v < 0 else ''}std::numeric_limits<float>::{limit}()"
    text = repr(float(np.float32(v)))
    text = np.format_float_positional(np.float32(v), unique=True, trim="0") if "e" not in text else f"{np.float32(v)}"
    return text + "f"


def braced_list(numbers):
    return f"{{{', '.join(map(str, numbers))}}}"


def further_options(options):
    """A last argument, if there are any."""
    return f", {braced_list(options)}" if options else ""


def grouped(code):
    """In parentheses if an operator stands outside all parentheses."""
    depth = 0
    for k, c in enumerate(code):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c in "+-*/" and 0 < k and code[k - 1] == " ":
            return f"({code})"
    return code


def sliced(code, rank, parts):
    """Of each axis its part, and all of an axis that has none."""
    return f"slice({code}, {', '.join(parts.get(axis, 'felt::all()') for axis in range(rank))})"
