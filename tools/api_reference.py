#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The API reference: what include/felt declares in its public namespaces, with its comments.

Headers are formatted, so that no parser of C++ is needed: what namespaces declare begins in the
first column, and its comment stands above it, or behind it on the line. Names of `detail`, and
functions that only refuse mistakes, are left out.
"""
import html
import pathlib
import re

INCLUDES = pathlib.Path(__file__).resolve().parent.parent / "include"
PUBLIC = {"felt", "felt::nn", "felt::math", "felt::monoid"}
# The pages: name, title, the headers that it shows. The first that matches has the header.
PAGES = [
    ("tensors", "Tensors and views", r"felt/tensor/"),
    ("views", "Views of expressions", r"felt/expr/views/|felt/expr/view\.hpp"),
    ("operations", "Operations", r"felt/expr/"),
    ("gradients", "Gradients", r"felt/grad"),
    ("running", "Plans and running", r"felt/(plan|host)/"),
    ("networks", "Networks", r"felt/nn"),
    ("optional", "Optional headers", r"felt/(sorting|linalg|fft|npy|npz|xtensor)\w*\.hpp"),
    ("device", "Device and ranks", r"felt/(device|distributed)"),
    ("core", "Extents, types, mathematics", r"felt/core/"),
]
NAME = re.compile(
    r"(?:struct|class|concept|using|enum class|enum) (?:FELT_LAZY |\[\[.*?\]\] )?(?P<type>\w+)"
    r"|(?P<function>operator *(?:\(\)|[^\s(]+)|\w+) *\("
    r"|(?P<value>\w+)(?:<[^;=]*>)? *(?:=|;|\{)")
# Words that stand before a name, and what carries arguments of its own.
BEFORE = re.compile(r"\[\[.*?\]\] ?|\b(?:FELT_FN|FELT_HOST_DEVICE|FELT_INLINE|FELT_ONCE|FELT_LAZY|"
                    r"FELT_PLANNING\w*|FELT_CALLS_EITHER) ?")

# What gives nothing a user may name: mistakes refused, specialisations, friends, checks.
NO_NAME = re.compile(r"\brefused|= delete|^(extern )?template (struct|class|<>)|^friend|"
                     r"^template <>|^static_assert|\boperator\(\)")


def closed(text):
    """Whether a declaration ends here: outside of all brackets, with a ; or a }."""
    code = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//[^\n]*', "", text).rstrip()
    open_ = sum(code.count(c) for c in "({[") - sum(code.count(c) for c in ")}]")
    return open_ == 0 and code.endswith((";", "}"))


def without_template(text):
    """A declaration without template<..>, requires and the words before it."""
    text = BEFORE.sub("", text).strip()
    if text.startswith("template"):
        depth, at = 0, text.index("<")
        for at in range(at, len(text)):
            depth += (text[at] == "<") - (text[at] == ">" and text[at - 1] not in "-=")
            if depth == 0:
                break
        text = text[at + 1:].strip()
    lines = text.split("\n")
    while len(lines) > 1 and re.match(r"\s*(requires|&&|\|\||\(|!)|\s{8}", lines[0]):
        lines.pop(0)
    text = " ".join(line.strip() for line in lines)
    return re.sub(r"^requires \w+<[^>]*> ", "", text)


def signature(text):
    """What a user reads: no body of a function, no initial value, no members."""
    whole = BEFORE.sub("", text).rstrip(";")
    text = "\n".join(re.sub(r"\s*//.*", "", line) for line in text.split("\n"))
    head = without_template(text)
    if re.match(r"(struct|enum)", head) and text.count("\n") < 16 and "operator" not in text:
        return whole
    if re.match(r"(inline |constexpr |extern )*(struct|class|enum)", head):
        text = re.sub(r"\s*(?:: [^{;]*)?\{.*", "", text, count=1, flags=re.S)
    elif not re.match(r"(using|concept)\b", head):
        text = re.sub(r"\)\s*(?:const )?(?:: \w+[({].*?)?\s*\{(?!\}[,)]).*", ")", text, count=1,
                      flags=re.S) if "(" in head else re.sub(r"\s*=.*", "", text, flags=re.S)
    text = BEFORE.sub("", text)
    return re.sub(r"(?<=\S)  +", " ", text).strip().rstrip(";")


def name_of(text):
    head = BEFORE.sub("", without_template(re.sub(r"//[^\n]*", "", text)))
    head = re.sub(r"__attribute__\(\(.*?\)\)|decltype\([^()]*\)|noexcept\([^()]*\)", "", head)
    found = NAME.search(head)
    return found and next(group for group in found.groups() if group)


def declarations(header):
    """Of a header: the comment at its head, and (namespace, name, declaration, comment) of each."""
    lines = (INCLUDES / header).read_text().split("\n")
    head, spaces, comment, found, at = [], [], [], [], 1
    while at < len(lines) and lines[at].startswith("//"):
        head.append(lines[at][2:])
        at += 1
    while at < len(lines):
        line = lines[at]
        at += 1
        space = re.match(r"(?:inline )?namespace(?: ([\w: ]+))? *\{", line)
        if space:
            names = (space[1] or "detail").replace("inline FELT_ABI", "").replace("::::", "::")
            spaces.append(names.strip().rstrip(":"))
        elif line.startswith("}  // namespace"):
            spaces.pop()
        elif line.startswith("//"):
            if "clang-format" not in line:
                comment.append(line[2:])
        elif not line.strip() or line[0] in "#} ":
            comment = []
            while line.startswith("#") and line.endswith("\\"):
                line, at = lines[at], at + 1
        else:
            text = line
            while not closed(text) and at < len(lines):
                text += "\n" + lines[at]
                at += 1
            behind = re.search(r"[;}]\s*//(.*)$", text.split("\n")[-1])
            name = name_of(text)
            shown = signature(text)
            if (name and "detail" not in "::".join(spaces) and not NO_NAME.search(shown)
                    and not re.search(rf"::{re.escape(name)} *\(", shown)):  # a member's body
                said = comment + ([behind[1]] if behind else [])
                found.append(("::".join(spaces), name, shown, said))
            if not re.match(r"template .*\{.*\}", text) or "\n" in text:
                comment = []  # in tables of functions, a line each, it is said of all
    return head, found


def prose(lines):
    """A comment as Markdown; what is indented in it is code."""
    out, code = [], False
    for line in lines:
        indented = re.match(r" {3,}\S", line)
        if indented and not code and (not out or out[-1] == "" or not out[-1].startswith("    ")):
            out.append("")
        code = bool(indented)
        if indented:
            out.append("    " + (line[5:] if line.startswith(" " * 5) else line.lstrip()))
        else:
            if out and out[-1].startswith("    "):
                out.append("")
            parts = line.strip().split("`")  # what is between two is code already
            if len(parts) % 2 == 0:
                parts = [line.strip()]
            for i in range(0, len(parts), 2):
                parts[i] = html.escape(re.sub(r"([\\*_\[\]{}#|])", r"\\\1", parts[i]), False)
            out.append("`".join(parts))
    return "\n".join(out).strip("\n")


def section(header, head, entries):
    """The Markdown of a header: its comment, and each name once with all its forms."""
    out = [f"## {header} {{ #{anchor(header)} }}", "", prose(head), ""]
    names = {}
    for space, name, text, comment in entries:
        names.setdefault((space, name), []).append((text, comment))
    for (space, name), forms in names.items():
        within = "" if space == "felt" else space[len("felt::"):] + "::"
        out += [f"### `{within}{name}` {{ #{anchor(header, name)} }}", "", "```cpp"]
        out += ["\n\n".join(dict.fromkeys(text for text, _ in forms)), "```", ""]
        said = dict.fromkeys(prose(comment) for _, comment in forms if comment)
        out += ["\n\n".join(said), ""] if said else []
    return "\n".join(out)


def anchor(header, name=""):
    words = re.sub(r"\.hpp$", "", header)[len("felt/"):] + ("-" + name if name else "")
    return re.sub(r"[^\w]+", "-", "".join(f"-{ord(c):x}" if c in "+-*/%<>=!&|^~" and
                  name.startswith("operator") and c not in "/-" else c for c in words)).strip("-")


def reference():
    """{page: Markdown}, of which api.md is the index."""
    pages, index = {page: [] for page, _, _ in PAGES}, {}
    headers = sorted(p.relative_to(INCLUDES).as_posix() for p in INCLUDES.glob("felt/**/*.hpp"))
    found = {header: declarations(header) for header in headers}
    mathematics = {"select"}  # of felt::math what is an operation, too: the rest is its parts
    mathematics |= {e[1] for _, entries in found.values() for e in entries if e[0] == "felt"}
    for header in headers:
        page = next((p for p, _, pattern in PAGES if re.match(pattern, header)), None)
        head, entries = found[header]
        entries = [e for e in entries if e[0] in PUBLIC and
                   (e[0] != "felt::math" or e[1] in mathematics)]
        if not entries or page is None:
            continue
        pages[page].append(section(header, head, entries))
        for space, name, _, _ in entries:
            index.setdefault(name, {})[header] = f"api_{page}.md#{anchor(header, name)}"
    files = {}
    for page, title, _ in PAGES:
        files[f"api_{page}.md"] = f"# {title}\n\n" + "\n".join(pages[page])
    rows = ["# API reference", "", "What the headers declare, and what their comments say of it. "
            "[Operations](03_operations.md) are the tables to look something up in.", "",
            "| pages | headers |", "|---|---|"]
    for page, title, _ in PAGES:
        rows.append(f"| [{title}](api_{page}.md) | {len(pages[page])} |")
    rows += ["", "## All names", ""]
    for name in sorted(index, key=str.lower):
        links = ", ".join(f"[{h[len('felt/'):]}]({to})" for h, to in index[name].items())
        rows.append(f"* `{name}`: {links}")
    files["api.md"] = "\n".join(rows) + "\n"
    return files, index
