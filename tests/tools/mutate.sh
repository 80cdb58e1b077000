#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Which mistakes tools/mutate.py makes in a header: operators, numbers and statements of code, nothing
# in comments, templates and texts.
set -euo pipefail
command -v python3 >/dev/null || { echo "Skipped: no python3"; exit 0; }
python3 -B - <<'PYTHON'
import sys
sys.path.insert(0, "tools")
import mutate

header = """// a < b and 1 + 2
template <int A = 3>
inline int f(int a, int b) {
    if (a < b && !known) return std::max(a, 7);  // a < b
    total += a;
    throw error("a + 1");
}
"""
made = [new.strip() for _, new in mutate.sites(header)]
expected = {
    "if (a <= b && !known) return std::max(a, 7);  // a < b",
    "if (a < b || !known) return std::max(a, 7);  // a < b",
    "if (a < b && known) return std::max(a, 7);  // a < b",
    "if (a < b && !known) return std::min(a, 7);  // a < b",
    "if (a < b && !known) return std::max(a, 8);  // a < b",
    "total -= a;",
    ";",
}
assert set(made) == expected and len(made) == len(expected), made
PYTHON
