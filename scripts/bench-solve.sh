#!/usr/bin/env bash
# Where the time of `merels solve` goes: for one pair of subspaces, or for the whole moving phase.
#
#   scripts/bench-solve.sh              everything, into a temporary folder (5 GiB of memory, 6 GB of disk)
#   scripts/bench-solve.sh 7-5          the pair 7-5, 5-7 alone
#   scripts/bench-solve.sh 7-5 DB       the same; what it depends on is taken from, or left in, the folder DB
#
# Further arguments for `merels solve` go into SOLVE_ARGS, as in SOLVE_ARGS="--threads 1".
#
# Files of the pair that are there are removed first.
#
# How to read the table (one row a job: a pair of subspaces, or one with stones in hand):
#   load ... write   seconds of each stage on the clock, all threads working on each:
#                    load       reads the children (values after removals)
#                    begin      counts moves; removal values of every row
#                    propagate  layers: un-moves within rows
#                    store      layers: scattered stores of what was decided
#                    check      20,000 random positions of each subspace by the plain rules
#                    count      wins, draws, losses, distances
#                    write      compression and writing
#   entries/s        states a second, all stages together
#   ns/edge          seconds of propagate for each un-move looked at. Some 3 to 8 with one thread while
#                    layers are dense; large where a pair is nearly all drawn (no edges, but rows to pass over)
#   ns/store         seconds of store for each position decided: what one scattered store costs
# Divide by the threads at work to compare machines. Run it twice on a quiet machine: caches of the
# disk and the clock of the processor make the first run differ.
set -euo pipefail
cd "$(dirname "$0")/.."

pair=${1:-}
db=${2:-}
read -r -a extra <<<"${SOLVE_ARGS:-}"

cargo build --release --quiet --package merels-cli
merels=${CARGO_TARGET_DIR:-target}/release/merels

if [[ -z $db ]]; then
    db=$(mktemp -d)
    trap 'rm -rf "$db"' EXIT
fi

echo "$(nproc) processors: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
if [[ -z $pair ]]; then
    "$merels" solve --db "$db" --timings --no-progress "${extra[@]}"
    exit
fi

# What the pair depends on is solved first, so that the second run is about the pair alone; and the
# pair itself is solved again if it is there.
a=${pair%-*} b=${pair#*-}
for child in "$((a - 1))-$b" "$a-$((b - 1))"; do
    if ((${child%-*} >= 3 && ${child#*-} >= 3)); then
        "$merels" solve --db "$db" --only "$child" --no-progress "${extra[@]}" >/dev/null
    fi
done
rm -f "$db/standard/$a-$b.merels" "$db/standard/$b-$a.merels"
"$merels" solve --db "$db" --only "$pair" --timings --no-progress "${extra[@]}" |
    sed -n '/^job /,$p'
