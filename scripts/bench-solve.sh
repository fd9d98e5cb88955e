#!/usr/bin/env bash
# Shows where the time of `merels solve` goes: for one pair of subspaces, for one subspace with
# stones in hand, or for the whole game.
#
#   scripts/bench-solve.sh              the whole game, in a temporary folder (5 GiB of memory, 11
#                                       GB of disk)
#   scripts/bench-solve.sh 7-5          only the pair 7-5, 5-7
#   scripts/bench-solve.sh 7-5 DB       the same, with its dependencies in the folder DB
#   scripts/bench-solve.sh 8-8+1-1 DB   a subspace of the placing phase, which depends on most of
#                                       the moving phase
#
# SOLVE_ARGS has more arguments for `merels solve`: SOLVE_ARGS="--threads 1" or "--phase moving".
# PROFILE=profiling measures the program with line tables, so that perf shows functions and lines.
#
# The script first removes existing files of the job.
#
# The table has one row for each job (a pair of subspaces, or one subspace with stones in hand):
#   load ... write   elapsed seconds of each stage; all threads work on it:
#                    load       reads the children (values after removals)
#                    begin      counts moves; removal values of every row
#                    propagate  layers: un-moves within rows
#                    store      layers: scattered stores of decided positions
#                    place      computes and stores the values of placings
#                    check      random positions of each subspace by the plain rules
#                    count      wins, draws, losses, distances
#                    write      compression and writing
#   entries/s        entries a second, over all stages
#   ns/edge          time of propagate for each un-move. Small if layers are dense; large if a pair
#                    is nearly all drawn (no edges, but rows to pass over)
#   ns/store         time of store for each decided position: the cost of one scattered store
# To compare machines, divide by the number of threads. Run the script twice on a quiet machine:
# disk caches and the processor's clock make the first run differ.
set -euo pipefail
cd "$(dirname "$0")/.."

job=${1:-}
db=${2:-}
read -r -a extra <<<"${SOLVE_ARGS:-}"

profile=${PROFILE:-release}
cargo build --profile "$profile" --quiet --package merels-cli
merels=${CARGO_TARGET_DIR:-target}/$profile/merels

if [[ -z $db ]]; then
    db=$(mktemp -d)
    trap 'rm -rf "$db"' EXIT
fi

echo "$(nproc) processors: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
if [[ -z $job ]]; then
    "$merels" solve --db "$db" --timings --quiet "${extra[@]}"
    exit
fi

# Solves the dependencies of the job first, so that the last run solves only the job.
solve_only() {
    "$merels" solve --db "$db" --only "$1" --quiet "${@:2}" "${extra[@]}"
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
