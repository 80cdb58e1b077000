#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What a machine with a GPU can tell, without a network; each part takes less than ten minutes:
#
#   benchmarks/gpu.sh deps DIR    collects the headers that the rest needs, on a machine that has
#                                 them: xsimd, xtl and doctest, into DIR/include
#   benchmarks/gpu.sh pack        build, without a GPU, and all programs in PACK: what a machine needs
#                                 beside this folder, if compiling would take its time
#   benchmarks/gpu.sh build       tests and benchmarks by nvcc, or those of PACK, if it is there
#   benchmarks/gpu.sh smoke       every program once, with small extents, two minutes
#   benchmarks/gpu.sh test        the tests of the device
#   benchmarks/gpu.sh check       compute-sanitizer: memcheck, racecheck, initcheck, synccheck
#   benchmarks/gpu.sh measure     the benchmarks, against cuBLAS and cuBLASLt
#   benchmarks/gpu.sh peers       the same by PyTorch: eager, torch.compile, cuDNN
#   benchmarks/gpu.sh examples    the examples on the device, fused against unfused
#   benchmarks/gpu.sh profile     where the time of the benchmarks goes, by operation
#   benchmarks/gpu.sh report      figures.tsv as tables, in Markdown
#   benchmarks/gpu.sh all         all from build on, in this order; what fails does not stop the next,
#                                 and the report is written after each
#
#   --deps DIR      headers that `deps` collected, if they are not installed
#   --out DIR       for programs and results; build/gpu
#   --examples DIR  folder of examples whose device.cpp nvcc compiled, as CMake leaves them
#                   (cmake --preset release -B build/cuda -DFELT_CUDA=ON); build/cuda/examples
#   --pack FILE     PACK; build/gpu-pack/programs.tar.gz
#
# NVCC names the compiler, FELT_CUDA_ARCH the architecture (sm_90; by itself that of the GPU).
# A GPU, a tool or a peer that is missing is named, and counts as skipped. After `all` the results
# are OUT/machine.txt, OUT/figures.tsv, OUT/report.md and OUT/<part>.log.
set -euo pipefail
from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build/gpu deps='' examples=build/cuda/examples pack=build/gpu-pack/programs.tar.gz
most_packed=60  # MiB
benches=(copy matmul epilogue convolve lstm resnet network_dense
    network_lstm network_residual network_inception)
# Those that say something of a GPU: of the rest, some read what they call kernels with on the host,
# some plan for systems without CUB, some are the emulator's.
tests=(product product_kept product_shared run readers reduce window scatter transform write copy
    transfers stream)
limit=${LIMIT:-570}  # seconds for a part
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

say() { printf '%s\n' "$*"; }
absolute() { case $1 in /*) say "$1" ;; *) say "$from/$1" ;; esac; }
have() { command -v "$1" >/dev/null 2>&1; }

gpu_says() { have nvidia-smi && nvidia-smi --query-gpu="$1" --format=csv,noheader -i 0 2>/dev/null; }

architecture() {
    local found
    found=$(gpu_says compute_cap) || found=9.0
    [[ $found == [0-9]*.[0-9] ]] || found=9.0
    say "${FELT_CUDA_ARCH:-sm_${found/./}}"
}

collect_deps() {
    local to=$1/include header folder
    mkdir -p "$to"
    for header in xsimd xtl doctest; do
        for folder in ${CPATH:+${CPATH//:/ }} /usr/include /usr/local/include; do
            [[ -d $folder/$header ]] && break
        done
        [[ -d $folder/$header ]] || { say "$header was not found; CPATH may name its folder"; exit 1; }
        cp -rL "$folder/$header" "$to/"
    done
    du -sh "$to"
}

describe() {
    mkdir -p "$out"
    {
        say "date      $(date -u +%Y-%m-%dT%H:%MZ)"
        say "commit    $(git describe --always --dirty 2>/dev/null || echo unknown)"
        say "GPU       $(gpu_says name || echo none)"
        say "driver    $(gpu_says driver_version || echo none)"
        say "clocks    $(gpu_says clocks.sm,clocks.max.sm,clocks.mem || echo unknown)"
        say "nvcc      $("$nvcc" --version 2>/dev/null | sed -n 's/.*release //p' || echo none)"
        say "compiled  $(architecture)"
    } >"$out/machine.txt"
}

# compile NAME SOURCE OPTION...: to OUT/bin/NAME, unless it is newer than every source. Says how long
# processors took.
compile() {
    local name=$1 source=$2 seconds
    local TIMEFORMAT='%U %S'
    shift 2
    if [[ -f $out/bin/$name ]] &&
        [[ -z $(find include benchmarks/gpu examples/resnet examples/networks tests -newer "$out/bin/$name" -type f \
            -print -quit) ]]; then
        return
    fi
    # shellcheck disable=SC2086
    if ! seconds=$({ time "$nvcc" -std=c++20 -O2 -arch="$FELT_CUDA_ARCH" $smaller -Iinclude -I. \
        ${deps:+-isystem "$deps/include"} -x cu "$source" "$@" -o "$out/bin/$name.new" >"$out/bin/$name.log" 2>&1; } 2>&1); then
        say "FAILED    $name: $out/bin/$name.log"
        return 1
    fi
    mv "$out/bin/$name.new" "$out/bin/$name"
    say "built     $name (${seconds/ */} + ${seconds/* /} s of a processor)"
}

build() {
    local name failed=0
    mkdir -p "$out/bin"
    [[ ! -f $pack || ${1:-} == anew ]] || { unpack; return; }
    have "$nvcc" || { say "Skipped: nvcc was not found (PATH, /usr/local/cuda/bin, NVCC)"; return 0; }
    smaller=$("$nvcc" --help 2>/dev/null) || smaller=
    if [[ $smaller == *compress-mode* ]]; then smaller=--compress-mode=size; else smaller=; fi
    export nvcc out deps smaller FELT_CUDA_ARCH=${FELT_CUDA_ARCH:-$(architecture)}
    export -f compile say
    sources | in_parallel || failed=1
    programs | in_parallel || failed=1
    return "$failed"
}
in_parallel() { timeout "$limit" xargs -P "${JOBS:-$(nproc)}" -L 1 bash -c 'compile "$@"' compile; }
# What is compiled by itself, for it takes long: NAME.o HOW PASS.
lstm_passes() {
    local pass how
    for how in fused tf32 unfused; do
        for pass in infer forward backward gradients; do say "lstm_${how}_$pass.o $how $pass"; done
    done
}
sources() {
    local name how pass
    lstm_passes | while read -r name how pass; do
        say "$name benchmarks/gpu/lstm_pass.cu -c -DFELT_HOW=felt::$how -DFELT_PASS=$pass"
    done
}
programs() {
    local name objects
    objects=$(lstm_passes | while read -r name _; do printf ' -Xlinker %s' "$out/bin/$name"; done)
    say "cuda tests/device/cuda.cu"
    for name in "${benches[@]}"; do
        case $name in
            matmul | epilogue) say "$name benchmarks/gpu/$name.cu -lcublas -lcublasLt" ;;
            lstm) say "$name benchmarks/gpu/$name.cu$objects" ;;
            resnet | network_*) say "$name benchmarks/gpu/$name.cu -Iexamples -split-compile=0" ;;
            *) say "$name benchmarks/gpu/$name.cu" ;;
        esac
    done
    for name in "${tests[@]}"; do
        say "test_$name tests/device/$name.cpp tests/main.cpp"
    done
}

# Of what was built, without symbols, as one archive, which has to be small enough to be carried.
pack_all() {
    local name failed=0 size
    have "$nvcc" || { say "nvcc was not found (PATH, /usr/local/cuda/bin, NVCC)"; return 1; }
    FELT_CUDA_ARCH=${FELT_CUDA_ARCH:-sm_90} build anew || failed=1
    for name in fista lstm cnn resnet ae; do
        [[ ! -x $examples/$name/felt_$name ]] || cp "$examples/$name/felt_$name" "$out/bin/"
    done
    rm -rf "$out/packed" && mkdir -p "$out/packed/bin" "$(dirname "$pack")"
    for name in "$out"/bin/*; do
        [[ -f $name && -x $name && $name != *.o ]] || continue
        strip -o "$out/packed/bin/${name##*/}" "$name" 2>/dev/null || cp "$name" "$out/packed/bin/"
    done
    tar -C "$out/packed" -czf "$pack.new" bin && mv "$pack.new" "$pack" || return 1
    size=$(($(stat -c %s "$pack") / 1048576))
    say "$pack: $(find "$out/packed/bin" -type f | wc -l) programs, $size MiB"
    [[ $size -lt $most_packed ]] || { say "FAILED    pack: $most_packed MiB is the most"; return 1; }
    return "$failed"
}
unpack() {
    tar -C "$out" -xzf "$pack" && find "$out/bin" -type f -exec touch {} +
    say "unpacked  $(find "$out/bin" -type f | wc -l) programs of $pack"
    mkdir -p "$out/examples"
}

# each NAME COMMAND..: runs it in what is left of the part's time, says how it went; a program's 77
# is skipped.
each() {
    local name=$1 code=0 start=$SECONDS left=$((begin + limit - SECONDS))
    shift
    [[ $left -gt 0 ]] || { say "skipped   $name: no time is left"; return 0; }
    timeout --foreground -k 10 "$left" "$@" || code=$?
    case $code in
        0) say "passed    $name ($((SECONDS - start)) s)" ;;
        77) say "skipped   $name" ;;
        124) say "FAILED    $name: stopped, the part's time was over"; return 1 ;;
        *) say "FAILED    $name: exit status $code"; return 1 ;;
    esac
}
needs() {
    [[ -x $out/bin/$1 ]] || { say "skipped   $1: not built"; return 1; }
}
without_gpu() {
    [[ -n $(gpu_says name || true) ]] && return 1
    say "Skipped: no GPU"
}

# Is anything wrong at all? Every family of kernels once, against the host.
smoke_all() {
    local name failed=0
    limit=$((limit < 120 ? limit : 120))
    for name in cuda "${benches[@]}"; do
        local small=(--small)
        [[ $name == cuda ]] && small=()
        needs "$name" && { each "$name" "$out/bin/$name" "${small[@]}" || failed=1; }
    done
    return "$failed"
}

test_all() {
    local name failed=0
    needs cuda && { each cuda "$out/bin/cuda" || failed=1; }
    without_gpu && return "$failed"
    for name in "${tests[@]/#/test_}"; do
        needs "$name" && { each "$name" "$out/bin/$name" --minimal || failed=1; }
    done
    return "$failed"
}

check_all() {
    local tool name failed=0
    have compute-sanitizer || { say "Skipped: compute-sanitizer was not found"; return 0; }
    without_gpu && return 0
    for tool in memcheck racecheck initcheck synccheck; do
        for name in cuda "${benches[@]}"; do
            needs "$name" || continue
            local small=(--small)
            [[ $name == cuda ]] && small=()
            each "$tool $name" compute-sanitizer --tool "$tool" --error-exitcode 1 \
                "$out/bin/$name" "${small[@]}" || failed=1
        done
    done
    return "$failed"
}

measure_all() {
    local name failed=0
    for name in "${benches[@]}"; do
        needs "$name" && { FELT_FIGURES=$out/figures.tsv each "$name" "$out/bin/$name" || failed=1; }
    done
    return "$failed"
}

profile_all() {
    local name failed=0
    for name in "${benches[@]}"; do
        needs "$name" && { each "$name" "$out/bin/$name" --profile || failed=1; }
    done
    return "$failed"
}

measure_peers() {
    have python3 || { say "Skipped: no python3, so no PyTorch"; return 0; }
    FELT_FIGURES=$out/figures.tsv each peers python3 benchmarks/gpu/peers.py
}

# What they compute against the host's in double; then short runs on generated data, which end with
# a table of fused and unfused times.
measure_examples() {
    local name program failed=0
    for name in fista lstm cnn resnet ae; do
        program=$examples/$name/felt_$name
        [[ ! -x $out/bin/felt_$name ]] || program=$out/bin/felt_$name
        if [[ ! -x $program ]]; then
            say "skipped   felt_$name: $program was not built"
        elif ! grep -aq cudaLaunchKernel "$program"; then
            say "skipped   felt_$name: its device.cpp was not compiled by nvcc"
        elif ! without_gpu; then
            each "check of felt_$name" "$program" --check --space device || failed=1
            each "felt_$name" "$program" --space device --force --out "$out/examples/$name" ||
                failed=1
        fi
    done
    return "$failed"
}

report() {
    cat "$out/machine.txt"
    [[ -s $out/figures.tsv ]] || { say "no figures"; return 0; }
    awk -F'\t' -f benchmarks/gpu/report.awk "$out/figures.tsv"
    say
    grep -hE '^(share|crossover)' "$out/measure.log" 2>/dev/null || true
    if grep -qs ' launches ' "$out/profile.log"; then
        printf '\n## Time by operation\n\n'
        grep ' launches ' "$out/profile.log" | sed 's/^/    /'
    fi
}

part() {
    local name=$1 code=0
    begin=$SECONDS
    case $name in
        pack) set -- pack_all ;;
        build) set -- build ;;
        smoke) set -- smoke_all ;;
        test) set -- test_all ;;
        check) set -- check_all ;;
        measure) set -- measure_all ;;
        peers) set -- measure_peers ;;
        examples) set -- measure_examples ;;
        profile) set -- profile_all ;;
        report) report | tee "$out/report.md"; return ;;
    esac
    mkdir -p "$out"
    say "== $name"
    "$@" 2>&1 | tee "$out/$name.log" || code=$?
    return "$code"
}

usage() { sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; }

command=${1:-}
[[ $# == 0 ]] || shift
if [[ $command == deps ]]; then
    [[ $# == 1 ]] || { usage >&2; exit 2; }
    collect_deps "$(absolute "$1")"
    exit
fi
while [[ $# -gt 1 ]]; do
    case $1 in
        --deps) deps=$(absolute "$2") ;;
        --out) out=$(absolute "$2") ;;
        --examples) examples=$(absolute "$2") ;;
        --pack) pack=$(absolute "$2") ;;
        *) break ;;
    esac
    shift 2
done
[[ $# == 0 ]] || { usage >&2; exit 2; }
case $command in
    pack)
        limit=${LIMIT:-86400}
        part pack
        ;;
    build | smoke | test | check | measure | peers | examples | profile | report)
        describe
        part "$command"
        ;;
    all)
        describe
        rm -f "$out/figures.tsv"
        failed=0
        for name in build smoke test check measure peers examples profile; do
            part "$name" || failed=1
            report >"$out/report.md"
        done
        part report
        exit "$failed"
        ;;
    help | -h | --help) usage ;;
    *) usage >&2; exit 2 ;;
esac
