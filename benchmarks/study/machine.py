# SPDX-License-Identifier: BSD-3-Clause
"""What a figure was measured on, by what, and when."""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess


def said(*command, cwd=None):
    """The first line that a command prints, or nothing."""
    try:
        done = subprocess.run(command, cwd=cwd, text=True, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return (done.stdout.splitlines() or [""])[0].strip()


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    of = {key.strip(): value.strip() for key, _, value in
          (line.partition(":") for line in text.split("\n\n")[0].splitlines())}
    name = of.get("model name", platform.machine())
    detail = [f"{key} {of[entry]}" for key, entry in (("family", "cpu family"), ("model", "model"))
              if entry in of]
    return f"{name} ({', '.join(detail)})" if detail else name


def caches():
    """{"L2": bytes} as the first core sees them."""
    out = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            level, kind, size = ((index / name).read_text().strip()
                                 for name in ("level", "type", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            out["L" + level] = int(size.rstrip("K")) * 1024
    if not out:  # where the kernel does not say: the C library
        for level in "234":
            size = said("getconf", f"LEVEL{level}_CACHE_SIZE")
            if size.isdigit() and int(size) > 0:
                out["L" + level] = int(size)
    return out


def flags_of(build):
    """The flags by which the study's own program was compiled, without folders and warnings."""
    try:
        commands = json.loads((build / "compile_commands.json").read_text())
    except (OSError, ValueError):
        return ""
    for entry in commands:
        if entry["file"].endswith("benchmarks/study/main.cpp"):
            words = entry["command"].split()[1:]
            return " ".join(w for w in words if re.match(r"-(O|m|f|std|g|DNDEBUG|DFELT_COMPILED)", w)
                            and "pch" not in w)
    return ""


def compiler_path(build):
    try:
        found = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", (build / "CMakeCache.txt").read_text())
    except OSError:
        found = None
    return found[1] if found else "c++"


def commit_of(root):
    sha = said("git", "rev-parse", "--short=12", "HEAD", cwd=root)
    changed = sha and said("git", "status", "--porcelain", "--untracked-files=no", cwd=root)
    return (sha or "not a git checkout") + (" with changes" if changed else "")


def facts(build, root):
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "caches": caches(),
        "load": f"{os.getloadavg()[0]:.1f} on average, of the last minute",
        "system": f"{platform.system()} {platform.release()}",
        "compiler": said(compiler_path(build), "--version"),
        "flags": flags_of(build),
        "commit": commit_of(root),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }
