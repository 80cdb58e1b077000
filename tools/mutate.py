#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mutation testing of the planner and the host's engine: which share of small mistakes do the tests find?

    ./run test                                   what is mutated has to be built
    python3 tools/mutate.py --count 20 --seed 1  twenty mutants, two at a time

A mutant is one header of include/felt/plan or include/felt/host with one operator, number or statement changed. What
felt::compiled holds is compiled again with it and linked into the programs of tests that are built, in
build/mutants; nothing else changes but the test that mirrors the header, which is compiled with it, too: it may test
templates with types that felt::compiled has not. Killed: a test fails, crashes or takes too long. A mutant that leaves
the objects as they were (of code that is compiled elsewhere, or that the compiler leaves out) or does not compile does
not count.
(DeMillo, Lipton and Sayward, "Hints on test data selection", 1978.)
"""
import argparse
import concurrent.futures
import filecmp
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = {"plan": ["engine"], "host": ["engine", "float"]}  # of src/, what a folder's code goes into
PROGRAMS = {  # of build/test, and their tests that a whole run disturbs
    "plan": (["tests/felt_tests_plan"], ["tests/felt_tests_host", "-sfe=*scratch_bound*"]),
    "host": (["tests/felt_tests_host", "-sfe=*scratch_bound*"], ["tests/felt_tests_expr"]),
}
EXCHANGED = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ",
             " && ": " || ", " || ": " && ", " + ": " - ", " - ": " + ", " * ": " + ", " / ": " * ", " % ": " / ",
             " += ": " -= ", "std::min(": "std::max(", "std::max(": "std::min(", "std::min<": "std::max<",
             "std::max<": "std::min<", "true": "false", "false": "true", "(!": "(", " !": " "}
KEPT = re.compile(r"^\s*(//|#|static_assert|template|using|struct|class|enum|namespace|friend|public:|private:)")
STATEMENT = re.compile(r"^\s+[\w\[\]().>:-]+( [-+*|&]?= .*|\(.*\));$")


def sites(text):
    """(line, what it becomes) of every mistake that can be made in a header."""
    found = []
    for i, line in enumerate(text.split("\n")):
        if KEPT.match(line) or '"' in line:
            continue
        code = line.split("//")[0]
        for old, new in EXCHANGED.items():
            for m in re.finditer(re.escape(old) + (r"(?!=)" if old.endswith("!") else ""), code):
                found.append((i, line[:m.start()] + new + line[m.end():]))
        for m in re.finditer(r"(?<![\w.])\d+(?![\w.'])", code):
            found.append((i, line[:m.start()] + str(int(m[0]) + 1) + line[m.end():]))
        if STATEMENT.match(line):
            found.append((i, re.match(r"\s*", line)[0] + ";"))
    return found


def commands(build):
    """How each source of felt::compiled is compiled and each program linked, as lists of words."""
    text = subprocess.run(["ninja", "-C", build, "-t", "commands", "felt_tests_plan", "felt_tests_host",
                           "felt_tests_expr"], capture_output=True, text=True, check=True).stdout
    of = {}
    for line in text.splitlines():
        source = re.search(r"felt_compiled\.dir/src/(\w+)\.cpp\.o -c", line)
        program = re.search(r" -o (tests/felt_tests_\w+) ", line)
        words = [w for w in line.split() if w not in ("&&", ":", "-Werror")]
        test = re.search(r"(tests/felt_tests_\w+).dir/Unity/\w+.cxx.o -c", line.replace("CMakeFiles/", ""))
        if source or test:
            pch = words.index("-include")
            of[source[1] if source else "a test of " + test[1]] = words[:pch] + words[pch + 2:]
        elif program and " -c " not in line:
            of[program[1]] = words
    return of


class Mutants:
    def __init__(self, build, out, folders):
        self.build, self.out, self.commands = build, out, commands(build)
        shutil.rmtree(out / "plain", ignore_errors=True)
        self.plain = self.compiled("plain", ["engine", "float"])
        self.limit = {}
        for p in (p for f in folders for p in PROGRAMS[f]):
            if p[0] in self.limit:
                continue
            begun = time.monotonic()
            if not self.passes("plain", {}, p, 1800):
                sys.exit(f"{p[0]} fails as it is")
            self.limit[p[0]] = 10 + 4 * (time.monotonic() - begun)

    def folder(self, name):
        there = self.out / name
        if not there.exists():
            shutil.copytree(ROOT / "include", there / "include")
        return there

    def object(self, name, of, out, source=None):
        """What a command makes by the headers of a mutant, of another source if there is one; None if nothing."""
        there = self.folder(name)
        words = [f"-I{there}/include" if w[:2] == "-I" and pathlib.Path(w[2:]).resolve() == ROOT / "include" else w
                 for w in self.commands[of] if not w.startswith(("-MD", "-Winvalid"))]
        for option in ("-MT", "-MF"):
            at = words.index(option)
            del words[at:at + 2]
        words[words.index("-o") + 1] = str(there / out)
        if source:
            words[words.index("-c") + 1] = str(source)
        # Paths in messages must not tell mutants apart.
        words.append(f"-fmacro-prefix-map={there}=.")
        made = subprocess.run(words, cwd=self.build, capture_output=True).returncode == 0
        return there / out if made else None

    def compiled(self, name, sources):
        """The objects of sources by the headers of a mutant; None if they do not compile."""
        objects = {s: self.object(name, s, f"{s}.o") for s in sources}
        return None if None in objects.values() else objects

    def mirror_passes(self, name, objects, header):
        """Whether the test of a mutant's header does, compiled with it; if there is none, yes."""
        program, source = "tests/felt_tests_" + header.parts[1], ROOT / "tests" / header.relative_to("felt")
        if not source.with_suffix(".cpp").exists():
            return True
        test = self.object(name, "a test of " + program, "test.o", source.with_suffix(".cpp"))
        if test is None:
            return False
        return self.passes(name, {"test": test, **objects}, [program], self.limit[program], alone=True)

    def passes(self, name, objects, program, limit, alone=False):
        """Whether a program of tests does, linked with these objects before all others: whose code a test has, too,
        is that of the first. Alone: without the other tests."""
        there = self.folder(name)
        words = [w for w in self.commands[program[0]] if not (alone and "/Unity/" in w)]
        words[words.index("-o") + 1] = str(there / "program")
        words[1:1] = [str(o) for o in objects.values()]
        subprocess.run(words, cwd=self.build, check=True, capture_output=True)
        try:
            done = subprocess.run([there / "program", "--abort-after=1", *program[1:]], cwd=self.build,
                                  capture_output=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def judge(self, worker, header, line, new):
        name = f"worker{worker}"
        there = self.folder(name)
        target = there / "include" / header
        text = target.read_text()
        lines = text.split("\n")
        lines[line] = new
        target.write_text("\n".join(lines))
        try:
            folder = header.parts[1]
            objects = self.compiled(name, SOURCES[folder])
            if objects is None:
                return "does not compile"
            if all(filecmp.cmp(o, self.plain[s], shallow=False) for s, o in objects.items()):
                return "the same objects"
            if not self.mirror_passes(name, objects, header):
                return "killed by its own test"
            for p in PROGRAMS[folder]:
                if not self.passes(name, objects, p, self.limit[p[0]]):
                    return "killed by " + p[0].rpartition("_")[2]
            return "SURVIVED"
        finally:
            target.write_text(text)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--count", type=int, default=20, help="mutants that count, default 20")
    a.add_argument("--seed", type=int, default=1, help="which mutants, default 1")
    a.add_argument("--only", default="", help="headers whose path has this part")
    a.add_argument("--jobs", type=int, default=2, help="at a time, default 2")
    a.add_argument("--build", default=ROOT / "build" / "test", type=pathlib.Path, help="default build/test")
    args = a.parse_args()
    out = ROOT / "build" / "mutants"
    headers = sorted(p.relative_to(ROOT / "include") for f in SOURCES
                     for p in (ROOT / "include/felt" / f).rglob("*.hpp")
                     if p.name != "constants.hpp" and args.only in str(p))
    all_sites = [(h, i, new) for h in headers for i, new in sites((ROOT / "include" / h).read_text())]
    if not all_sites:
        sys.exit(f"no header of include/felt/plan or include/felt/host has '{args.only}' in its path")
    random.Random(args.seed).shuffle(all_sites)
    mutants, counts, log = Mutants(args.build, out, {h.parts[1] for h in headers}), {}, (out / "mutants.jsonl").open("a")
    for w in range(args.jobs):
        shutil.rmtree(out / f"worker{w}", ignore_errors=True)
    free, waiting = list(range(args.jobs)), iter(all_sites)

    def one(site):
        worker = free.pop()
        try:
            return site, mutants.judge(worker, *site)
        finally:
            free.append(worker)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        running = set()
        while True:
            found = counts.get("killed", 0) + counts.get("SURVIVED", 0)
            while len(running) < min(args.jobs, args.count - found) and (site := next(waiting, None)):
                running.add(pool.submit(one, site))
            if not running:
                break
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for (header, line, new), verdict in (d.result() for d in done):
                old = (ROOT / "include" / header).read_text().split("\n")[line]
                kind = verdict.split(" by ")[0]
                counts[kind] = counts.get(kind, 0) + 1
                print(f"{verdict}: {header}:{line + 1}\n  - {old.strip()}\n  + {new.strip()}", flush=True)
                log.write(json.dumps({"verdict": verdict, "header": str(header), "line": line + 1, "old": old,
                                      "new": new, "seed": args.seed}) + "\n")
                log.flush()
    killed, counted = counts.get("killed", 0), counts.get("killed", 0) + counts.get("SURVIVED", 0)
    print(f"{killed} of {counted} killed, {killed / max(counted, 1):.2f}; of {len(all_sites)} that could be made;",
          ", ".join(f"{n} {k}" for k, n in counts.items() if k not in ("killed", "SURVIVED")))


if __name__ == "__main__":
    main()
