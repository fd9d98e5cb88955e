#!/usr/bin/env python3
"""Refuse import cycles inside the crates of this workspace.

Usage: scripts/check-cycles.py [--crate NAME]...    (db or merels-db; all crates by default)

The script refuses three things outside `#[cfg(test)]`:
- files that import each other, directly or in a cycle;
- siblings (files and folders of one folder, at every level) that import each other;
- imports through the root (`use crate::Item`): lib.rs and main.rs only declare and re-export.
A mod.rs that re-exports its children imports them, so a child must not import from it.

Why not `cargo modules dependencies --acyclic`: it finds neither cycles of folders nor imports
through the root, it prints no line numbers, and each new machine has to compile rust-analyzer
first. This script reads the text. It follows `mod NAME;` from the root. Each path that begins with
`crate`, `self`, `super` or a child module counts as an import, in `use` or elsewhere.
"""

import argparse
import os
import re
import sys
from pathlib import Path

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\s+"  # skipped, like strings and characters:
    r"""|\bb?r(?P<hash>\#*)".*?"(?P=hash)|"(?:\\.|[^"\\])*"|'(?:\\[^']+|[^\\'])'"""
    r"|(?P<token>[A-Za-z_]\w*|::|.)",
    re.DOTALL,
)


class Crate:
    """The modules of one crate, each in its file, and the imports between them."""

    def __init__(self, root):
        self.files, self.imports = {}, []
        self.read((), root, root.parent)
        self.edges, self.through_root = {}, []
        for module, path, where in self.imports:
            target = path
            while target not in self.files:
                target = target[:-1]
            line = f"    {where}: {'::'.join(('crate', *path))}\n"
            if module and not target:
                self.through_root.append(line)
            elif module and target != module:
                self.edges.setdefault((module, target), []).append(line)

    def read(self, module, file, folder):
        """Reads the file of a module and, in `folder`, those of its children."""
        self.files[module] = file
        text = file.read_text()
        found = [(m["token"], m.start()) for m in TOKEN.finditer(text) if m["token"]]
        self.words = words = [word for word, _ in found]
        children, inner, depth, i = [], [], 0, 0
        while i < len(words):
            word, before = words[i], words[i - 1]
            attribute = "".join(words[i : i + 7])
            if attribute.startswith(("#[cfg(test", "#[cfg(all(test")):
                i = self.after_item(i)
                continue
            if word == "mod" and words[i + 2] == ";":
                children.append(words[i + 1])
            elif word == "mod" and words[i + 2] == "{":
                inner.append((words[i + 1], depth))
            depth += (word == "{") - (word == "}")
            if inner and inner[-1][1] == depth and word == "}":
                inner.pop()
            here = (*module, *(name for name, _ in inner))
            starts = {"crate": (), "children": children, "self": here}
            where = f"{file}:{text.count(chr(10), 0, found[i][1]) + 1}"
            if word == "use":
                i = self.tree(i + 1, None, starts, module, where)
            elif word.isidentifier() and words[i + 1] == "::" and before not in ("::", "$", "in"):
                i = self.tree(i, None, starts, module, where)
            else:
                i += 1
        for child in children:
            below = folder / child
            flat = folder / f"{child}.rs"
            self.read((*module, child), flat if flat.exists() else below / "mod.rs", below)

    def tree(self, i, path, starts, module, where):
        """Notes the imports of the tree of paths at word `i`; returns its end."""
        words = self.words
        while words[i].isidentifier():
            word = words[i]
            if path is None and word in ("crate", "self"):
                path = starts[word]
            elif path is None and word == "super":
                path = starts["self"][:-1]
            elif path is None:
                path = (*starts["self"], word) if word in starts["children"] else False
            elif path is not False and word == "super":
                path = path[:-1]
            elif path is not False and word != "self":
                path = (*path, word)
            i += 1
            if words[i] != "::":
                break
            i += 1
        if words[i] == "{" and words[i - 1] in ("::", "use"):
            i += 1
            while words[i] != "}":
                i = self.tree(i, path, starts, module, where)
                i += words[i] == ","
            return i + 1
        if path:
            self.imports.append((module, path, where))
        elif path == ():
            self.imports.append((module, ("*",), where))
        return i + (2 if words[i] == "as" else words[i] == "*")

    def after_item(self, i):
        """The end of the item whose attribute is at word `i`."""
        words, depth = self.words, 0
        while True:
            depth += (words[i] in "([{") - (words[i] in ")]}")
            i += 1
            if depth == 0 and words[i - 1] in ";}":
                return i

    def circles(self):
        """Each set of files, or of siblings, that reach each other, with the lines between them."""
        siblings = {}
        for (a, b), lines in self.edges.items():
            common = sum(1 for n in range(1, 1 + min(len(a), len(b))) if a[:n] == b[:n])
            if common < min(len(a), len(b)):
                siblings.setdefault((a[: common + 1], b[: common + 1]), []).extend(lines)
        for kind, edges in (("files", self.edges), ("siblings", siblings)):
            reach = {}
            for a, b in edges:
                reach.setdefault(a, set()).add(b)
            for a, reached in reach.items():
                todo = list(reached)
                while todo:
                    new = reach.get(todo.pop(), set()) - reached
                    reached |= new
                    todo += new
            circles = {
                tuple(sorted(b for b in reached if a in reach.get(b, ())))
                for a, reached in reach.items()
            }
            for circle in sorted(circles - {()}):
                names = ", ".join("/".join(module) for module in circle)
                within = [lines for edge, lines in edges.items() if set(edge) <= set(circle)]
                yield f"a cycle of {kind}: {names}", sum(within, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--crate", action="append", default=[], help="check only this crate")
    wanted = [name.removeprefix("merels-") for name in parser.parse_args().crate]
    failed = False
    os.chdir(Path(__file__).parent.parent)
    for folder in sorted(Path("crates").iterdir()):
        roots = [root for name in ("lib.rs", "main.rs") if (root := folder / "src" / name).exists()]
        if wanted and folder.name not in wanted:
            continue
        crate = Crate(roots[0])
        faults = list(crate.circles())
        if crate.through_root:
            faults.append(("imports through the root", crate.through_root))
        for title, lines in faults:
            print(f"{folder.name}: {title}\n{''.join(sorted(set(lines)))}", end="")
        if not faults:
            print(f"{folder.name}: no cycle in {len(crate.files)} files")
        failed |= bool(faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
