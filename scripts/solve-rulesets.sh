#!/usr/bin/env bash
# Solves rulesets one after the other, and keeps only their statistics, the source of docs/atlas.md.
# An interrupted ruleset resumes; a complete one takes a second.
#
#   scripts/solve-rulesets.sh DB [RULESET...]
#
# DB is the folder of the databases. The default rulesets are all of the atlas except the three
# largest (eleven, morabaraba, lasker). Then `merels atlas --db DB --out docs` makes the pages. The
# output of each run (start value, first moves, longest win and loss, time, memory, disk) is in
# DB/<ruleset>.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

db=${1:?"usage: scripts/solve-rulesets.sh DB [RULESET...]"}
shift
rulesets=("$@")
if ((${#rulesets[@]} == 0)); then
    rulesets=(
        three three,flying=three
        four four,flying=three five five,flying=three six six,flying=three seven
    )
    for stones in 3 4 5 6 7 8; do rulesets+=("standard,stones=$stones"); done
    for stones in 3 4 5 6 7 8; do rulesets+=("lasker,stones=$stones"); done
    rulesets+=(standard no-flying free-removal strict-removal double-removal standard,stones=10)
fi

cargo build --release --quiet
mkdir -p "$db"
for ruleset in "${rulesets[@]}"; do
    printf '%s\n' "$ruleset" >&2
    target/release/merels solve --ruleset "$ruleset" --edition statistics --db "$db" \
        --quiet --timings >"$db/$ruleset.partial"
    mv "$db/$ruleset.partial" "$db/$ruleset.txt"
done
