# SPDX-License-Identifier: BSD-3-Clause
"""What a report is made of, and how it is written as HTML and as Markdown."""
import html
from dataclasses import dataclass, field


@dataclass
class Table:
    head: list  # the first column is text, all others are numbers
    rows: list
    note: str = ""

    def as_html(self):
        cells = lambda tag, row: "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in row)
        body = "".join(f"<tr>{cells('td', row)}</tr>" for row in self.rows)
        note = f"<p class='note'>{html.escape(self.note)}</p>" if self.note else ""
        return (f"<div class='scroll'><table><thead><tr>{cells('th', self.head)}</tr></thead>"
                f"<tbody>{body}</tbody></table></div>{note}")

    def as_markdown(self):
        line = lambda row: "| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |"
        rule = "|---|" + "--:|" * (len(self.head) - 1)
        note = f"\n\n{self.note}" if self.note else ""
        return "\n".join([line(self.head), rule, *map(line, self.rows)]) + note


@dataclass
class Section:
    key: str
    title: str
    text: list = field(default_factory=list)    # paragraphs
    charts: list = field(default_factory=list)  # (SVG, what it shows and its units)
    tables: list = field(default_factory=list)

    def as_html(self, source):
        figures = "".join(f"<figure>{svg}<figcaption>{html.escape(words)} <span>{html.escape(source)}</span>"
                          "</figcaption></figure>" for svg, words in self.charts)
        paragraphs = "".join(f"<p>{html.escape(p)}</p>" for p in self.text)
        tables = "".join(t.as_html() for t in self.tables)
        shut = f"<details open='open'><summary>Numbers</summary>{tables}</details>" if figures and tables else tables
        return (f"<section id='{self.key}'><h2>{html.escape(self.title)}</h2>{paragraphs}{figures}{shut}"
                "</section>")

    def as_markdown(self, source):
        parts = [f"## {self.title}", *self.text, *(t.as_markdown() for t in self.tables), f"*{source}*"]
        return "\n\n".join(parts)
