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
import io
import os
import re
import sys

from onnx_import import Refused


def write_whole(path, data):
    """A reader sees the old file or the new one."""
    part = path + ".part"
    with open(part, "wb") as f:
        f.write(data)
    os.replace(part, path)


def convert(path, out, name, embed):
    import onnx  # here, so that main() can say what is missing
    import numpy as np  # comes with onnx
    from onnx_import.writer import Writer
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
