#!/usr/bin/env bash
# Where the time of `merels solve` goes: for one pair of subspaces, one subspace with stones in hand, or all.
#
#   scripts/bench-solve.sh                   the whole game, into a temporary folder (5 GiB of memory, 11 GB of disk)
#   scripts/bench-solve.sh 7-5               the pair 7-5, 5-7 alone
#   scripts/bench-solve.sh 7-5 DB            the same; what it depends on is taken from, or left in, the folder DB
#   scripts/bench-solve.sh 8-8+1-1 DB        a subspace of the placing phase, which depends on most of the moving phase
#
# Further arguments for `merels solve` go into SOLVE_ARGS, as in SOLVE_ARGS="--threads 1" or "--phase moving".
#
# Files of the job that are there are removed first.
#
# How to read the table (one row a job: a pair of subspaces, or one with stones in hand):
#   load ... write   seconds of each stage on the clock, all threads working on each:
#                    load       reads the children (values after removals)
#                    begin      counts moves; removal values of every row
#                    propagate  layers: un-moves within rows
#                    store      layers: scattered stores of what was decided
#                    place      values of placings, and storing them
#                    check      random positions of each subspace by the plain rules
#                    count      wins, draws, losses, distances
#                    write      compression and writing
#   entries/s        states a second, all stages together
#   ns/edge          seconds of propagate for each un-move looked at. Small while layers are dense; large where a
#                    pair is nearly all drawn (no edges, but rows to pass over)
#   ns/store         seconds of store for each position decided: what one scattered store costs
# Divide by the threads at work to compare machines. Run it twice on a quiet machine: caches of the
# disk and the clock of the processor make the first run differ.
set -euo pipefail
cd "$(dirname "$0")/.."

job=${1:-}
db=${2:-}
read -r -a extra <<<"${SOLVE_ARGS:-}"

cargo build --release --quiet --package merels-cli
merels=${CARGO_TARGET_DIR:-target}/release/merels

if [[ -z $db ]]; then
    db=$(mktemp -d)
    trap 'rm -rf "$db"' EXIT
fi

echo "$(nproc) processors: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
if [[ -z $job ]]; then
    "$merels" solve --db "$db" --timings --no-progress "${extra[@]}"
    exit
fi

# What the job depends on is solved first, so that the last run is about the job alone.
solve_only() {
    "$merels" solve --db "$db" --only "$1" --no-progress "${@:2}" "${extra[@]}"
}
if [[ $job == *+* ]]; then
    solve_only "$job" >/dev/null
    rm -f "$db/standard/$job.merels"
else
    a=${job%-*} b=${job#*-}
    for child in "$((a - 1))-$b" "$a-$((b - 1))"; do
        if ((${child%-*} >= 3 && ${child#*-} >= 3)); then
            solve_only "$child" >/dev/null
        fi
    done
    rm -f "$db/standard/$a-$b.merels" "$db/standard/$b-$a.merels"
fi
solve_only "$job" --timings | sed -n '/^job /,$p'
