#!/usr/bin/env bash
# Solves small games of every rule book and verifies every entry of them.
#
#   scripts/verify-rulesets.sh DB [RULESET...]
#
# DB is the folder of the databases. The default rulesets are the games on small boards, and games
# with few stones on 24 points: under every removal rule, with and without jumping, double mills and
# placing in turn. The script prints the last line of each report, and stops at the first game with
# a wrong entry.
set -euo pipefail
cd "$(dirname "$0")/.."

db=${1:?"usage: scripts/verify-rulesets.sh DB [RULESET...]"}
shift
rulesets=("$@")
if ((${#rulesets[@]} == 0)); then
    for name in three four five six seven; do
        rulesets+=("$name,flying=never" "$name,flying=three")
    done
    rulesets+=(three,stones=4 three,stones=4,flying=three)
    rulesets+=(standard,stones=3 standard,stones=4 standard,stones=5 standard,stones=6)
    for game in standard,stones=6,flying=never standard,stones=5,removal=free standard,stones=5,removal=strict \
        standard,stones=6,removal=strict standard,stones=6,double-mill=two eleven,stones=5 eleven,stones=6 eleven,stones=5,double-mill=two \
        lasker,stones=3 lasker,stones=4 lasker,stones=5; do
        rulesets+=("$game")
    done
fi

cargo build --release --quiet
for ruleset in "${rulesets[@]}"; do
    target/release/merels solve --ruleset "$ruleset" --db "$db" --quiet >/dev/null
    printf '%s: ' "$ruleset"
    target/release/merels verify --ruleset "$ruleset" --full --db "$db" --quiet | tail -n 1
done
