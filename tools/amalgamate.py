#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Felt as one header: amalgamate.py OUT [HEADER..], of felt/felt.hpp and the headers named.

Each header of Felt is put where it is first included, without the lines that are comments alone.
Others, of the standard library and of xsimd, are included once. Give it to a compiler that sees
xsimd; felt::compiled has no place beside it.
"""
import pathlib
import re
import sys

INCLUDES = pathlib.Path(__file__).resolve().parent.parent / "include"
INCLUDE = re.compile(r"\s*#\s*include\s*(?:<([^>]+)>|FELT_ENGINE)")
BEGIN = """// SPDX-License-Identifier: BSD-3-Clause
// Felt {version}, one header made by tools/amalgamate.py of {headers}.
#pragma once
#if defined(FELT_COMPILED)
#error "this header holds what felt::compiled does: use one of them"
#endif
"""


def expand(name, seen):
    """The lines of a header, each that it includes in its place, the first time."""
    if name in seen:
        return
    seen.add(name)
    yield f"\n// {name}"
    depth = 0  # of #if
    for line in (INCLUDES / name).read_text().splitlines():
        depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
        include = INCLUDE.match(line)
        if re.match(r"\s*//|#pragma once", line):
            continue
        if not include:
            yield line
            continue
        other = include[1] or "felt/engine.hpp"
        if other.startswith("felt/"):
            if depth:
                sys.exit(f"{name}: {line.strip()} depends on a condition")
            yield from expand(other, seen)
        elif other not in seen:
            yield line
            if not depth:
                seen.add(other)


def main(out, *headers):
    headers = ("felt/felt.hpp", *headers)
    version = re.search(r'FELT_VERSION "(.*)"', (INCLUDES / "felt/core/version.hpp").read_text())[1]
    seen, lines = set(), []
    for header in headers:
        if not (INCLUDES / header).is_file():
            sys.exit(f"there is no header {header} in {INCLUDES}")
        lines += expand(header, seen)
    text = BEGIN.format(version=version, headers=", ".join(headers)) + "\n".join(lines) + "\n"
    text = re.sub(r"\n{3,}", "\n\n", text)
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(out).write_text(text)
    print(f"{out}: {text.count(chr(10))} lines, {len(text.encode()) / 1024:.0f} KiB")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
