# SPDX-License-Identifier: BSD-3-Clause
"""The site's pages: every name of docs/03_operations.md is in the API reference, with a declaration
that is one; every page is in mkdocs.yml. check.py ROOT OUT [PYTHON]: a Python with mkdocs-material
builds it, and finds links that lead nowhere."""
import os
import pathlib
import re
import subprocess
import sys

root, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(root / "tools"))
import api_reference  # noqa: E402

subprocess.run([sys.executable, root / "tools/site.py", out / "pages"], check=True)
files, index = api_reference.reference()
faults = []
for line in (root / "docs/03_operations.md").read_text().split("\n"):
    cell = line.replace("\\|", "/").split("|")[1] if line.startswith("| `") else ""
    faults += [f"{name} of docs/03_operations.md is not in the API reference"
               for name in re.findall(r"([a-zA-Z0-9_]+)[<(]", cell) if name not in index]
reference = "\n".join(files.values())
for words in ("template <array_operand X> auto exp(X&& x)",  # as functions.hpp has it
              "1 / (1 + exp(-x))",  # a comment behind a declaration
              "class Tensor"):
    if words not in reference:
        faults.append(f"the API reference has nothing of: {words}")
nav = set(re.findall(r"[\w]+\.md", (root / "mkdocs.yml").read_text()))
pages = {page.name for page in (out / "pages").glob("*.md")}
faults += [f"{page} is not in mkdocs.yml, or only there" for page in sorted(nav ^ pages)]
if len(sys.argv) > 3 and not faults:
    config = (root / "mkdocs.yml").read_text()
    config = config.replace("build/pages", str(out / "pages"))
    config = config.replace("build/site", str(out / "site"))
    (out / "mkdocs.yml").write_text(config)
    subprocess.run([sys.argv[3], "-m", "mkdocs", "build", "--strict", "--quiet", "-f",
                    out / "mkdocs.yml"],
                   check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    for page in (out / "site").glob("*.html"):
        faults += [f"{page.name} fetches {url}" for url in
                   re.findall(r'(?:src|stylesheet" href)="(https?:[^"]+)"', page.read_text())]
sys.exit("\n".join(faults) or 0)
