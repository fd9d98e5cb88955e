#!/usr/bin/env bash
# Invents inputs for the parsers (fuzz/). It needs a nightly compiler (rustup toolchain install
# nightly) and cargo-fuzz (cargo install cargo-fuzz).
#
#   scripts/fuzz.sh run SECONDS [TARGET]...   run each target (default: all) for SECONDS
#   scripts/fuzz.sh keep [TARGET]...          add the found inputs to fuzz/corpus, minimised
#
# A run starts from the inputs in fuzz/corpus, and collects new ones in fuzz/found, which git
# ignores. It writes an input that fails into fuzz/artifacts, and prints its name.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '5,6s/^#   //p' "$0" >&2
    exit 2
}

# Longer inputs find nothing new. The header of a table alone has 512 bytes.
longest=1024

mode=${1-}
case $mode in
run) seconds=${2-60} && shift $(($# < 2 ? $# : 2)) ;;
keep) shift ;;
*) usage ;;
esac

targets=("$@")
if [[ ${#targets[@]} == 0 ]]; then
    for file in fuzz/fuzz_targets/*.rs; do
        targets+=("$(basename "$file" .rs)")
    done
fi

for target in "${targets[@]}"; do
    found=fuzz/found/$target kept=fuzz/corpus/$target
    mkdir -p "$found" "$kept"
    case $mode in
    run)
        cargo +nightly fuzz run "$target" "$found" "$kept" -- \
            -max_total_time="$seconds" -max_len="$longest" -timeout=10
        ;;
    keep)
        least=$(mktemp -d)
        # Kept inputs come first: they stay if they add anything.
        cargo +nightly fuzz run "$target" "$least" "$kept" "$found" -- \
            -merge=1 -max_len="$longest" -use_counters=0
        rm -r "$kept"
        mv "$least" "$kept"
        chmod 755 "$kept"
        ;;
    esac
done
