#!/usr/bin/env bash
# Prints the CSV of `merels stats --format csv`, from standard input or from the folder DB, as a
# Markdown table with totals.
#
#   scripts/results-table.sh DB > table.md
#   merels stats --format csv | scripts/results-table.sh
set -euo pipefail

if (($# > 0)); then
    db=$(realpath "$1")
    cd "$(dirname "$0")/.."
    cargo run --release --quiet -- stats --format csv --db "$db" | exec "$(realpath scripts/results-table.sh)"
    exit
fi

awk -F, '
    function grouped(number,    text) {
        text = sprintf("%.0f", number)
        while (match(text, /^[0-9][0-9][0-9][0-9]+/)) {
            sub(/[0-9][0-9][0-9]($|,)/, ",&", text)
        }
        return text
    }
    function plies(number) { return number == "" ? "-" : number }
    NR == 1 {
        print "| subspace | entries | positions | wins | draws | losses | longest win | longest loss |"
        print "|---|---:|---:|---:|---:|---:|---:|---:|"
        next
    }
    {
        printf "| %s |", $1
        for (i = 2; i <= 6; i++) {
            printf " %s |", grouped($i)
            sum[i] += $i
        }
        printf " %s | %s |\n", plies($7), plies($8)
        for (i = 7; i <= 8; i++) {
            if ($i + 0 > sum[i] + 0) sum[i] = $i
        }
    }
    END {
        printf "| **all %d** |", NR - 1
        for (i = 2; i <= 6; i++) printf " %s |", grouped(sum[i])
        printf " %s | %s |\n", plies(sum[7]), plies(sum[8])
    }
'
