# SPDX-License-Identifier: BSD-3-Clause
"""The fusion study: measures, and writes report.html, report.md and results.json. `./run study` builds what it
needs and calls it.

    ./run study [--quick] [--python PATH] [--out FOLDER] [--add FILE]     FILE: a statement of your own
    ./run study --from results.json --out FOLDER                          draws what was measured before
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

if sys.version_info < (3, 9):
    sys.exit("The study needs Python 3.9 or newer.")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import machine  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402


def measured(given):
    build = given.build.resolve()
    facts = machine.facts(build, measure.ROOT)
    results = {"study": 1, "quick": given.quick, "machine": facts}
    results.update(measure.statements(build, given.quick))
    absent = results.pop("peers_missing")
    missing = [] if absent == "nobody" else [f"{name}: it was not found when felt_study was built"
                                             for name in absent.split()]
    results["examples"], more = measure.examples(build, [1] if given.quick else sorted({1, facts["cores"]}))
    missing += measure.python_peers(given.python, results, given.quick)
    results["planning"], less = measure.planning(build, given.quick)
    results["compile"], fewer = measure.compile_times(given.quick, machine.compiler_path(build))
    results["missing"] = missing + more + less + fewer
    return results


def main():
    parser = argparse.ArgumentParser(prog="study", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add", metavar="FILE", help="a C++ file with a statement of your own (docs/07_study.md)")
    parser.add_argument("--build", type=pathlib.Path, default=measure.ROOT / "build/study", metavar="FOLDER")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("felt-out/study"), metavar="FOLDER")
    parser.add_argument("--quick", action="store_true", help="fewer turns, smaller largest sizes")
    parser.add_argument("--python", metavar="PATH", help="a Python with NumPy and PyTorch, to compare with")
    parser.add_argument("--from", dest="results", type=pathlib.Path, metavar="FILE",
                        help="measure nothing: draw this results.json")
    given = parser.parse_args()
    if given.add:
        parser.error(f"--add {given.add}: there is no such file")  # ./run study compiles those that there are
    if given.python and not shutil.which(given.python):
        parser.error(f"--python {given.python}: there is no such program")
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        results = json.loads(given.results.read_text()) if given.results else measured(given)
        for name, text in (("results.json", json.dumps(results, indent=1) + "\n"),
                           ("report.md", page.as_markdown(results)), ("report.html", page.as_html(results))):
            (given.out / name).write_text(text)
            print(given.out / name)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"study: {type(error).__name__}: {error}")


main()
