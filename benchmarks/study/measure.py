# SPDX-License-Identifier: BSD-3-Clause
"""Runs what measures: programs of a build, compile_time.sh, and peers of a Python. What is not there is
left out, and said in "missing"."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

# What is run of each example: a short training, whose report compares and profiles a step.
EXAMPLES = {
    "ae": ["-n", "2"],
    "cnn": ["-n", "4", "--images", "2560"],
    "fista": ["-n", "1"],
    "lstm": ["-n", "4"],
    "resnet": ["-n", "2", "--train", "640"],
}


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def run(*command, cwd=ROOT, **environment):
    return subprocess.run([str(c) for c in command], cwd=cwd, text=True, stdout=subprocess.PIPE, check=True,
                          env={**os.environ, **environment}).stdout


def statements(build, quick):
    program = build / "benchmarks/felt_study"
    return json.loads(run(program, *(["--quick"] if quick else [])))


def tables_of(text):
    """The tables that the examples print: [(head, rows)], cells as text. Columns stand three spaces apart."""
    out = []
    for block in text.split("\n\n"):
        lines = [re.split(r" {3,}", line.strip()) for line in block.splitlines()]
        at = next((k for k, cells in enumerate(lines) if len(cells) > 1), None)
        if at is not None:
            out.append((lines[at], [cells for cells in lines[at + 1:] if len(cells) > 1]))
    return out


def profile_of(head, rows):
    """{operation: (ms, per cent)}, and {operation: [published shares]} where there are."""
    times = [r for r in rows if len(r) > 2 and r[0] != "all"]
    number = lambda cell: float(cell.rstrip(" %"))
    shares = {r[0]: [number(r[1]), number(r[2])] for r in times}
    published = {r[0]: [None if c == "-" else number(c) for c in r[3:5]] for r in times if len(r) > 4}
    return {"of": head[0], "shares": shares, **({"published": published} if published else {})}


def comparison_of(head, rows):
    """{"what": {"fused": {"median": ms, "best": ms, "bytes": MiB, "peak": MiB}, "unfused": ..}}"""
    out = {}
    for name, *cells in rows:
        *what, way = name.split(", ") if ", " in name else ("", name)
        if way in ("fused", "unfused"):
            values = [None if c == "-" else float(c) for c in cells[:4]]
            of = out.setdefault(", ".join(what) or head[0].split(",")[0].removeprefix("per "), {})
            of[way] = dict(zip(("median", "best", "bytes", "peak"), values))
    return out


def example(build, name, threads):
    """What an example says of a step: compared, and by operation."""
    out = {"profiles": [], "compared": {}}
    with tempfile.TemporaryDirectory() as folder:  # in which there is no data: it is generated
        text = run(build / f"examples/{name}/felt_{name}", *EXAMPLES[name], "--profile", "--quiet", "--threads",
                   threads, "--out", pathlib.Path(folder) / "out", cwd=folder, FELT_DATA=folder)
    for head, rows in tables_of(text):
        if head[0].startswith(("fused, by", "unfused, by")):
            out["profiles"].append(profile_of(head, rows))
        elif "median" in head:
            out["of"] = head[0]
            out["compared"].update(comparison_of(head, rows))
    return out


def examples(build, thread_counts):
    """{"ae": {"1": .., "2": ..}}, by numbers of threads, and those that were not built."""
    out, missing = {}, []
    for name in EXAMPLES:
        if not (build / f"examples/{name}/felt_{name}").exists():
            missing.append(f"example {name}: its program was not built")
            continue
        say(f"example {name}")
        try:
            out[name] = {str(n): example(build, name, n) for n in thread_counts}
        except subprocess.CalledProcessError as error:
            missing.append(f"example {name}: it ended with status {error.returncode}")
    return out, missing


def planning(build, quick):
    """{"clip/new": [seconds]}, of felt_bench_planning; what was not there."""
    program = build / "benchmarks/felt_bench_planning"
    if not program.exists():
        return {}, ["planning time: felt_bench_planning was not built"]
    said = run(program, "--benchmark_format=json", "--benchmark_repetitions=5",
               f"--benchmark_min_time={0.005 if quick else 0.02}")
    out = {}
    for b in json.loads(said)["benchmarks"]:
        if b["run_type"] == "iteration" and "error_occurred" not in b:
            seconds = b["cpu_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[b["time_unit"]]
            out.setdefault(b["run_name"].removeprefix("planning/"), []).append(seconds)
    return out, []


def compile_times(quick, compiler):
    """{"program": [seconds]} of compile_time.sh, of each round; what was not there."""
    say("compile times")
    with tempfile.NamedTemporaryFile() as times:
        environment = {"CXX": compiler or "g++", "TIMES": times.name}
        if quick:
            environment["ONLY"] = "header, compiled|hello, compiled|eigen|xtensor"
        try:
            run(ROOT / "benchmarks/compile_time.sh", 2, **environment)
        except subprocess.CalledProcessError as error:
            return {}, [f"compile times: compile_time.sh ended with status {error.returncode}"]
        out = {}
        for line in pathlib.Path(times.name).read_text().splitlines():
            name, _, seconds = line.partition("\t")
            out.setdefault(name, []).append(float(seconds))
    return out, []


def python_peers(python, results, quick):
    """Adds NumPy's and PyTorch's seconds to the points of the statements. What was not there."""
    if not python:
        return ["NumPy, PyTorch and torch.compile: name a Python that has them by --python"]
    asked = {s["name"]: [p["at"] for p in s["points"]] for s in results["statements"]}
    heads = {name: e["1"].get("of", "") for name, e in results["examples"].items()}
    command = [python, HERE / "peers.py", json.dumps(asked), json.dumps(heads)] + (["--quick"] if quick else [])
    try:
        said = json.loads(run(*command, **ONE_THREAD))
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        return [f"NumPy and PyTorch: {python} did not run: {error}"]
    for s in results["statements"]:
        for p in s["points"]:
            p["seconds"].update(said["statements"].get(s["name"], {}).get(str(p["at"]), {}))
    results["peer_steps"] = said["steps"]
    results["peer_versions"] = said["versions"]
    return said["missing"]
