# Recipes for development. `just` alone lists them.

_default:
    @just --list

# All that must be green before a change is merged
ci:
    .ci/run

# Quick look at formatting, lints and types
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# All tests
test *ARGS:
    cargo test --workspace {{ARGS}}

# Documentation of the crates, warnings being errors
docs:
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps

# Solve everything with at most eight stones on the board, in a second or two
solve-small DB="db":
    cargo run --release -- solve --up-to 8 --db {{DB}}

# Solve the whole game
solve DB="db":
    cargo run --release -- solve --db {{DB}}

# Look at databases in a browser: http://127.0.0.1:7878/
serve DB="db":
    cargo run --release -- serve --db {{DB}}

# Check every entry of a folder's databases
verify DB="db":
    cargo run --release -- verify --full --db {{DB}}

# Shell completions and manual pages, into a folder
shell DIR="target/shell":
    mkdir -p {{DIR}}
    cargo run --release -- man --dir {{DIR}}/man1
    for shell in bash elvish fish powershell zsh; do cargo run --release -q -- completions $shell > {{DIR}}/merels.$shell; done

# Time the building blocks: `just bench decode` those with that word in their name (MERELS_DB: a whole game, for look-ups)
bench *ARGS:
    cargo bench --workspace --bench '*' -- {{ARGS}}

# One line that two builds can compare: a digest of a small solve and the times of its stages
fingerprint:
    cargo bench -q -p merels-solver --bench fingerprint

# Where the time of solving goes: for one pair (`just bench-solve 7-5`) or for all
bench-solve *ARGS:
    scripts/bench-solve.sh {{ARGS}}

# Invent inputs for the parsers: `just fuzz` a minute each, `just fuzz 600 game table` ten minutes for these two
fuzz SECONDS="60" *TARGETS:
    scripts/fuzz.sh run {{SECONDS}} {{TARGETS}}

# Keep of what fuzzing has found the smallest inputs that reach as much
fuzz-keep *TARGETS:
    scripts/fuzz.sh keep {{TARGETS}}

# The counts of a folder as a Markdown table
results DB="db":
    scripts/results-table.sh {{DB}}
