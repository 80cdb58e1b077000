# SPDX-License-Identifier: BSD-3-Clause
"""The C++ header: a class with the weights and the memory, whose call runs the statements."""

from .cpp import number


def header(w):
    """Of what a writer has written."""
    return "\n".join([*opening(w), *constructor(w), "", *call(w), "", "private:", *types(w), "", *members(w),
                      "};", "", "}  // namespace imported", ""])


def indented(lines, columns):
    return [" " * columns + line for line in lines]


def has_layers(w):
    return any("felt::lstm" in m for m in w.members)


def opening(w):
    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//",
             f"// {w.name}: written by felt_import.py from an ONNX file."
             + ("" if w.embed else f" Weights are in {w.name}.npz."),
             "#pragma once", "#include <felt/felt.hpp>"]
    if any("std::numeric_limits" in s for s in w.statements):
        lines.append("#include <limits>")
    if not w.embed:
        lines.append("#include <felt/npz_arrays.hpp>")
    if has_layers(w):
        lines.append("#include <felt/nn/lstm.hpp>")
    return [*lines, "", "namespace imported {", "", f"class {w.name} {{", "public:"]


def constructor(w):
    if w.embed:
        lines = [f"    {w.name}() {{"]
    else:
        lines = [f"    // {w.name}(felt::load_npz(\"{w.name}.npz\")). Throws io_error that names what it lacks.",
                 f"    explicit {w.name}(felt::npz const& weights) {{"]
    lines += [*indented(w.set_up, 8), "    }"]
    if has_layers(w):
        lines.append(f"    {w.name}({w.name} const&) = delete;  // layers look at its weights")
    return lines


def call(w):
    shape = w.graph.shape(w.graph.input)
    extents = ", ".join(map(str, shape))
    return [f"    // Of x ({extents}); how is felt::fused or felt::unfused. What it returns is written anew by",
            "    // the next call.", "    template <class How = felt::fused_t>",
            f"    auto const& operator()(felt::View<float const, {len(shape)}> const& x, How how = {{}}) {{",
            *indented(w.statements, 8),
            "        return y;", "    }"]


def types(w):
    """The types of the members."""
    lines = ["    template <std::size_t R>", "    using tensor = felt::Tensor<float, R>;"]
    used = {m.split(" ")[0] for m in w.members}
    if "images" in used:
        lines.append("    using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;")
    if used & {"filters", "columns"}:
        lines.append("    // What a product multiplies side by side lies so: weights of one input for all outputs.")
    if "filters" in used:
        lines.append("    using filters = felt::Tensor<float, 4, felt::Host, felt::ColMajor>;")
    if "columns" in used:
        lines.append("    using columns = felt::Tensor<float, 2, felt::Host, felt::ColMajor>;")
    return lines


def members(w):
    lines = indented(w.members, 4)
    if w.buffers:
        lines += [f"    // Values that do not live at the same time share it: {w.floats / 256:.1f} KiB for "
                  f"{w.floats_apart / 256:.1f}.", f"    tensor<1> memory{{{{{w.floats}}}}};"]
    if w.embed:
        lines += ["", *(embedded(*weight) for weight in w.weights.items())]
    return lines


def embedded(name, array):
    values = [f"{number(v)}," for v in array.reshape(-1)]
    rows = [" ".join(values[k:k + 8]) for k in range(0, len(values), 8)]
    return f"    static constexpr float {name}_values[] = {{\n        " + "\n        ".join(rows) + "};"
