#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# benchmarks/gpu.sh where there is no GPU and nothing to measure with: each part says so, and none
# fails. Programs that skip and programs that fail stand for what nvcc would have built.
set -euo pipefail
gpu=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
out=$room/out
mkdir -p "$room/bin" "$out/bin"

fail() {
    printf '%s\n' "$@"
    exit 1
}
# A command in front of the others: NAME and what it does.
command_is() { printf '#!/usr/bin/env bash\n%s\n' "$2" >"$room/bin/$1" && chmod +x "$room/bin/$1"; }
program_is() { printf '#!/usr/bin/env bash\n%s\n' "$2" >"$out/bin/$1" && chmod +x "$out/bin/$1"; }
says() { [[ $text == *"$1"* ]] || fail "no '$1' in:" "$text"; }
# What gpu.sh ARGS says, both streams; its status is in $status.
on() {
    status=0
    text=$(PATH=$room/bin:$PATH NVCC=$room/bin/nvcc "$gpu" "$@" --out "$out" --pack "$room/pack.tar.gz" \
        --examples "$room/examples" 2>&1) || status=$?
}

text=$("$gpu" --help)
says "benchmarks/gpu.sh measure"
"$gpu" nonsense >/dev/null 2>&1 && fail "nonsense is taken for a part"

command_is nvcc 'echo "Cuda compilation tools, release 13.0, V13.0"'
command_is nvidia-smi 'exit 9'
command_is compute-sanitizer 'echo sanitized; exit 1'
for part in smoke test check measure examples profile; do
    on "$part"
    [[ $status == 0 ]] || fail "$part ends with $status:" "$text"
done
# Whatever it compiles, but one, is a program that skips.
# shellcheck disable=SC2016
command_is nvcc '[[ $* == *-o* ]] || exit 0
[[ $* == *lstm* ]] && { echo broken; exit 2; }
printf "#!/usr/bin/env bash\necho Skipped; exit 77\n" >"${*: -1}" && chmod +x "${*: -1}"'
on build
says "built     test_product"
says "FAILED    lstm:"
[[ $status == 1 ]] || fail "what does not compile passes: $status"
on build
[[ $text != *"built     copy"* ]] || fail "what is up to date is compiled again"
on measure
says "skipped   copy"
says "skipped   lstm: not built"
[[ $status == 0 ]] || fail "a skipped program fails: $status"
program_is matmul 'echo "WRONG"; exit 1'
on measure
says "FAILED    matmul: exit status 1"
[[ $status == 1 ]] || fail "a wrong result passes: $status"

# Where there is a GPU, what the sanitizer finds fails; a part ends in time.
command_is nvidia-smi "[[ \$1 == *compute_cap ]] && echo 9.0 || echo 'a GPU'"
on check
says "FAILED    racecheck copy: exit status 1"
[[ $status == 1 ]] || fail "the sanitizer's findings pass: $status"
program_is copy 'exec sleep 60'
LIMIT=1 on measure
says "FAILED    copy: stopped"

# Figures become tables.
printf 'copy\tchain\tfelt\t1e-3\t9e-4\t2000\tGB/s\t1e-7\n' >"$out/figures.tsv"
printf 'copy\tchain\tunfused\t3e-3\t2e-3\t700\tGB/s\t1e-7\n' >>"$out/figures.tsv"
on report
says "| chain | unfused | 3000.0 | 700 GB/s | 3.00 | 1e-7 |"

# What is built here and packed runs there, where nothing is: all of it, to its end, with a report
# after each part.
rm -rf "$out"
mkdir -p "$room/examples/ae"
# shellcheck disable=SC2016
figure='printf "copy\\tchain\\tfelt\\t1e-3\\t9e-4\\t2000\\tGB/s\\t1e-7\\n" >>"$FELT_FIGURES"'
# shellcheck disable=SC2016
command_is nvcc '[[ $* == *-o* ]] || { echo --compress-mode; exit 0; }
[[ $* == *--compress-mode=size* && $* == *-arch=sm_90* ]] || exit 3
cat >"${*: -1}" <<PROGRAM
#!/usr/bin/env bash
[[ -z \${FELT_FIGURES:-} ]] || '"$figure"'
echo "ran \$*"
[[ \$* != *--profile* ]] || echo "chain felt assign 1 launches 7.5 us 100.0 %"
PROGRAM
chmod +x "${*: -1}"'
printf '#!/usr/bin/env bash\n# cudaLaunchKernel\necho example "$@"\n' >"$room/examples/ae/felt_ae"
chmod +x "$room/examples/ae/felt_ae"
on pack
says "25 programs, 0 MiB"
[[ $status == 0 ]] || fail "pack ends with $status:" "$text"
rm -rf "$out" "$room/examples"
command_is nvcc 'exit 1'
# shellcheck disable=SC2016
command_is compute-sanitizer 'while [[ $1 == --* ]]; do shift $(($(($# > 1)) + 1)); done; exec "$@"'
command_is python3 "$figure"
on all
[[ $status == 0 ]] || fail "all ends with $status:" "$text"
says "unpacked  25 programs"
for part in "== smoke" "passed    resnet" "passed    test_product" "passed    synccheck network_dense" \
    "passed    peers" "passed    check of felt_ae" "| chain | felt | 1000.0" \
    "passed    lstm" "## Time by operation" "    chain felt assign 1 launches 7.5 us"; do
    says "$part"
done
[[ -s $out/report.md && -s $out/machine.txt && -s $out/smoke.log ]] || fail "results are missing"
