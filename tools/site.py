#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the site: site.py OUT. README is home, docs/ the guide, the headers' comments the
API reference. mkdocs.yml lists them; ./run site calls both."""
import pathlib
import re
import sys

import api_reference

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Pages outside of docs/, and their names in the site.
ELSEWHERE = {"README.md": "index.md", "examples/cookbook/README.md": "cookbook.md",
             "CHANGELOG.md": "changelog.md"}


def page_of(path):
    """The name that a file of the project has in the site, None if it has none."""
    relative = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    if relative in ELSEWHERE:
        return ELSEWHERE[relative]
    return path.name if path.parent == ROOT / "docs" and path.suffix == ".md" else None


def links_for_site(text, folder):
    """Links between pages as the site has them; those to other files become their words."""
    def replace(match):
        words, target, part = match[1], match[2], match[3] or ""
        if target.startswith(("http:", "https:")) or target == "":
            return match[0]
        path = (folder / target).resolve()
        page = page_of(path)
        if page:
            return f"[{words}]({page}{part})"
        if not path.exists():
            sys.exit(f"{folder}: {target} does not exist")
        return words
    parts = re.split(r"(```.*?```|`[^`\n]*`(?!\]))", text, flags=re.S)  # code has no links
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"\[([^\[\]]+)\]\(([^()#\s]*)(#[^()\s]*)?\)", replace, parts[i])
    return "".join(parts)


def tables_for_site(text):
    """Bars in code of a table are written without the backslash that GitHub wants."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("|"):
            line = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
        lines.append(line)
    return "\n".join(lines)


def main(out):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*"):
        old.unlink()
    sources = [*sorted((ROOT / "docs").glob("*.md")), *(ROOT / name for name in ELSEWHERE)]
    for source in sources:
        text = links_for_site(source.read_text(), source.parent)
        (out / page_of(source)).write_text(tables_for_site(text))
    files, index = api_reference.reference()
    for name, text in files.items():
        (out / name).write_text(text)
    (out / "style.css").write_text((ROOT / "tools/site.css").read_text())
    print(f"{out}: {len(sources)} pages, {len(index)} names in {len(files)} pages of reference")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
